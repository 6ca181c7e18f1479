"""The Command Hand (R24)."""

from dataclasses import replace

import pytest

from rules.battle.army import Army
from rules.battle.command_hand import Commanded, commanded, hand_violations, needs, playable
from rules.battle.report import Lent
from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import CommandCard
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.state import RegisterState
from tests.rules.build import PARAGON, TROOPERS, change, house, state

GENERIC = ("ambush", "push", "assault", "standing-orders")
MORE = {"one": 1, "two": 2, "three": 3}


@pytest.fixture(scope="module")
def cards(book: Rulebook) -> Rulebook:
    """The catalogue with three more cards that are for everybody."""
    more = {slug: CommandCard(slug, slug.title(), pips) for slug, pips in MORE.items()}
    return replace(book, commands={**book.commands, **more})


HAND = [*GENERIC, *MORE]


def wrong(
    cards: Rulebook,
    hand: list[str],
    *units: str,
    start: RegisterState | None = None,
    lent: tuple[Lent, ...] = (),
    upgrades: tuple[str, ...] = (),
    battle_force: str = "",
) -> list[Violation]:
    army = Army(fielded={PARAGON: upgrades, **dict.fromkeys(units, ())}, lent=lent, battle_force=battle_force)
    return list(hand_violations(cards, commanded(cards, start or state(), army), hand))


def alone(cards: Rulebook, start: RegisterState | None = None) -> Commanded:
    """The Paragon and nobody else."""
    return commanded(cards, start or state(), Army(fielded={PARAGON: ()}))


def instead(old: str, new: str) -> list[str]:
    return [new if slug == old else slug for slug in HAND]


def lend(cards: Rulebook, unit: str) -> tuple[Lent, ...]:
    return (Lent("request-assistance", "L1", cards.units[unit]),)


def test_the_cards_of_the_catalogue(book: Rulebook) -> None:
    """`required_units`, alternatives of `extra_requirements`, battle forces, what is not released."""
    assert book.commands["see-you-in-hell"].full_name == "See You in Hell"
    assert len(book.commands) == 236
    assert [slug for slug, card in book.commands.items() if card.pips == 4] == ["standing-orders"]


def test_two_each_of_one_two_and_three_pips_and_standing_orders(cards: Rulebook) -> None:
    assert wrong(cards, HAND) == []


def test_seven_cards_no_more_and_no_fewer(cards: Rulebook) -> None:
    assert wrong(cards, []) == [
        Violation("R24", "A Command Hand has 2 cards of 1 pip. This one has 0.", "pips-1"),
        Violation("R24", "A Command Hand has 2 cards of 2 pips. This one has 0.", "pips-2"),
        Violation("R24", "A Command Hand has 2 cards of 3 pips. This one has 0.", "pips-3"),
        Violation("R24", "A Command Hand has Standing Orders. This one has 0.", "pips-4"),
    ]
    assert wrong(cards, instead("ambush", "two")) == [
        Violation("R24", "Two is in the hand more than once. Choose another card.", "two"),
        Violation("R24", "A Command Hand has 2 cards of 1 pip. This one has 1.", "pips-1"),
        Violation("R24", "A Command Hand has 2 cards of 2 pips. This one has 3.", "pips-2"),
    ]
    assert wrong(cards, [*HAND, "standing-orders"]) == [
        Violation("R24", "Standing Orders is in the hand more than once. Choose another card.", "standing-orders"),
        Violation("R24", "A Command Hand has Standing Orders. This one has 2.", "pips-4"),
    ]


def test_no_duplicates(cards: Rulebook) -> None:
    assert wrong(cards, instead("one", "ambush")) == [
        Violation("R24", "Ambush is in the hand more than once. Choose another card.", "ambush")
    ]


def test_unknown_cards(cards: Rulebook) -> None:
    assert wrong(cards, instead("one", "x")) == [
        Violation("R24", "A Command Hand has 2 cards of 1 pip. This one has 1.", "pips-1"),
        Violation("R24", "This Command Card does not exist. Choose another one.", "x"),
    ]


# --- Paragon Command Cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("ambush", "paragon-the-best-of-us", "The Best of Us"), ("push", "paragon-enemy-down", "Enemy Down!"),
        ("assault", "paragon-objective-complete", "Objective Complete!"),
        ("standing-orders", "paragon-standing-orders", "Standing Orders (Paragon)"),
    ],
)  # fmt: skip
def test_unlocked_paragon_command_cards_may_be_included(cards: Rulebook, old: str, new: str, name: str) -> None:
    """The one of 4 pips instead of Standing Orders [reading]."""
    assert wrong(cards, instead(old, new), start=state(command_cards=(new,))) == []
    assert wrong(cards, instead(old, new)) == [Violation("R24", f"The Paragon has not unlocked {name}.", new)]


def test_or_standing_orders_are_in_every_hand(cards: Rulebook) -> None:
    """R24, `standing_orders`: neither instead of them nor beside them."""
    strict, card = house(cards, standing_orders="always"), "paragon-standing-orders"
    start = state(command_cards=(card, "paragon-enemy-down"))
    text = "Standing Orders (Paragon) cannot replace Standing Orders in this campaign."
    assert wrong(strict, HAND, start=start) == []
    assert wrong(strict, instead("push", "paragon-enemy-down"), start=start) == []
    assert wrong(strict, instead("standing-orders", card), start=start) == [Violation("R24", text, card)]
    assert wrong(strict, [*HAND, card], start=start) == [
        Violation("R24", "A Command Hand has Standing Orders. This one has 2.", "pips-4"),
        Violation("R24", text, card),
    ]  # fmt: skip
    army = Army(fielded={PARAGON: ()})
    assert [one.slug for one in playable(strict, commanded(strict, start, army))[:1]] == ["paragon-enemy-down"]
    assert [one.slug for one in playable(cards, commanded(cards, start, army))[:2]] == [card, "paragon-enemy-down"]


