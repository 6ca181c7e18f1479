"""`make texts`: write the template of all texts, from which translators start. Needs GNU gettext.

The English texts are in code and templates, so the site runs without a catalogue of its own language. See
docs/languages.md; the tests build the same file and read from it which texts exist.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ops.paths import BASE_DIR
from rules.core.campaign_rules import SWITCHES
from rules.core.translation import LEDGER_SENTENCES

#: Where `make texts` writes. Git ignores it.
TEMPLATE = BASE_DIR / ".texts" / "django.pot"


def source_folders() -> list[Path]:
    """Return the folders whose texts are shown to people: the templates and all packages of the product."""
    packages = (file.parent for file in BASE_DIR.glob("*/__init__.py"))
    return [BASE_DIR / "templates", *(folder for folder in packages if folder.name not in ("tests", "bench"))]


#: Ranks, Factions, types of units and of upgrades, formats, sides, dice and their faces: values of the rules that
#: `rules.register.upgrade_slots.spoken` shows.
WORDS = tuple((BASE_DIR / "rules" / "core" / "translated_words.txt").read_text("utf-8").splitlines())


def _in_data() -> Iterator[str | list[str]]:
    """Yield the texts of rules/core/*.txt and of TOML files, which makemessages does not read as they are. A list has
    the singular and the plural.
    """
    yield from (*WORDS, *sorted(LEDGER_SENTENCES))
    for file in (file for folder in source_folders() for file in sorted(folder.rglob("*.toml"))):
        if file.name != "house_rules.toml":
            yield from _sentences(tomllib.loads(file.read_text("utf-8")))
    for switch in SWITCHES:
        yield from (switch.heading, switch.gap, *(reading.meaning for reading in switch.readings))


def _sentences(table: dict[str, Any]) -> Iterator[str | list[str]]:
    """Yield the sentences of a table of `core.sentences`; a `rule` is a number."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _sentences(value)
        elif key != "rule":
            yield value


def _as_code(text: str | list[str]) -> str:
    return f"gettext_noop({text!r})\n" if isinstance(text, str) else f"ngettext({text[0]!r}, {text[1]!r}, 2)\n"


def write(place: Path = TEMPLATE) -> Path:
    """Write the template of all texts to `place` and return that.

    makemessages works on a copy, since it puts a Python file next to each template while it runs. It runs without
    settings, which would name the project's own `locale` folder.
    """
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    with TemporaryDirectory() as folder:
        for source in source_folders():
            shutil.copytree(source, Path(folder, source.name), ignore=shutil.ignore_patterns("__pycache__"))
        Path(folder, "locale").mkdir()
        Path(folder, "data.py").write_text("".join(map(_as_code, _in_data())))
        command = [sys.executable, "-m", "django", "makemessages", "--all", "--keep-pot", "--add-location", "file"]
        command += ["--extension", "html,txt,md,py", "--verbosity", "0"]  # the rules reference is Markdown
        subprocess.run(command, cwd=folder, env=environment, check=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(Path(folder, "locale", "django.pot"), place)
    return place


if __name__ == "__main__":  # pragma: no cover - `make texts`
    sys.stdout.write(f"{write()}\n")
