"""What templates may not contain, and that the drawings they ask for are there."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[3]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
ICONS = ROOT / "static/icons.svg"
STYLES = sorted((ROOT / "static/css").glob("*.css"))
SPEAKERS = ("templates", "static/js", "accounts", "campaign", "registers", "core", "dashboard")

# The content security policy would ignore these in silence.
INLINE = re.compile(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", re.IGNORECASE)
ASKED_FOR = re.compile(r"icon\.html\" with name=\"([\w-]+)\"|icons\.svg' %}#([\w-]+)\"")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def drawings() -> set[str]:
    sprite = ElementTree.parse(ICONS).getroot()  # noqa: S314 (a file of our own)
    return {symbol.attrib["id"] for symbol in sprite.iter("{http://www.w3.org/2000/svg}symbol")}


def test_no_inline_styles_or_scripts() -> None:
    found = [(name(path), match.group()) for path in TEMPLATES for match in INLINE.finditer(path.read_text())]
    assert found == []


def test_every_icon_asked_for_is_drawn() -> None:
    asked = {(name(path), a or b) for path in TEMPLATES for a, b in ASKED_FOR.findall(path.read_text())}
    drawn = drawings()
    assert {(path, icon) for path, icon in asked if icon not in drawn} == set()


def test_ranks_upgrade_types_and_faces_are_drawn() -> None:
    ranks = {"commander", "operative", "corps", "special-forces", "support", "heavy"}
    upgrades = {
        "heavy-weapon", "personnel", "force", "command", "hardpoint", "gear", "grenades", "programming", "comms",
        "pilot", "training", "generator", "armament", "crew", "ordnance", "squad-leader", "doctrine", "clan",
    }  # fmt: skip
    attack = {f"attack-{face}" for face in ("hit", "critical", "surge", "blank")}
    defense = {f"defense-{face}" for face in ("block", "surge", "blank")}
    assert (ranks | upgrades | attack | defense) - drawings() == set()


def test_every_part_is_used() -> None:
    parts = {name(path) for path in TEMPLATES if path.parent.name == "components"}
    asked = {
        f"templates/{part}" for path in TEMPLATES for part in re.findall(r'"(components/\w+\.html)"', path.read_text())
    }
    assert parts == asked


def test_a_part_with_a_form_gets_the_token() -> None:
    """`only` also takes the token away; the browser's POST would be refused, and the test client would not notice."""
    texts = {str(path.relative_to(ROOT / "templates")): path.read_text() for path in TEMPLATES}
    included = {page: re.findall(r'{% include "([^"]+)"([^%]*)%}', text) for page, text in texts.items()}

    def has_form(part: str) -> bool:
        parts = [each for each, how in included.get(part, ()) if "only" not in how.split() and each != part]
        return "{% csrf_token %}" in texts.get(part, "") or any(map(has_form, parts))

    without = {
        (page, part) for page, parts in included.items() for part, how in parts
        if "only" in how.split() and "csrf_token=" not in how and has_form(part)
    }  # fmt: skip
    assert without == set()


@pytest.mark.nightly
def test_every_class_of_the_style_sheets_is_used() -> None:
    """As a whole word; the second half of a `name--kind` may be filled in by the template."""
    rules = "".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL) for path in STYLES)
    words = "".join(
        path.read_text()
        for folder in SPEAKERS
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in (".html", ".py", ".js")
    )
    classes = set(re.findall(r"\.([a-z][\w-]*)(?=[^;{}]*\{)", rules))
    of_htmx = {"htmx-indicator", "htmx-request"}
    assert {word for word in classes - of_htmx if not _is_said(word, words)} == set()


def _is_said(word: str, words: str) -> bool:
    block, _, kind = word.partition("--")
    whole = re.search(rf"(?<![\w-]){word}(?![\w-])", words)
    return bool(whole or (kind and re.search(rf"{block}--\{{", words)))


def test_no_line_is_longer_than_160_characters():
    lines = [
        (str(path.relative_to(ROOT)), number)
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > 160
    ]
    assert lines == []