# --- What a card needs ---------------------------------------------------------------------------------------


def with_card(cards: Rulebook, **printed: object) -> tuple[Rulebook, list[str]]:
    """A hand with a card of one pip, of which this is printed."""
    card = replace(CommandCard("new", "New", 1), **printed)  # type: ignore[arg-type]
    return replace(cards, commands={**cards.commands, "new": card}), instead("one", "new")


def test_a_card_of_another_faction(cards: Rulebook) -> None:
    book, hand = with_card(cards, faction="rebel")
    assert wrong(book, hand) == [Violation("R24", "New is only for the Faction Rebel.", "new")]
    assert wrong(book, hand, start=state(faction="rebel")) == []


def test_a_mercenary_s_own_card_comes_with_the_mercenary(cards: Rulebook) -> None:
    book, hand = with_card(cards, faction="mercenary", required_units=("Pyke Syndicate Capo",), required_mode="any")
    capo = change(state(), TROOPERS, card="pyke-syndicate-capo")
    assert wrong(book, hand, TROOPERS, start=capo) == []
    assert [violation.rule for violation in wrong(book, hand, start=capo)] == ["R24", "R24"]


def test_a_card_that_names_units_needs_one_of_them(cards: Rulebook) -> None:
    book, hand = with_card(cards, required_units=("Darth Vader", "General Veers"), required_mode="any")
    assert wrong(book, hand) == [Violation("R24", "New needs Darth Vader or General Veers in the army.", "new")]
    lent = (Lent("authorized-extraordinary-use", bearer=PARAGON), *lend(book, "general-veers-master-tactician"))
    assert wrong(book, hand, lent=lent) == []


def test_or_all_of_them(cards: Rulebook) -> None:
    book, hand = with_card(cards, required_units=("Imperial Officer", "General Veers"), required_mode="all")
    assert wrong(book, hand) == [Violation("R24", "New needs Imperial Officer and General Veers in the army.", "new")]
    assert wrong(book, hand, lent=lend(book, "general-veers-master-tactician")) == []


def test_units_that_stay_at_home_are_not_in_the_army(cards: Rulebook) -> None:
    book, hand = with_card(cards, required_units=("Stormtroopers",), required_mode="any")
    assert wrong(book, hand, TROOPERS) == []
    assert wrong(book, hand, "99") == [Violation("R24", "New needs Stormtroopers in the army.", "new")]


def test_what_else_a_card_asks_of_the_unit_it_names(cards: Rulebook) -> None:
    """Not Vader of another title."""
    book, hand = with_card(
        cards, required_units=("Darth Vader",), required_mode="any",
        extra_requirements=cards.commands["see-you-in-hell"].extra_requirements,
    )  # fmt: skip
    [[term]] = book.commands["new"].extra_requirements
    title = replace(term, value="Dark Lord of the Sith")
    right, _ = with_card(cards, required_units=("Darth Vader",), extra_requirements=((title,),))
    vader = lend(book, "darth-vader-dark-lord-of-the-sith")
    apprentice = lend(book, "darth-vader-the-emperors-apprentice")
    assert (wrong(right, hand, lent=vader), len(wrong(right, hand, lent=apprentice))) == ([], 1)


def test_what_a_card_asks_of_any_unit(cards: Rulebook) -> None:
    """An affiliation that an upgrade gives counts."""
    hand = instead("push", "close-formation")
    kind = Violation("R24", "Close Formation needs a unit of another kind in the army.", "close-formation")
    assert wrong(cards, hand) == [kind]
    officer = change(state(), PARAGON, upgrades=("clan-kryze",))
    assert wrong(cards, hand, start=officer, upgrades=("clan-kryze", "x")) == []
    assert wrong(cards, hand, start=officer) == [kind]


def test_cards_of_a_battle_force(cards: Rulebook) -> None:
    """An army is of one, or of none."""
    hand = instead("one", "drive-them-out")
    violation = Violation("R24", "Drive Them Out is only for the battle force Tempest Force.", "drive-them-out")
    assert wrong(cards, hand) == wrong(cards, hand, battle_force="blizzard-force") == [violation]
    assert wrong(cards, hand, battle_force="tempest-force") == []


def test_cards_that_are_not_released(cards: Rulebook) -> None:
    """R5."""
    book, hand = with_card(cards, release="2027")
    assert wrong(book, hand) == [Violation("R5", "New is not released yet (2027).", "new")]
    assert wrong(book.under(CampaignRules(unreleased=True)), hand) == []


def test_what_a_hand_may_be_made_of(cards: Rulebook) -> None:
    small = replace(cards, commands={slug: cards.commands[slug] for slug in (*HAND, "drive-them-out", "blast-off")})
    start = state(command_cards=("paragon-enemy-down",))
    slugs = [card.slug for card in playable(small, alone(small, start))]
    assert slugs == ["paragon-enemy-down", *HAND]


def test_the_units_that_a_card_names_in_words(cards: Rulebook) -> None:
    assert needs(cards.commands["ambush"]) == ""
    assert needs(cards.commands["blast-off"]) == "R2-D2"
    assert needs(CommandCard("x", "X", 1, required_units=("A", "B"), required_mode="any")) == "A or B"
    assert needs(CommandCard("x", "X", 1, required_units=("A", "B"), required_mode="all")) == "A and B"
