"""Command Hands as they may be read (R24): the only place where the cards of a hand are looked up.

Whoever may not see a hand gets its size and the discard pile, which are open to all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from rules.cards import CommandCard, ParagonCommandCard
from rules.rulebook import Rulebook

from .access import may_see_hand
from .models import Battle, CommandHand, Side

Card = CommandCard | ParagonCommandCard


@dataclass(frozen=True, slots=True)
class HandView:
    """A Command Hand as one person sees it. `cards` are those not discarded yet; None where they are secret."""

    size: int
    discarded: Sequence[Card]
    cards: Sequence[Card] | None


def hands_of(user: User, battle: Battle, book: Rulebook) -> dict[int, HandView]:
    """Return the recorded hands of a battle whose sides are prefetched, by the key of the side: one query."""
    sides = {side.pk: side for side in battle.sides.all()}
    hands = CommandHand.objects.filter(side__in=sides)
    return {hand.side_id: _seen(user, hand, sides[hand.side_id], book) for hand in hands}


def own_hands(user: User) -> QuerySet[CommandHand, Any]:
    """All hands that a user has recorded for their own Registers, and nobody else's, as plain values."""
    found = CommandHand.objects.filter(side__register__owner=user).order_by("side")
    return found.values(
        "side__battle__campaign__name", "side__battle__number", "side__colour", "cards", "discarded"
    )


def _seen(user: User, hand: CommandHand, side: Side, book: Rulebook) -> HandView:
    held = [slug for slug in hand.cards if slug not in hand.discarded]
    return HandView(
        size=len(held),
        discarded=_cards(book, hand.discarded),
        cards=_cards(book, held) if may_see_hand(user, side) else None,
    )


def _cards(book: Rulebook, slugs: Sequence[str]) -> list[Card]:
    """The cards in the order in which they lie; one that has left the catalogue is left out."""
    found = (book.command_cards.get(slug) or book.commands.get(slug) for slug in slugs)
    return [card for card in found if card]
