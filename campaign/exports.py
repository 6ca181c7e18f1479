"""The army of a side as an army of cards, for other programs."""

from __future__ import annotations

from dataclasses import replace

from campaign.armies import forces_in
from campaign.facts import army_of
from campaign.models import Side
from registers.services import ledger
from rules.force import everyone
from rules.plain_army import PlainArmy, as_plain


def plain_side(side: Side) -> PlainArmy:
    """The army of a side as it fought, lent units and equipment among it; who has fallen since is still in it."""
    register = side.own_register
    book, force = ledger.book_for(register), forces_in(side.battle, [register])[register.pk]
    with_the_fallen = replace(force, dossiers=everyone(force))
    return as_plain(book, with_the_fallen, army_of(book, side.army), side.battle.size)
