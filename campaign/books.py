"""The cards as a battle plays them."""

from __future__ import annotations

from campaign.models import Side
from registers.services import ledger
from rules.rulebook import Rulebook


def book_of(side: Side) -> Rulebook:
    """The catalogue by the terms that held when the side took the field; before that, by those of today.

    The side is a Register's, and carries it and its battle. Raises ValueError for a guest's.
    """
    return ledger.book_for(side.own_register, side.battle.terms)
