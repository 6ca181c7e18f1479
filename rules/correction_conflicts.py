"""Apply a correction by hand to a Register that would be another one by then.

A correction says "XP from 10 to 14". Where XP would be 11, somebody has to decide what was meant: XP of 14, 4 XP more,
or neither. Values that would be the same as then are corrected as they were.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .corrections import Wish, corrected
from .effects import Corrected, Effect
from .force import Force, evolve, value_of
from .language import gettext_noop
from .refusal import Problem
from .rulebook import Rulebook

KEEP, DIFFERENCE, LEAVE_OUT = "keep", "difference", "leave_out"

#: What the ledger says of a value for which somebody has decided.
_WHY = {
    KEEP: gettext_noop("value kept after an amendment"),
    DIFFERENCE: gettext_noop("difference kept after an amendment"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A value that a correction changed from `old` to `new`, and that would be `now` instead of `old`.

    `unit` and `agenda` as in `Corrected`; `field` is empty for a unit that would not be on the Register at all.
    `by_difference` is the value with the same change as then (+4 XP, two more Setbacks). `ways` are the choices that
    are possible, out of KEEP, DIFFERENCE and LEAVE_OUT.
    """

    field: str
    unit: str = ""
    agenda: str = ""
    old: Any = None
    new: Any = None
    now: Any = None
    by_difference: Any = None
    ways: tuple[str, ...] = (LEAVE_OUT,)

    @property
    def about(self) -> str:
        """The value as `Wish.about` names it: "supply_points", "3.experience", "agenda.keep-them-in-line"."""
        return Wish(self.field, None, unit=self.unit, agenda=self.agenda).about

    def result(self, way: str) -> Any:
        """The value that a choice leads to."""
        return {KEEP: self.new, DIFFERENCE: self.by_difference, LEAVE_OUT: self.now}[way]


@dataclass(frozen=True, slots=True)
class Choice:
    """What was decided for a conflict (KEEP, DIFFERENCE or LEAVE_OUT) when its value would have been `now`."""

    way: str
    now: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reapplied:
    """A correction on the changed Register: its effects, the Register after them, and what is still to be decided.

    `left_out` are the conflicts whose values are not corrected any more. `problems` say why the Register cannot become
    what was chosen.
    """

    effects: tuple[Effect, ...]
    after: Force
    conflicts: tuple[Conflict, ...] = ()
    left_out: tuple[Conflict, ...] = ()
    problems: tuple[Problem, ...] = ()


def reapply(
    book: Rulebook, force: Force, effects: Iterable[Effect], choices: Mapping[str, Choice]
) -> Reapplied:
    """Apply the effects of a correction to another Register than the one it was made for.

    `choices` are by `Conflict.about`. A choice counts only for the value that it was made for; without one, a conflict
    is returned in `conflicts`, and its value stays as it would be.
    """
    run = _Run(book, force, choices)
    for effect in effects:
        run.take(effect)
    before = corrected(book, force, ()).impossible
    return Reapplied(
        effects=tuple(run.effects),
        after=run.force,
        conflicts=tuple(run.conflicts),
        left_out=tuple(run.left_out),
        problems=tuple(each for each in corrected(book, run.force, ()).impossible if each not in before),
    )


def plain(value: Any) -> Any:
    """A value as JSON keeps it."""
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


