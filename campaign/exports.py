"""The army of a side as an army of cards, for other programs."""

from __future__ import annotations

from dataclasses import replace

from campaign.facts import army_of
from campaign.models import Side
from registers.services import ledger
from rules.as_plain import as_plain
from rules.plain_army import PlainArmy


def plain_side(side: Side) -> PlainArmy:
    """The army of a side, lent units and equipment among it; units that have fallen since are still in it."""
    register = side.own_register
    book, force = ledger.book_for(register), ledger.force_of(register)
    everyone = replace(force, dossiers={**force.fallen, **force.reassigned, **force.dossiers})
    return as_plain(book, everyone, army_of(book, side.army), side.battle.size)
