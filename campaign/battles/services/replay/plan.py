"""The plan of an amendment: its result, to be shown and compared before it is applied."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db.models import Prefetch

from campaign.battles.models import Amendment, Battle, DiceSeed, Side
from campaign.battles.state_machine import OVER
from registers.ledger.session import LedgerSession
from registers.models import LedgerEntry, Register
from rules.adjustments.corrections import Conflict
from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation
from rules.post_battle.dialogue import Question
from rules.register.effects import Effect, to_data
from rules.register.state import RegisterState


class EntryReplacement(Value):
    """The replacement of an entry, or none (no `effects`); `kept` are former answers that are no longer asked for."""

    entry: LedgerEntry
    effects: tuple[Effect, ...] | None
    answers: Sequence[Any] = ()
    kept: Sequence[Mapping[str, Any]] = ()


class ReplayConflict(Value):
    """The point where the replay stops for a decision: a question without a fitting answer, or an impossible action.

    `slots` say for each word of the question which place in its line an answer takes
    (`rules.post_battle.rematch_answers`). `state` and `effects` are the result of the step up to there. `out` names
    the units that could be left out of the army, or of the award, instead. `conflicts` are values of a correction by
    hand that the amendment changes.
    """

    register: Register
    violations: tuple[Violation, ...]
    book: Rulebook
    state: RegisterState
    battle: Battle | None = None
    side: Side | None = None
    other: Side | None = None
    report: Report | None = None
    step: int | None = None
    entry: LedgerEntry | None = None
    question: Question | None = None
    slots: Mapping[str, int] = field(default_factory=dict)
    answers: Sequence[Any] = ()
    effects: tuple[Effect, ...] = ()
    out: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()

    @property
    def at_the_end(self) -> bool:
        """Whether the whole replay succeeded, and only its result breaks the rules."""
        return self.side is None and self.entry is None

    @property
    def digest(self) -> str:
        """A digest that changes whenever the replay stops elsewhere, or asks something else."""
        content = [
            self.register.pk, self.side and self.side.pk, self.step, self.entry and self.entry.pk, dict(self.slots),
            repr(self.question), self.out, repr(self.conflicts),
            [(violation.rule, violation.about) for violation in self.violations],
        ]  # fmt: skip
        return sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


class ConflictFound(Exception):
    """Raised when the replay cannot continue."""

    def __init__(self, halt: ReplayConflict) -> None:
        super().__init__(halt)
        self.halt = halt


class SideNow(Value):
    """The new values of a side's row. `kept` are answers of its running step that are no longer asked for."""

    side: Side
    answers: Sequence[Any]
    rival: str | None
    kept: Sequence[Mapping[str, Any]] = ()


class RegisterImpact(KeywordValue):
    """A Register that an amendment reaches: its state before and after, and the changes of its entries."""

    register: Register
    book: Rulebook
    before: RegisterState
    after: RegisterState
    changes: Sequence[EntryReplacement]


class Plan(KeywordValue):
    """The result of an amendment; with a `halt` it is incomplete and cannot be applied. `battles` have changed rows,
    each with its sides; `let_stand` are violations that the organizer accepted against the rules.
    """

    registers: Sequence[RegisterImpact]
    sides: Sequence[SideNow]
    battles: Sequence[Battle]
    armies: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    halt: ReplayConflict | None = None
    warnings: Sequence[tuple[Register, Violation]] = ()
    let_stand: Sequence[tuple[Register, Violation]] = ()

    @property
    def empty(self) -> bool:
        """Whether no Register changes."""
        return not any(reached.changes for reached in self.registers)

    @property
    def digest(self) -> str:
        """A digest that changes whenever the plan does, or the ledgers have changed since."""
        content = [list(self._changes()), [battle.stage for battle in self.battles]]
        return sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()

    def _changes(self) -> Iterator[Any]:
        for reached in self.registers:
            yield str(reached.register.pk), reached.register.position
            for change in reached.changes:
                effects = None if change.effects is None else [to_data(effect) for effect in change.effects]
                yield change.entry.pk, effects, list(change.answers)
        for now in self.sides:
            yield now.side.pk, now.side.turn, list(now.answers), now.rival
        for register, violation in self.let_stand:
            yield str(register.pk), violation.rule, violation.about


class Snapshot:
    """The data of the campaign of an amendment. `battles` were read already, with their campaign and both sides."""

    def __init__(self, amendment: Amendment, battles: Iterable[Battle] = ()) -> None:
        self.amendment = amendment
        self._battles = {battle.pk: battle for battle in battles}
        self._ledgers: dict[UUID, list[LedgerEntry]] = {}

    def battles(self, keys: Iterable[UUID]) -> list[Battle]:
        """Return the battles with these keys that exist, each with its campaign and both sides, blue first."""
        keys = list(keys)
        if missing := [key for key in keys if key not in self._battles]:
            sides = Side.objects.select_related("register__owner").order_by("colour")
            found = Battle.objects.filter(pk__in=missing).select_related("campaign")
            self._battles |= {battle.pk: battle for battle in found.prefetch_related(Prefetch("sides", sides))}
        return [self._battles[key] for key in keys if key in self._battles]

    def ledgers(self, registers: Collection[Register]) -> dict[UUID, list[LedgerEntry]]:
        """Return the whole ledgers of Registers by primary key, oldest entry first."""
        if missing := [register.pk for register in registers if register.pk not in self._ledgers]:
            self._ledgers |= {pk: [] for pk in missing}
            for entry in LedgerEntry.objects.filter(register__in=missing).order_by("register", "position"):
                self._ledgers[entry.register_id].append(entry)
        return {register.pk: self._ledgers[register.pk] for register in registers}

    def under_lock(self, battles: Iterable[Battle], session: LedgerSession) -> "Snapshot":
        """Return a snapshot with these battles, locked since, and the ledgers of their Registers. The answers kept by
        earlier amendments are not read again, because the campaign was locked before.
        """
        known = Snapshot(self.amendment, battles)
        known.kept = self.kept
        known._ledgers = {pk: session.entries(register) for pk, register in session.registers.items()}
        return known

    @cached_property
    def kept(self) -> list[Mapping[str, Any]]:
        """The answers given once and no longer asked for (`Amendment.kept`), the latest first."""
        applied = Amendment.objects.filter(
            battle__campaign=self.amendment.battle.campaign_id, state=Amendment.State.APPLIED
        )
        return [item for kept in applied.order_by("-closed_at").values_list("kept", flat=True) for item in kept]

    @property
    def secret(self) -> set[UUID]:
        """The battles that are over and have a secret seed, to be revealed once no question needs dice."""
        over = DiceSeed.objects.filter(
            battle__campaign=self.amendment.battle.campaign_id, battle__status__in=OVER, revealed_at=None
        )
        return set(over.values_list("battle", flat=True))


def read_snapshot_of(amendment_id: UUID) -> Snapshot | None:
    """Return the data from which the plan of an amendment is computed; None if there is no such amendment."""
    if (amendment := Amendment.objects.filter(pk=amendment_id).first()) is None:
        return None
    known = Snapshot(amendment)
    [amendment.battle] = known.battles([amendment.battle_id])
    return known