class _Run:
    def __init__(self, book: Rulebook, force: Force, choices: Mapping[str, Choice]) -> None:
        self.book, self.force, self.choices = book, force, choices
        self.effects: list[Effect] = []
        self.conflicts: list[Conflict] = []
        self.left_out: list[Conflict] = []
        self.missing: set[str] = set()
        self.arc_left_out = ""

    def take(self, effect: Effect) -> None:
        if not isinstance(effect, Corrected):
            self._add(effect)
        elif effect.unit in self.missing or self._was_reset(effect):
            return
        elif effect.unit and effect.old is not None and self._is_missing(effect.unit):
            self.missing.add(effect.unit)
            self._decide(effect, Conflict(field="", unit=effect.unit))
        elif effect.field == "by_commendation":
            self._follow(effect.unit)
        elif (now := self._value(effect)) == effect.old:
            self._add(effect)
            if effect.field in ("upgrades", "commendations", "card"):
                self._follow(effect.unit)
        elif effect.new != now or _is_sum(effect):
            self._decide(effect, self._conflict(effect, now))

    def _add(self, effect: Effect) -> None:
        self.effects.append(effect)
        self.force = evolve(self.force, effect)

    def _value(self, effect: Corrected) -> Any:
        return value_of(self.force, effect.field, unit=effect.unit, agenda=effect.agenda)

    def _is_missing(self, unit: str) -> bool:
        return value_of(self.force, "dossier", unit=unit) is None

    def _was_reset(self, effect: Corrected) -> bool:
        """Whether an Agenda lost its progress because the Story Arc became another one, which is left out (R49)."""
        if not (self.arc_left_out and effect.agenda and not effect.new):
            return False
        agenda = self.book.agendas.get(effect.agenda)
        return agenda is None or agenda.story_arc != self.arc_left_out

    def _conflict(self, effect: Corrected, now: Any) -> Conflict:
        by_difference = _changed_alike(effect, now)
        ways = [way for way, value in ((KEEP, effect.new), (DIFFERENCE, by_difference))
                if (way == KEEP or by_difference is not None) and self._is_possible(effect, value)]  # fmt: skip
        if by_difference == effect.new and DIFFERENCE in ways:
            ways.remove(DIFFERENCE)
        if now != effect.new or not ways:
            ways.append(LEAVE_OUT)
        return Conflict(
            field=effect.field, unit=effect.unit, agenda=effect.agenda, old=effect.old, new=effect.new, now=now,
            by_difference=by_difference if DIFFERENCE in ways else None, ways=tuple(ways),
        )  # fmt: skip

    def _decide(self, effect: Corrected, conflict: Conflict) -> None:
        choice = self.choices.get(conflict.about)
        if choice is None or choice.way not in conflict.ways or plain(choice.now) != plain(conflict.now):
            self.conflicts.append(conflict)
        elif choice.way == LEAVE_OUT:
            self.left_out.append(conflict)
            if effect.field == "story_arc":
                self.arc_left_out = effect.new
        else:
            self._correct(effect, conflict, choice.way)

    def _correct(self, effect: Corrected, conflict: Conflict, way: str) -> None:
        """Let a value become what was chosen, and what depends on it follow."""
        found = corrected(
            self.book, self.force, [_wish(effect, conflict.result(way))], complete=False
        ).effects
        same = replace(effect, old=conflict.now, new=conflict.now)
        first, *others = found or (same,)
        for each in (replace(first, why=_WHY[way]), *others):
            self._add(each)

    def _follow(self, unit: str) -> None:
        """Find anew which upgrades of a unit are in slots that Commendations gave (R8)."""
        upgrades = value_of(self.force, "upgrades", unit=unit)
        for effect in corrected(
            self.book, self.force, [Wish("upgrades", upgrades, unit=unit)], complete=False
        ).effects:
            self._add(effect)

    def _is_possible(self, effect: Corrected, value: Any) -> bool:
        if effect.field == "dossier" and value is not None:
            return False  # the key is taken by another unit
        return not corrected(self.book, self.force, [_wish(effect, value)], complete=False).impossible


def _wish(effect: Corrected, value: Any) -> Wish:
    if effect.field == "trait" and value:
        value = value[:2]
    return Wish(effect.field, value, unit=effect.unit, agenda=effect.agenda)


def _is_sum(effect: Corrected) -> bool:
    """Whether a value is a number, or cards of which some come and some go."""
    return effect.field != "trait" and isinstance(effect.new, int | tuple | list)


def _changed_alike(effect: Corrected, now: Any) -> Any:
    """`now` with the change from the old to the new value of a correction; None where that is none."""
    if not _is_sum(effect):
        return None
    if isinstance(effect.new, int):
        return int(now + effect.new - effect.old)
    return _with_cards(now, effect.old, effect.new)


def _with_cards(now: Sequence[str], old: Sequence[str], new: Sequence[str]) -> tuple[str, ...] | None:
    """`now` without the cards that went from `old` to `new`, and with those that came; None if one of those that went
    is not there."""
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if gone - Counter(now):
        return None
    left = list(now)
    for card in gone.elements():
        left.remove(card)
    return (*left, *come.elements())
