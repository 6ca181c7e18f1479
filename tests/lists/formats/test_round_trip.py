"""What a writer writes, its reader reads: every army, up to what its format cannot say."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from lists.formats import detect, legion_hq_link, list_text, tts_json
from lists.formats.cards import CardIndex
from lists.formats.parsed import NAMING, Format, LineKind, Parsed, settle
from lists.formats.plain_army import army_of
from rules.battle.plain_army import PlainArmy, PlainUnit
from tests.lists.formats.exports import slotted, tts_deck
from tests.lists.formats.strategies import INDEX, armies
from tests.thoroughness import examples

quickly = settings(
    max_examples=examples(15, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def cards_of(army: PlainArmy) -> set[str]:
    """Every slug that an army names."""
    units = {
        slug
        for unit in army.units
        for slug in (unit.card, *unit.upgrades, unit.counterpart, *unit.counterpart_upgrades)
    }
    return {*units, *army.command_cards, *army.battle_cards, army.faction, army.battle_force}


def decided(parsed: Parsed, army: PlainArmy) -> Parsed:
    """The list as the player who knows the army would decide it: nothing but a choice among those offered."""
    places = list(_truth(parsed, army))
    return settle(parsed, {place: slug for place, slug in places if parsed.lines[place].open})


def _truth(parsed: Parsed, army: PlainArmy):
    """Each place of the list with the card that the army has there. Lines stand in the order of the army."""
    left: dict[LineKind, list[str]] = {
        LineKind.UNIT: [unit.card for unit in army.units],
        LineKind.BATTLE_CARD: [],
        LineKind.FACTION: [army.faction],
    }
    unit: PlainUnit | None = None
    upgrades: list[str] = []
    waiting = list(army.units)
    deck = set(army.battle_cards)
    for place, line in enumerate(parsed.lines):
        if line.kind is LineKind.UNIT:
            unit = waiting.pop(0)
            upgrades = list(unit.upgrades)
            yield place, unit.card
        elif line.kind is LineKind.COUNTERPART and unit:
            yield place, unit.counterpart
        elif line.kind is LineKind.UPGRADE and unit:
            if line.card not in unit.counterpart_upgrades:
                yield place, upgrades.pop(0)
        elif line.kind is LineKind.BATTLE_CARD:
            yield place, next(slug for slug in deck if slug == line.card or slug in line.candidates)
        elif line.kind in left:
            yield place, left[line.kind].pop(0)


def sorted_deck(army: PlainArmy) -> PlainArmy:
    """The army with its battle cards by type, as texts and JSON write them."""
    types = ["objective", "secondary", "advantage"]
    deck = sorted(army.battle_cards, key=lambda slug: types.index(INDEX.battle_cards[slug].type))
    return replace(army, battle_cards=tuple(deck))


def alike(parsed: Parsed) -> bool:
    """Whether open lines are all between cards of one name, and none of them is empty."""
    tables = {LineKind.UNIT: INDEX.units, LineKind.UPGRADE: INDEX.upgrades, LineKind.BATTLE_CARD: INDEX.battle_cards}
    for line in parsed.lines:
        if line.open and line.kind in tables:
            if len({tables[line.kind][slug].name for slug in line.candidates}) != 1:
                return False
        elif line.open and not (line.kind in NAMING and len(line.candidates) > 1):
            return False
    return True


@quickly
@given(army=armies())
def test_a_link_says_all_but_the_title_and_the_order_of_upgrades(army: PlainArmy):
    parsed = legion_hq_link.read(legion_hq_link.write(army, INDEX), INDEX)

    assert parsed.open == ()
    assert slotted(army_of(parsed)) == slotted(replace(army, title=""))


@quickly
@given(army=armies())
def test_tournament_text_leaves_open_which_of_one_name_is_meant(army: PlainArmy):
    parsed = list_text.read_tournament(list_text.write_tournament(army, INDEX), INDEX)

    assert alike(parsed)
    assert army_of(decided(parsed, army)) == sorted_deck(replace(army, battle_force=""))


@quickly
@given(army=armies())
def test_tts_json_leaves_open_which_of_one_name_and_title_is_meant(army: PlainArmy):
    parsed = tts_json.read(tts_json.write(army, INDEX), INDEX)

    assert alike(parsed)
    assert army_of(decided(parsed, army)) == tts_deck(replace(army, size=0))


WRITERS: list[tuple[Format, Callable[[PlainArmy, CardIndex], str]]] = [
    (Format.LEGION_HQ_LINK, legion_hq_link.write),
    (Format.TOURNAMENT_TEXT, list_text.write_tournament),
    (Format.TTS_JSON, tts_json.write),
]


@pytest.mark.parametrize(("which", "write"), WRITERS)
@settings(parent=quickly, max_examples=examples(10, 40))
@given(army=armies())
def test_what_is_written_is_found_out_and_has_no_fault(army: PlainArmy, which, write):
    text = write(army, INDEX)

    parsed = detect.read(text, INDEX)

    assert (detect.detect(text), parsed.format, parsed.violations) == (which, which, ())
    assert [line.violations for line in parsed.lines if line.violations and not line.open] == []
