"""Whose turn it is to choose an Agenda, from the rows of a battle (R23)."""

from __future__ import annotations

from collections.abc import Iterable

from campaign.battles.models import Side


def side_to_choose(sides: Iterable[Side]) -> Side | None:
    """Return the side that has to choose its Agenda next, Blue first; None if no choice is open (R23).

    Both sides of the battle must have chosen their armies. No query.
    """
    open_choices = (side for side in sides if side.register_id and side.agenda is None)
    return min(open_choices, key=lambda side: side.colour, default=None)


def agendas_version(sides: Iterable[Side]) -> int:
    """Return a number that grows with every change of an army or an Agenda of the battle."""
    return sum(side.version for side in sides)
