"""Registers as lines of a list, with the battles they won, drew and lost."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet
from django.urls import reverse

from campaign.battles.models import Battle, Side
from core.db.prepared import Prepared
from core.names import name_order
from registers import projection
from registers.ledger import session
from registers.models import Register
from registers.pages.sheet import arc_of
from rules.battle.report import result_for
from rules.core.values import KeywordValue
from rules.register.building import combat_potential_spent
from rules.register.state import RegisterState


class Outline(KeywordValue):
    """A Register in a list, using only its own row, and how many battles it has won, drawn and lost."""

    register: Register
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def name(self) -> str:
        """The Register's name."""
        return str(self.register)

    @property
    def player(self) -> str:
        """The name of its player; empty if it has none."""
        return self.register.owner.get_username() if self.register.owner else ""

    @property
    def url(self) -> str:
        """The address of its page, or of the page for building it."""
        page = "registers:detail" if self.register.commissioned else "registers:building"
        return reverse(page, args=[self.register.pk])


class RegisterLine(Outline):
    """A complete line. `spent` is the Combat Potential used, in points; `arc` as in `registers.pages.sheet.arc_of`."""

    state: RegisterState
    spent: int
    arc: Mapping[str, Any] | None


def outlines(registers: Iterable[Register]) -> list[Outline]:
    """Return outlines of these Registers in one query. Their owners must be loaded."""
    listed = list(registers)
    results = _results(listed)
    return [
        Outline(register=register, **{result: results[register.pk, result] for result in ("won", "drawn", "lost")})
        for register in listed
    ]


def register_lines(registers: Iterable[Register]) -> list[RegisterLine]:
    """Return the lines of these Registers in three queries. Their owners must be loaded."""
    listed = list(registers)
    return complete_lines(outlines(listed)) if listed else []


def standing(line: Outline) -> tuple[int, int, int, int]:
    """Return what decides the place of a Register: Reputation, then battles won, drawn and lost. The highest leads."""
    return line.register.reputation, line.won, line.drawn, -line.lost


def with_places(lines: Iterable[RegisterLine]) -> list[tuple[int, RegisterLine]]:
    """Return lines with their places, the first one first; Registers of equal standing share one, in order of names."""
    places: dict[tuple[int, ...], int] = {}
    found = sorted(lines, key=lambda line: name_order(line.name))
    found.sort(key=standing, reverse=True)
    for place, line in enumerate(found, start=1):
        places.setdefault(standing(line), place)
    return [(places[standing(line)], line) for line in found]


def complete_lines(found: Sequence[Outline]) -> list[RegisterLine]:
    """Return outlines as complete lines, in two queries."""
    states = projection.states_of([line.register for line in found])
    return [
        RegisterLine(
            register=line.register,
            state=(state := states[line.register.pk]),
            spent=combat_potential_spent(book := session.rulebook_for(line.register), state),
            arc=arc_of(book, state),
            won=line.won,
            drawn=line.drawn,
            lost=line.lost,
        )
        for line in found
    ]


def _results(registers: Iterable[Register]) -> Counter[tuple[UUID, str]]:
    results: Counter[tuple[UUID, str]] = Counter()
    for register, colour, winner, times in _closed([register.pk for register in registers]):
        results[register, result_for(colour, winner)] += times
    return results


@Prepared
def _closed(registers: Collection[UUID]) -> QuerySet[Side, Any]:
    closed = Side.objects.filter(battle__status=Battle.Status.CLOSED, battle__campaign__solo=None)
    fought = closed.filter(register__pk__in=registers).order_by()
    return fought.values_list("register", "colour", "battle__winner").annotate(times=Count("pk"))
