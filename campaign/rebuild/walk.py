"""All Registers that a revision reaches, battle by battle in the order in which they were fought."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any
from uuid import UUID

from campaign.life import BEGUN
from campaign.models import Battle, Revision, Side
from campaign.services.taking_back import steps_among
from registers.models import Register
from registers.services import ledger
from rules.corrections import numbers_against_rules
from rules.force import Force
from rules.language import gettext
from rules.refusal import Problem

from .battles import Fighter
from .decisions import Wishes, given
from .known import Known
from .plan import Halt, Halted, Plan, Reached, SideNow
from .stream import Stream


def plan_of(revision: Revision, known: Known | None = None) -> Plan:
    """What a revision comes to, worked out from the ledgers, and the place where it has to stop.

    `known` is what was read of them at this moment; else it is as they are now.
    """
    return _Walk(revision, known or Known(revision)).plan()


class _Walk:
    def __init__(self, revision: Revision, known: Known) -> None:
        self.revision, self.known = revision, known
        self.wishes = Wishes(revision, known.kept)
        self.streams: dict[UUID, Stream] = {}
        self.battles: dict[UUID, Battle] = {}
        self.sides: list[SideNow] = []
        self.armies: dict[int, dict[str, Any]] = {}
        self.let_stand: list[tuple[Register, Problem]] = []

    def plan(self) -> Plan:
        halt: Halt | None = None
        warnings: list[tuple[Register, Problem]] = []
        try:
            self._walk()
            warnings = [*self._at_the_end()]
        except Halted as halted:
            halt = halted.halt
        return Plan(
            registers=[
                Reached(
                    register=stream.register, book=stream.book, before=stream.old, after=stream.new,
                    changes=stream.changes,
                )
                for _pk, stream in sorted(self.streams.items())
                if stream.dirty or stream.changes or stream.register.pk in self._own_registers()
            ],
            sides=self.sides,
            battles=list(self.battles.values()),
            armies=self.armies,
            halt=halt,
            warnings=warnings,
            let_stand=self.let_stand,
        )  # fmt: skip

    def _own_registers(self) -> set[UUID]:
        battle = self.battles.get(self.revision.battle_id)
        return {side.register_id for side in battle.sides.all() if side.register_id} if battle else set()

    def _walk(self) -> None:
        [first] = self.known.battles([self.revision.battle_id])
        self._open_streams(side.own_register for side in first.sides.all() if side.register)
        self._check_wish(first)
        waiting = [(first.created_at, str(first.pk), first)]
        seen = {first.pk}
        while waiting:
            *_order, battle = heappop(waiting)
            for stream in self._fight(battle):
                if stream.dirty:
                    for later in self._later(stream, seen):
                        seen.add(later.pk)
                        heappush(waiting, (later.created_at, str(later.pk), later))
        for stream in self.streams.values():
            stream.walk_to_the_end()

    def _check_wish(self, battle: Battle) -> None:
        """Stop where the answers that are to be asked anew are others than those that were meant."""
        wanted = self.revision.wanted
        for side in battle.sides.all() if "given" in wanted else ():
            if side.colour != self.revision.colour:
                continue
            steps = steps_among(side, self.streams[side.own_register.pk].entries)
            if given(side, steps, wanted) != wanted["given"]:
                text = gettext("What was to be taken back has been answered anew meanwhile.")
                side.battle, register = battle, side.own_register
                halt = Halt(register, (Problem("", text),), ledger.book_for(register), Force())
                raise Halted(replace(halt, battle=battle, side=side, step=wanted["step"]))

    def _later(self, stream: Stream, seen: set[UUID]) -> list[Battle]:
        keys = {UUID(battle) for battle in stream.battles_to_come()} - seen
        return [each for each in self.known.battles(keys) if each.status != Battle.Status.CANCELLED]

    def _fight(self, battle: Battle) -> list[Stream]:
        rows = list(battle.sides.all())
        now, sides = self.wishes.as_wanted(battle, rows)
        for row in rows:
            row.battle = battle
        self._open_streams(row.own_register for row in rows if row.register)
        fighters = [
            Fighter(
                self.streams[row.own_register.pk],
                self.wishes,
                (battle, row, rows[1 - n]),
                (now, sides[n], sides[1 - n]),
            )
            for n, row in enumerate(rows)
            if row.register
        ]
        for fighter in fighters:
            fighter.stream.walk_to(str(battle.pk))
            fighter.other = next((other for other in fighters if other is not fighter), None)
            if self.wishes.annuls(battle):
                fighter.vanish()
            else:
                fighter.take_the_field()
        if battle.status in BEGUN and not self.wishes.annuls(battle):
            _walk_together(fighters)
        self._note(battle, rows, sides, fighters)
        return [fighter.stream for fighter in fighters]

    def _note(self, battle: Battle, rows: list[Side], sides: list[Side], fighters: list[Fighter]) -> None:
        """What becomes of the rows of a battle."""
        self.battles[battle.pk] = battle
        for row, side in zip(rows, sides, strict=True):
            if row.army != side.army or row.report != side.report:
                self.armies[row.pk] = {"army": side.army, "report": side.report}
        if battle.status in BEGUN and not self.wishes.annuls(battle):
            self.sides += [fighter.as_it_would_be() for fighter in fighters]

    def _open_streams(self, registers: Iterable[Register]) -> None:
        """Those of Registers that are reached for the first time: one query for their ledgers, or none."""
        new = {register.pk: register for register in registers if register.pk not in self.streams}
        ledgers = self.known.ledgers(new.values())
        for pk, register in new.items():
            self.streams[pk] = Stream(register, ledgers[pk], self.wishes)

    def _at_the_end(self) -> Any:
        """What stands without its ground once all is walked: more points than there are only warn (R2).

        So does what was let stand against the rules.
        """
        for stream in self.streams.values():
            if not stream.dirty:
                continue
            problems = _without_ground(stream)
            hard = [problem for problem in problems if problem.rule != "R2"]
            left = tuple(each for each in hard if not self.wishes.lets_stand(stream.register, each))
            if left:
                raise Halted(Halt(stream.register, left, stream.book, stream.new))
            self.let_stand += [(stream.register, problem) for problem in hard]
            yield from ((stream.register, problem) for problem in problems)


def _without_ground(stream: Stream) -> list[Problem]:
    """What the rules have against a Register as it would be, and had not before: each of a unit once."""
    found: dict[tuple[str, str], Problem] = {}
    for problem in (
        *ledger.built_upon(stream.book, stream.old, stream.new),
        *numbers_against_rules(stream.book, stream.old, stream.new),
    ):
        found.setdefault((problem.rule, problem.about.partition(".")[0]), problem)
    return list(found.values())


def _walk_together(fighters: list[Fighter]) -> None:
    """Let both sides walk as far as they can; a side may free the other, and what neither frees stays as it was."""
    for stuck in (False, True):
        while any(fighter.walk(stuck=stuck) for fighter in fighters if fighter.answers is None):
            pass
