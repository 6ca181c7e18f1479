"""Army lists of an event: the core rules, and what an event adds to them (E7, E8, E12)."""

from dataclasses import replace
from datetime import date

import pytest

from rules.battle.battle_deck import BATTLE_DECK
from rules.battle.plain_army import (
    COMMAND_HAND,
    POINTS,
    RANKS,
    PlainArmy,
    PlainUnit,
    loadout_points,
    plain_army_violations,
    points,
)
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.tournaments.army_lists import ListRules, is_legal_release, list_violations
from rules.tournaments.rule_sets import RuleSet
from tests.rules.battle.plain_armies import HAND, OFFICER, SNOW, STORM
from tests.rules.tournaments.army_lists import ARMY, NINE, TWELVE, TYPED

GC = ListRules(rule_set=RuleSet.GALACTIC_CONQUEST, army_size=1000, first_day=date(2026, 10, 20))
TR = replace(GC, rule_set=RuleSet.TOURNAMENT_REGULATIONS, army_size=800)


def wrong(book: Rulebook, army: PlainArmy, rules: ListRules = GC) -> list[Violation]:
    return list(list_violations(book, army, rules))


def coming(book: Rulebook, release: str) -> Rulebook:
    """The cards, with Snowtroopers released on that day."""
    snow = replace(book.units[SNOW.card], release=release)
    return replace(book, units={**book.units, SNOW.card: snow})


def test_legal_lists(book: Rulebook) -> None:
    assert wrong(book, ARMY) == []
    assert wrong(book, replace(ARMY, battle_cards=NINE), TR) == []


def test_the_size_is_that_of_the_event(book: Rulebook) -> None:
    """E7: whatever size the list names."""
    cost = points(book, ARMY)
    rules = replace(GC, army_size=cost - 1)
    text = f"The cards cost {cost} points, but only {cost - 1} are allowed."
    assert Violation(POINTS, text) in wrong(book, replace(ARMY, size=5000), rules)
    assert POINTS not in {each.rule for each in wrong(book, replace(ARMY, size=1), replace(GC, army_size=cost))}


def test_an_empty_list(book: Rulebook) -> None:
    found = wrong(book, PlainArmy(faction="empire"))
    assert found[0] == Violation("E8", "This list has no units. Add some.")
    assert {each.rule for each in found} == {"E8", RANKS}


def test_a_command_hand_has_seven_cards(book: Rulebook) -> None:
    text = "A Command Hand has seven cards; this list has none. Add it."
    assert wrong(book, replace(ARMY, command_cards=())) == [Violation("E8", text, "command_hand")]
    [short] = wrong(book, replace(ARMY, command_cards=HAND[1:]))
    assert short.rule == COMMAND_HAND


def test_nine_battle_cards_by_the_tournament_regulations(book: Rulebook) -> None:
    """E8: the deck of today, in the format of the size."""
    none = Violation("E8", "A list has 9 battle cards, 3 of each type; this one has none. Add them.", "battle_deck")
    assert wrong(book, ARMY, TR) == [none]
    assert [each.text for each in wrong(book, replace(ARMY, battle_cards=NINE[1:]), TR)] == [
        "A Battle Deck has 3 objectives. This one has 2."
    ]
    twice = (NINE[1], *NINE[1:])
    assert wrong(book, replace(ARMY, battle_cards=twice), TR) == [
        Violation(BATTLE_DECK, "Close the Pocket is in the Battle Deck more than once. Choose another card.", twice[0])
    ]
    standard = tuple(slug for place, slug in enumerate(TWELVE) if place % 4)
    assert wrong(book, replace(ARMY, battle_cards=standard), replace(TR, army_size=801)) == []
    assert len(wrong(book, replace(ARMY, battle_cards=standard), TR)) == 9
    assert {each.rule for each in wrong(book, replace(ARMY, battle_cards=TWELVE), GC)} == {BATTLE_DECK}


def test_the_typed_deck_of_2020(book: Rulebook) -> None:
    """E8, option: four of each type by name, none twice; nobody checks the names, and cards of today do not count."""
    rules = replace(TR, deck_of_2020=True)
    typed = replace(ARMY, battle_cards=TWELVE, typed_deck=TYPED)
    assert wrong(book, typed, rules) == []
    assert [each.text for each in wrong(book, ARMY, rules)] == [
        "A Battle Deck has 4 objectives. This one has 0.",
        "A Battle Deck has 4 deployments. This one has 0.",
        "A Battle Deck has 4 conditions. This one has 0.",
    ]
    twice = (TYPED[0], TYPED[1], (*TYPED[2][:2], "DISARRAY"))
    assert wrong(book, replace(typed, typed_deck=twice), rules) == [
        Violation("E8", "A Battle Deck has 4 conditions. This one has 3.", "battle_deck"),
        Violation("E8", "disarray is in the Battle Deck more than once. Choose another card.", "battle_deck"),
    ]
    assert wrong(book, replace(ARMY, typed_deck=()), replace(GC, deck_of_2020=True)) == []


