"""What a writer writes, its reader reads: every army, up to what its format cannot say."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings

from lists.formats import detect, legion_hq_link, list_text, tts_json
from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, LineKind
from lists.formats.plain_army import army_of
from rules.battle.plain_army import PlainArmy
from tests.lists.formats.exports import slotted, tts_deck
from tests.lists.formats.strategies import INDEX, armies
from tests.thoroughness import examples

quickly = settings(
    max_examples=examples(15, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def sorted_deck(army: PlainArmy) -> PlainArmy:
    """The army with its battle cards by type, as texts and JSON write them."""
    types = ["objective", "secondary", "advantage"]
    deck = sorted(army.battle_cards, key=lambda slug: types.index(INDEX.battle_cards[slug].type))
    return replace(army, battle_cards=tuple(deck))


@quickly
@given(army=armies())
def test_a_link_says_all_but_the_title_and_the_order_of_upgrades(army: PlainArmy):
    parsed = legion_hq_link.read(legion_hq_link.write(army, INDEX), INDEX)

    assert parsed.open == ()
    assert slotted(army_of(parsed)) == slotted(replace(army, title=""))


@quickly
@given(army=armies())
def test_tournament_text_says_everything(army: PlainArmy):
    parsed = list_text.read(list_text.write_tournament(army, INDEX), INDEX)

    assert parsed.open == ()
    assert army_of(parsed) == sorted_deck(army)


@quickly
@given(army=armies())
def test_tts_json_says_all_but_the_size(army: PlainArmy):
    """Two cards of one name are the same to it: which unit has which is a question."""
    cards = {INDEX.upgrades[slug] for unit in army.units for slug in (*unit.upgrades, *unit.counterpart_upgrades)}
    assume(len({card.full_name for card in cards}) == len(cards))

    parsed = tts_json.read(tts_json.write(army, INDEX), INDEX)

    assert [line.kind for line in parsed.lines if line.open and line.kind is not LineKind.FACTION] == []
    assert replace(army_of(parsed), faction=army.faction) == tts_deck(replace(army, size=0))


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

    assert (parsed.format, parsed.violations) == (which, ())
    assert [line.violations for line in parsed.lines if line.violations and not line.open] == []
