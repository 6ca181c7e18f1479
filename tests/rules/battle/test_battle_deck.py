"""The Battle Deck of the core rules."""

from dataclasses import replace

import pytest

from rules.battle.battle_deck import BATTLE_DECK, choosable, deck_violations, plural
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from tests.rules.battle.decks import RECON


def wrong(book: Rulebook, deck: list[str], *, game: str = "recon", faction: str = "empire") -> list[Violation]:
    return list(deck_violations(book, deck, game=game, faction=faction))


def instead(old: str, new: str) -> list[str]:
    return [new if slug == old else slug for slug in RECON]


def test_three_objectives_three_secondary_objectives_three_advantages(book: Rulebook) -> None:
    assert wrong(book, RECON) == []
    assert wrong(book, RECON[1:-1]) == [
        Violation(BATTLE_DECK, "A Battle Deck has 3 objectives. This one has 2.", "objective"),
        Violation(BATTLE_DECK, "A Battle Deck has 3 advantages. This one has 2.", "advantage"),
    ]
    assert wrong(book, [*RECON, "black-ops"])[0] == Violation(
        BATTLE_DECK, "A Battle Deck has 3 advantages. This one has 4.", "advantage"
    )


def test_no_card_twice(book: Rulebook) -> None:
    deck = instead("surface-scan-recon", "recon-mission-recon")
    assert wrong(book, deck) == [
        Violation(
            BATTLE_DECK,
            "Recon Mission is in the Battle Deck more than once. Choose another card.",
            "recon-mission-recon",
        )
    ]


def test_cards_that_there_are_not(book: Rulebook) -> None:
    assert wrong(book, ["x", "x", *RECON]) == [
        Violation(BATTLE_DECK, "x is in the Battle Deck more than once. Choose another card.", "x"),
        Violation(BATTLE_DECK, "This battle card does not exist. Choose another one.", "x"),
    ]
    card = replace(book.battle_cards["surface-scan-recon"], retired=True)
    older = replace(book, battle_cards={**book.battle_cards, card.slug: card})
    assert wrong(older, RECON) == [
        Violation(BATTLE_DECK, "Surface Scan is no longer in the catalogue.", "surface-scan-recon")
    ]


def test_cards_of_the_game_that_is_played(book: Rulebook) -> None:
    deck = instead("surface-scan-recon", "surface-scan")
    assert wrong(book, deck) == [
        Violation(
            BATTLE_DECK,
            "Surface Scan is a standard card, but this battle is recon. Choose another card.",
            "surface-scan",
        )
    ]


def test_cards_for_everybody_or_for_the_own_faction(book: Rulebook) -> None:
    deck = ["breakthrough", "outflank", "payload", "supply-run", "marked-targets", "surface-scan"]
    deck += ["black-ops", "ordnance", "garrison"]
    assert wrong(book, deck, game="standard") == []
    assert wrong(book, deck, game="standard", faction="rebel") == [
        Violation(BATTLE_DECK, "Black Ops is only for the Faction Empire.", "black-ops")
    ]


@pytest.mark.parametrize(("game", "faction", "number"), [("recon", "rebel", 9), ("standard", "rebel", 28)])
def test_what_may_be_chosen(book: Rulebook, game: str, faction: str, number: int) -> None:
    cards = choosable(book, game=game, faction=faction)
    assert len(cards) == number
    assert {card.format for card in cards} == {game}
    assert {card.faction for card in cards} <= {"", faction}


def test_several_of_a_type_in_words() -> None:
    assert [plural(kind) for kind in ("objective", "secondary", "advantage")] == [
        "objectives", "secondary objectives", "advantages",
    ]  # fmt: skip
