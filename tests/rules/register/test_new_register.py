"""Founding a Register (R1, R3, R4, R10, R49)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import FACTIONS
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.building import (
    add_unit,
    arcs_words,
    begin_story_arc,
    choose_faction,
    commission,
    commission_violations,
    discard,
    factions_open,
    name_register,
    next_arcs,
    next_story_arc,
    open_register,
)
from rules.register.effects import (
    FactionChosen,
    RegisterCommissioned,
    RegisterDiscarded,
    RegisterNamed,
    RegisterOpened,
    StoryArcBegun,
)
from rules.register.state import Dossier, RegisterState, replay
from tests.rules.build import OFFICER, OTHERS, SNOW, SNOWTROOPERS, STORMTROOPERS, broken, state, violations, without


def opened(**changes: Any) -> RegisterState:
    return replace(replay(open_register()), **changes)


def spare() -> RegisterState:
    """A commissioned Register in the barracks."""
    return state(in_field=None)


def test_a_register_starts_with_600_points_5_supply_and_no_reputation() -> None:
    """R1."""
    assert open_register() == [RegisterOpened(combat_potential=600, supply_points=5, reputation=0, rule="R1")]
    assert opened() == RegisterState(combat_potential=600, supply_points=5)


def test_a_campaign_may_start_with_other_numbers() -> None:
    assert replay(open_register(combat_potential=800, supply_points=3)) == RegisterState(
        combat_potential=800, supply_points=3
    )


def test_a_whole_founding(book: Rulebook) -> None:
    """R10: units, Aid Requests (elsewhere), Story Arc, name; then R4."""
    start = opened()
    for card, name in ((OFFICER, "Sorne"), (STORMTROOPERS, ""), (SNOWTROOPERS, "")):
        start = replay(add_unit(book, start, card, name=name), start)
    start = replay(begin_story_arc(book, "birth-of-a-legend"), start)
    start = replay(name_register("  Ashen Patrol "), start)
    assert commission(book, start) == [RegisterCommissioned(rule="R4")]
    assert replay(commission(book, start), start) == RegisterState(
        name="Ashen Patrol",
        faction="empire",
        commissioned=True,
        combat_potential=600,
        supply_points=5,
        story_arc="birth-of-a-legend",
        dossiers={
            "1": Dossier("1", OFFICER, "Sorne"),
            "2": Dossier("2", STORMTROOPERS),
            "3": Dossier("3", SNOWTROOPERS),
        },
        paragon="1",
        next_key=4,
    )


def test_everything_that_is_missing_is_said_at_once(book: Rulebook) -> None:
    """R3, R4, R10."""
    assert list(commission_violations(book, opened())) == [
        Violation("R4", "A Register needs at least 1 commander. Add one."),
        Violation("R4", "A Register needs at least 2 corps units. Add corps units."),
        Violation("R3", "Mercenaries need a Register with a Faction. Add a unit that has one first."),
        Violation("R10", "Choose a Story Arc.", "story_arc"),
        Violation("R10", "Enter a name for the Register.", "name"),
    ]
    assert broken(lambda: commission(book, opened())) == ["R4", "R4", "R3", "R10", "R10"]


def test_one_corps_unit_is_not_enough(book: Rulebook) -> None:
    """R4."""
    assert broken(lambda: commission(book, without(spare(), OTHERS, SNOW))) == ["R4"]


def test_the_faction_may_be_chosen_first(book: Rulebook) -> None:
    """R3."""
    assert choose_faction(book, opened(faction="rebel"), "empire") == [FactionChosen(faction="empire", rule="R3")]


def test_the_faction_is_settled_once_units_have_joined(book: Rulebook) -> None:
    """R3."""
    assert choose_faction(book, spare(), "empire") == [FactionChosen(faction="empire", rule="R3")]
    assert broken(lambda: choose_faction(book, spare(), "rebel")) == ["R3"]


@pytest.mark.parametrize("word", ["mercenary", "", "hutts"])
def test_what_is_no_faction_is_refused(book: Rulebook, word: str) -> None:
    """R3: a mercenary has none."""
    assert violations(lambda: choose_faction(book, opened(), word)) == [
        Violation("R3", "Choose a Faction: rebel, empire, republic, separatist, mandalorian.", "faction")
    ]


def test_any_story_arc_may_be_begun_the_same_again_included(book: Rulebook) -> None:
    """R10, R49."""
    assert [begin_story_arc(book, slug) for slug in book.story_arcs] == [
        [StoryArcBegun(story_arc=slug, rule="R49")] for slug in book.story_arcs
    ]
    assert broken(lambda: begin_story_arc(book, "the-clone-wars")) == ["R49"]


def test_a_register_needs_a_name_of_bearable_length() -> None:
    """R10."""
    assert name_register("x" * 80) == [RegisterNamed(name="x" * 80, rule="R10")]
    assert violations(lambda: name_register("  ")) == [Violation("R10", "Enter a name for the Register.", "name")]
    assert violations(lambda: name_register("x" * 81)) == [
        Violation("R10", "Shorten the name to 80 characters or fewer.", "name")
    ]
    assert broken(lambda: name_register("two\nlines")) == ["R10"]


def test_only_the_factions_of_the_campaign_may_be_chosen(book: Rulebook) -> None:
    """R3."""
    narrow = book.under(CampaignRules(factions=("rebel", "mandalorian")))
    assert factions_open(narrow) == ["rebel", "mandalorian"]
    assert factions_open(book) == list(FACTIONS)
    assert choose_faction(narrow, opened(), "rebel") == [FactionChosen(faction="rebel", rule="R3")]
    assert violations(lambda: choose_faction(narrow, opened(), "empire")) == [
        Violation("R3", "Choose a Faction: rebel, mandalorian.", "faction")
    ]


def test_only_the_story_arcs_of_the_campaign_may_be_begun(book: Rulebook) -> None:
    """R10, R49."""
    narrow = book.under(CampaignRules(story_arcs=("the-weekend-war",)))
    assert list(narrow.arcs_offered) == ["the-weekend-war"]
    assert begin_story_arc(narrow, "the-weekend-war") == begin_story_arc(book, "the-weekend-war")
    assert violations(lambda: begin_story_arc(narrow, "a-pirates-life")) == [
        Violation("R49", "Choose a Story Arc from the list.", "story_arc")
    ]


def test_a_saga_goes_on_when_the_campaign_has_become_longer(book: Rulebook) -> None:
    """R49."""
    over = state(arcs_ended=3, saga_complete=True, in_field=None)
    longer = book.under(CampaignRules(length=4))
    begun = next_story_arc(longer, over, "a-pirates-life")
    assert begun == [StoryArcBegun(story_arc="a-pirates-life", rule="R49")]
    assert replay(begun, over) == replace(over, story_arc="a-pirates-life", saga_complete=False)
    assert next_story_arc(book, over, "a-pirates-life") == begun
    trilogy = book.under(CampaignRules(length=3))
    assert violations(lambda: next_story_arc(trilogy, over, "a-pirates-life")) == [
        Violation("R49", "This Register has played its last Story Arc: 3 Story Arcs.", "story_arc")
    ]
    assert violations(lambda: next_story_arc(longer, state(), "a-pirates-life")) == [
        Violation("R49", "You can choose the next Story Arc when the current one has ended.", "story_arc")
    ]
    assert broken(lambda: next_story_arc(longer, over, "")) == ["R49"]
    offered = list(book.arcs_offered.values())
    assert offered
    assert [next_arcs(longer, over), next_arcs(trilogy, over), next_arcs(longer, state())] == [offered, [], []]
    assert [arcs_words(number) for number in (1, 3)] == ["1 Story Arc", "3 Story Arcs"]


def test_a_founding_is_given_up() -> None:
    """R10."""
    assert discard(opened()) == [RegisterDiscarded(rule="R10")]
    assert violations(lambda: discard(spare())) == [Violation("R10", "A finished Register cannot be deleted.")]