def test_loadouts_stand_apart(book: Rulebook) -> None:
    """E8: outside the total, and only with the keyword."""
    snow = replace(book.units[SNOW.card], keywords=("Loadout", *book.units[SNOW.card].keywords))
    known = replace(book, units={**book.units, SNOW.card: snow})
    army = replace(ARMY, units=(OFFICER, STORM, SNOW, replace(SNOW, loadout=("academy-trained", "x"))))
    cost = book.upgrades["academy-trained"].points
    assert (points(known, army), loadout_points(known, army)) == (points(book, ARMY), cost)
    assert "Snowtroopers does not have the keyword Loadout." in {each.text for each in wrong(book, army)}
    assert [each.text for each in wrong(known, army)] == ["This upgrade card does not exist. Choose another one."]


@pytest.mark.parametrize(
    ("release", "gc", "casual", "competitive"),
    [
        ("", True, True, True),
        ("Aug 2026", False, False, False),  # the catalogue knows no day: nobody can say that it is out
        ("2026-10-21", False, False, False),
        ("2026-10-20", False, True, False),
        ("2026-10-19", True, True, False),
        ("2026-10-10", True, True, False),  # exactly ten days before
        ("2026-10-09", True, True, True),
    ],
)
def test_legal_products(release: str, gc: bool, casual: bool, competitive: bool) -> None:
    """E12."""
    rules = (GC, TR, replace(TR, is_competitive=True))
    assert [is_legal_release(release, each) for each in rules] == [gc, casual, competitive]
    undated = [is_legal_release(release, replace(each, first_day=None)) for each in rules]
    assert undated == [release == ""] * 3


def test_unreleased_cards(book: Rulebook) -> None:
    """E12: once for each unit, not by the core rules too; unless the organizer allows them."""
    text = "Snowtroopers is not legal in this event: its release is 2026-10-20. Replace it, or ask the organizer."
    cards = coming(book, "2026-10-20")
    assert wrong(cards, ARMY) == [Violation("E12", text, "2"), Violation("E12", text, "3")]
    assert wrong(cards, ARMY, replace(GC, other_cards=True)) == []
    assert [each.about for each in plain_army_violations(cards, ARMY)] == ["2", "3"]


def test_today_counts_while_the_first_day_is_unknown(book: Rulebook) -> None:
    """E12."""
    cards, undated = coming(book, "2026-10-20"), replace(GC, first_day=None)
    found = {day: wrong(replace(cards, today=day), ARMY, undated) for day in ("2026-10-20", "2026-10-21")}
    assert {day: [each.about for each in violations] for day, violations in found.items()} == {
        "2026-10-20": ["2", "3"],
        "2026-10-21": [],
    }


def test_a_card_whose_points_nobody_knows(book: Rulebook) -> None:
    """E12: from its day on the list says why it cannot be used."""
    cards = coming(book, "2026-08-14")
    free = replace(cards.units[SNOW.card], points=0)
    cards = replace(cards, units={**cards.units, free.slug: free}, today="2026-10-20")
    text = "Snowtroopers cannot be used yet: points not published."
    assert wrong(cards, ARMY) == [Violation("E12", text, "2"), Violation("E12", text, "3")]


def test_unreleased_upgrades_counterparts_and_command_cards(book: Rulebook) -> None:
    due = {"release": "Q4 2026"}
    officer = replace(book.upgrades["academy-trained"], **due)
    ambush = replace(book.commands["ambush"], **due)
    cards = replace(
        book, upgrades={**book.upgrades, officer.slug: officer}, commands={**book.commands, "ambush": ambush}
    )
    assert [(each.rule, each.about) for each in wrong(cards, ARMY)] == [("E12", "0"), ("E12", "ambush")]
    seeker = book.counterparts["idens-id10-seeker-droid"]
    cards = replace(book, counterparts={seeker.slug: replace(seeker, card=replace(seeker.card, **due))})
    iden = PlainUnit(seeker.parents[0], counterpart=seeker.slug)
    found = wrong(cards, replace(ARMY, units=(iden, *ARMY.units)))
    assert [each.about for each in found if each.rule == "E12"] == ["0"]


def test_cards_that_there_are_not_have_no_release(book: Rulebook) -> None:
    army = replace(ARMY, units=(*ARMY.units, PlainUnit("x")), command_cards=(*HAND[:5], "y"))
    assert "E12" not in {each.rule for each in wrong(book, army)}
