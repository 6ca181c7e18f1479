"""What a revision would make of the books: a plan that can be looked at, and of which two can be compared."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from campaign.models import Battle, Side
from registers.models import Entry, Register
from rules.corrections import Conflict
from rules.effects import Effect, to_data
from rules.force import Force
from rules.refusal import Problem
from rules.report import Report
from rules.rulebook import Rulebook
from rules.script import Question


@dataclass(frozen=True, slots=True)
class Change:
    """What stands in an entry's place: other effects and answers, or nothing at all (`effects` is None).

    `kept` is what was said in it and is asked no longer.
    """

    entry: Entry
    effects: tuple[Effect, ...] | None
    answers: Sequence[Any] = ()
    kept: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class Halt:
    """Where the walk stops and waits for a person: a question that nothing said fits, or an act that cannot be.

    `slots` say for each word of the question which place in its line an answer takes (`rules.refit`). `force` and
    `effects` are what the step came to before. `out` names the units that could be left out of the army instead, or of
    what was awarded. `conflicts` are values of a correction by hand that would be others by then.
    """

    register: Register
    problems: tuple[Problem, ...]
    book: Rulebook
    force: Force
    battle: Battle | None = None
    side: Side | None = None
    other: Side | None = None
    report: Report | None = None
    step: int | None = None
    entry: Entry | None = None
    question: Question | None = None
    slots: Mapping[str, int] = field(default_factory=dict)
    answers: Sequence[Any] = ()
    effects: tuple[Effect, ...] = ()
    out: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def at_the_end(self) -> bool:
        """Whether all acts could be walked, and only the rules are against what they come to."""
        return self.side is None and self.entry is None

    @property
    def digest(self) -> str:
        """A word that is another one whenever it stops elsewhere, or asks something else."""
        said = [
            self.register.pk, self.side and self.side.pk, self.step, self.entry and self.entry.pk, dict(self.slots),
            repr(self.question), self.out, repr(self.conflicts),
            [(problem.rule, problem.about) for problem in self.problems],
        ]  # fmt: skip
        return sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()


class Halted(Exception):
    """The walk cannot go on."""

    def __init__(self, halt: Halt) -> None:
        super().__init__(halt)
        self.halt = halt


@dataclass(frozen=True, slots=True)
class SideNow:
    """What the row of a side becomes. `kept` is what was said in its running step and is asked no longer."""

    side: Side
    answers: Sequence[Any]
    rival: str | None
    kept: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A Register that a revision reaches: as it is, as it would be, and what becomes of its entries."""

    register: Register
    book: Rulebook
    before: Force
    after: Force
    changes: Sequence[Change]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a revision comes to. With a `halt` it is not whole, and cannot be applied.

    `battles` are those of which rows change: for each its sides. `let_stand` is what was decided to stand though the
    rules are against it.
    """

    registers: Sequence[Reached]
    sides: Sequence[SideNow]
    battles: Sequence[Battle]
    armies: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    halt: Halt | None = None
    warnings: Sequence[tuple[Register, Problem]] = ()
    let_stand: Sequence[tuple[Register, Problem]] = ()

    @property
    def empty(self) -> bool:
        """Whether no Register changes."""
        return not any(reached.changes for reached in self.registers)

    @property
    def digest(self) -> str:
        """A word that is another one whenever the plan is, or the ledgers have gone on since."""
        said = [list(self._said()), [battle.stage for battle in self.battles]]
        return sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()

    def _said(self) -> Iterator[Any]:
        for reached in self.registers:
            yield str(reached.register.pk), reached.register.position
            for change in reached.changes:
                effects = None if change.effects is None else [to_data(effect) for effect in change.effects]
                yield change.entry.pk, effects, list(change.answers)
        for now in self.sides:
            yield now.side.pk, now.side.turn, list(now.answers), now.rival
        for register, problem in self.let_stand:
            yield str(register.pk), problem.rule, problem.about
