"""Whatever the cards name has a drawing, and all drawings are of one hand."""

import csv
import re
from pathlib import Path

from core.templatetags.icons import drawings, inline_icon
from core.ui.styleguide import DICE, icons
from rules.core.card_types import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES

ROOT = Path(__file__).parents[3]
CATALOGUE = ROOT / "fixtures/catalogue"
SPRITE = ROOT / "static/icons.svg"


def column(file: str, name: str) -> set[str]:
    with (CATALOGUE / file).open(newline="") as rows:
        return {row[name] for row in csv.DictReader(rows)}


def test_each_rank_and_upgrade_type_of_the_catalogue_is_drawings():
    slots = {slot for slots in column("units.csv", "upgrade_slots") for slot in slots.split("|") if slot}
    named = column("units.csv", "rank") | column("upgrades.csv", "type") | slots
    assert named <= {*RANKS, *UPGRADE_TYPES}
    assert {*RANKS, *UPGRADE_TYPES} - set(drawings()) == set()


def test_each_faction_has_a_banner():
    banners = {name for name in drawings() if name.startswith("faction-")}
    assert banners == {f"faction-{faction}" for faction in (*FACTIONS, MERCENARY)}


def test_a_printed_page_has_its_drawings_in_it():
    """In black, without a link to another file, which a PDF would not follow."""
    [corps] = re.findall(r'<symbol id="corps" [^>]*>(.*?)</symbol>', SPRITE.read_text())
    svg = inline_icon("corps")
    assert svg.startswith("<svg ")
    assert f'stroke="#000" stroke-width="2" aria-hidden="true">{corps}</svg>' in svg
    assert [name for name in drawings() if "currentColor" in inline_icon(name)] == []
    assert inline_icon("unknown") == ""


def test_each_face_of_each_die_is_drawings():
    faces = {f"{'defense' if 'defense' in die else 'attack'}-{face}" for die, row in DICE.items() for face in row}
    assert faces == {name for name in drawings() if name.startswith(("attack-", "defense-"))}


def test_no_drawing_is_left_out_and_none_stands_twice():
    names = [name for names in icons().values() for name in names]
    assert sorted(names) == sorted(
        set(drawings()) - {name for name in drawings() if name.startswith(("attack-", "defense-"))}
    )


def test_all_are_of_one_hand():
    """A grid of 24, strokes of 2 with butt ends, no colour but the page's own."""
    symbols = re.findall(r'<symbol id="([\w-]+)" ([^>]*)>(.*?)</symbol>', SPRITE.read_text())
    hand = 'viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"'
    assert {name for name, how, _ in symbols if how != hand} == {
        name for name in drawings() if name.startswith(("attack-", "defense-"))
    }
    strange = {"stroke-width", "stroke-linecap", "stroke-linejoin", "opacity", "transform", "#"}
    assert {name for name, how, inner in symbols if how == hand and any(word in inner for word in strange)} == set()
