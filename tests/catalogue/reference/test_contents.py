"""The whole reference: complete, in one with docs/rules.md and with the code, and in words of our own."""

import ast
import re
from pathlib import Path

import pytest
from django.utils.text import slugify
from django.utils.translation import override

from catalogue.models import Setback
from catalogue.reference import sections
from catalogue.reference.passages import Passage
from catalogue.snapshot import rulebook
from catalogue.templatetags import reference as drawing
from rules.battle import army
from rules.core import campaign_rules
from rules.core.campaign_rules import SWITCHES
from rules.core.card_types import UPGRADE_TYPES
from rules.post_battle import reputation, supply
from rules.post_battle.steps import STEPS

ROOT = Path(__file__).parents[3]
LAW = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
CITED = re.compile(r"R\d+|Core: [A-Z][\w ]+")


@pytest.fixture(autouse=True)
def _cards(cards):
    pass


def passages() -> list[Passage]:
    return [passage for section in sections() for passage in section.passages]


def anchors() -> list[str]:
    rows = [row.id for passage in passages() if passage.table for row in passage.table.rows]
    return [section.id for section in sections()] + [passage.id for passage in passages()] + rows


def texts() -> list[str]:
    return [str(text) for passage in passages() for text in (passage.text, *passage.lines)]


def cited(path: Path) -> set[str]:
    """Every ruling, or part of the core rules, that a module names as such."""
    if path.suffix == ".html":
        return set(re.findall(r'rule="(R\d+)"', path.read_text(encoding="utf-8")))
    constants = (
        node.value
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return {constant for constant in constants if CITED.fullmatch(constant)}


def test_every_ruling_under_the_heading_it_has_in_the_law():
    law = re.findall(r"^#### (R\d+)\n\n\*\*(.+?)\.\*\* ", LAW, re.MULTILINE)
    sentences = [(passage.number, str(passage.heading)) for passage in passages() if passage.number]
    assert sorted(sentences, key=lambda pair: int(pair[0][1:])) == law
    assert len(law) == 53


def test_every_reading_stands_with_its_ruling():
    found = [switch for passage in passages() for switch in passage.switches]
    assert sorted(found, key=SWITCHES.index) == list(SWITCHES)


def test_the_ten_steps_in_order_each_with_what_to_do_in_short():
    steps = [section for section in sections() if section.step]
    assert [(section.id, section.name) for section in steps] == [(f"step-{step.number}", step.name) for step in STEPS]
    assert [section.passages[0].id for section in steps] == [f"{section.id}-in-short" for section in steps]
    assert [section.id for section in steps if not section.passages[0].lines] == []


def test_no_anchor_twice():
    found = anchors()
    assert sorted(found) == sorted(set(found))


def test_whatever_code_and_templates_cite_is_there():
    folders = ("rules", "registers", "campaign", "catalogue", "templates")
    files = [path for name in folders for path in (ROOT / name).rglob("*.*") if path.suffix in (".py", ".html")]
    found = {rule for path in files for rule in cited(path)}
    known = set(anchors())
    assert len(found) > 50
    assert {rule for rule in found if (slugify(rule) if ":" in rule else rule) not in known} == set()


def test_links_and_numbers_in_the_texts_lead_somewhere():
    known = set(anchors())
    led = {at for text in texts() for at in re.findall(r"\(#([\w-]+)\)|\b(R\d+)\b", text) for at in at if at}
    assert led - known == set()


def test_each_unit_type_and_upgrade_type_of_the_cards_has_its_place():
    known = set(anchors())
    newer = {"unit-mandalorian-trooper", "unit-heavy-droid-trooper"}  # together in unit-other-troopers
    units = {f"unit-{slugify(unit.unit_type)}" for unit in rulebook().units.values()}
    assert (units - newer) | {f"upgrade-{kind}" for kind in UPGRADE_TYPES} <= known
    assert newer <= units


@pytest.mark.parametrize(
    ("at", "facts"),
    [
        ("R1", (campaign_rules.STARTING_COMBAT_POTENTIAL, campaign_rules.STARTING_SUPPLY_POINTS)),
        ("R18", (army.LARGEST_RECON, army.LARGEST_RECON + 1)),
        ("R20", (army.POINTS_PER_REPUTATION,)),
        ("R22", (army.AGENDAS_TO_MAY, army.AGENDAS_TO_MUST)),
        ("R30", (supply.FOR_PLAYING,)),
        ("R48", (1, reputation.SUPPLY_FOR_ALL_AGENDAS)),
    ],
)
def test_numbers_are_those_of_the_rules(at, facts):
    [text] = [str(passage.text) for passage in passages() if passage.id == at]
    assert [str(fact) for fact in facts if not re.search(rf"\b{fact}\b", text)] == []


def test_downtrodden_costs_what_its_card_says():
    [text] = [str(passage.text) for passage in passages() if passage.id == "R19"]
    assert f"{rulebook().setbacks['downtrodden'].army_points_each} points more for each Downtrodden" in text


def test_it_is_made_once_for_a_catalogue_and_a_language():
    with override("en"):
        first = sections()
        assert sections() is first
    with override("de"):
        assert sections() is not first


def test_a_changed_card_is_seen():
    Setback.objects.filter(slug="downtrodden").update(effect="Costs a lot.")
    rows = {row.id: row for passage in passages() if passage.table for row in passage.table.rows}
    assert rows["setback-downtrodden"].effect == "Costs a lot."


def test_without_a_catalogue_rulings_are_there_all_the_same(empty):
    assert [passage.number for passage in passages()].count("R34") == 1


def test_markdown_and_marks_are_drawn_for_all_of_it():
    """No text breaks the drawing, and none carries Markdown that is not understood."""
    html = "".join(drawing.block(text) for text in texts())
    assert ("**" in html, "](#" in html) == (False, False)
