"""The Battle Deck (core rules): nine battle cards, open to both players.

The printed text of Army Building names the deck and does not count its cards. Three of each type, none twice, is
what players and their list builders do, and what the Recon cards come to: there are three of each. Only the
Command Hand is declared secret, so the deck is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from .cards import BattleCard
from .refusal import Problem
from .rulebook import Rulebook

TYPES = ("objective", "secondary", "advantage")
OF_EACH = 3

#: What a problem cites instead of a ruling of Tours of Duty.
BATTLE_DECK = "Core: Battle Deck"


def deck_problems(book: Rulebook, deck: Sequence[str], *, game: str, faction: str) -> Iterator[Problem]:
    """Everything that makes a Battle Deck (slugs of cards) illegal; empty for a legal one.

    Three objectives, three secondary objectives and three advantages of the `game` ("recon" or "standard"), no
    card twice, each for everybody or for the army's own Faction.
    """
    for slug, times in Counter(deck).items():
        if times > 1:
            yield Problem(BATTLE_DECK, f"{_name(book, slug)} is in the Battle Deck {times} times.", slug)
    number = Counter(book.battle_cards[slug].type for slug in deck if slug in book.battle_cards)
    for kind in TYPES:
        if number[kind] != OF_EACH:
            yield Problem(
                BATTLE_DECK, f"A Battle Deck holds {OF_EACH} {plural(kind)}, this one {number[kind]}.", kind
            )
    for slug in dict.fromkeys(deck):
        yield from _card_problems(book, slug, game, faction)


def choosable(book: Rulebook, *, game: str, faction: str) -> list[BattleCard]:
    """The cards that the Battle Deck of an army may hold, in printed order."""
    return [
        card for slug, card in book.battle_cards.items() if not [*_card_problems(book, slug, game, faction)]
    ]


def plural(kind: str) -> str:
    """A type of battle card as a player says it, for more than one."""
    return {"objective": "objectives", "secondary": "secondary objectives", "advantage": "advantages"}[kind]


def _card_problems(book: Rulebook, slug: str, game: str, faction: str) -> Iterator[Problem]:
    if slug not in book.battle_cards:
        yield Problem(BATTLE_DECK, "There is no such battle card.", slug)
        return
    card = book.battle_cards[slug]
    if card.retired:
        yield Problem(BATTLE_DECK, f"{card.name} is no longer in the catalogue.", slug)
    if card.format != game:
        yield Problem(BATTLE_DECK, f"{card.name} is a {card.format} card; this battle is {game}.", slug)
    if card.faction not in ("", faction):
        yield Problem(
            BATTLE_DECK,
            f"{card.name} is not for this army: its Faction is {card.faction.capitalize()}.",
            slug,
        )


def _name(book: Rulebook, slug: str) -> str:
    return book.battle_cards[slug].name if slug in book.battle_cards else slug
