"""One Register on its way through its ledger: as it was, and beside it as it would be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from campaign.models import Battle, Side
from registers.corrected import LABELS
from registers.models import Act, Entry, Register
from registers.services import ledger
from rules.awards import Gift, award
from rules.building import next_story_arc
from rules.corrections import Conflict, reapply
from rules.effects import Corrected, Effect, FieldTaken, Noted, StoryArcBegun
from rules.force import Force, fold
from rules.language import gettext, gettext_noop, kept
from rules.post_battle.sequence import edit, take_the_field
from rules.refusal import Problem, Refusal
from rules.rulebook import Rulebook
from rules.wording import unit_label

from .decisions import Wishes
from .plan import Change, Halt, Halted

_LEFT_OUT = gettext_noop("{value}: correction left out by an amendment")

#: What cannot be added up any more: a unit or a card that is not there, a number below what it can be.
BROKEN = (KeyError, ValueError)


class Stream:
    """The acts of a Register that count, walked in the order of the game.

    `entries` are its whole ledger, `old` is the Register as that has it by now, `new` as it would be. `fresh_key` is a
    number that no unit has.
    """

    def __init__(self, register: Register, entries: Iterable[Entry], wishes: Wishes) -> None:
        self.register, self.wishes = register, wishes
        self.entries = ledger.that_count(entries)
        self.at = 0
        self.old = self.new = Force()
        self.fresh_key = register.next_key
        self.changes: list[Change] = []

    @property
    def book(self) -> Rulebook:
        """The cards as the Register plays them outside battles."""
        return ledger.book_for(self.register)

    @property
    def dirty(self) -> bool:
        """Whether the Register is another one than it was at this point."""
        return self.old != self.new

    @property
    def next(self) -> Entry | None:
        """The act that comes next."""
        return self.entries[self.at] if self.at < len(self.entries) else None

    def battles_to_come(self) -> set[str]:
        """The battles of the acts to come."""
        return {entry.battle for entry in self.entries[self.at :] if entry.battle}

    def walk_to(self, battle: str) -> None:
        """All acts before the first of a battle."""
        while (entry := self.next) and entry.battle != battle:
            self.act(entry)

    def walk_to_the_end(self) -> None:
        """All acts that are left."""
        while entry := self.next:
            self.act(entry)

    # --- One act -------------------------------------------------------------------------------------------------

    def act(self, entry: Entry) -> None:
        """An act between battles: as it was, decided anew, or left out."""
        effects, answers = tuple(ledger.effects_of(entry)), entry.answers
        spot = str(self.register.pk), entry.place
        if spot in self.wishes.acts_left_out:
            self.become(entry, None)
            return
        if out := self.wishes.awards_left_out.get(spot):
            answers = [Gift.from_data(entry.answers[0]).without(out).as_data()]
        if self.dirty and entry.act == Act.CORRECT and not answers:
            self.become(entry, self._corrected(entry, effects))
            return
        if self.dirty:
            effects = self._decided(entry, answers, effects)
        self.become(entry, effects, answers)

    def become(
        self,
        entry: Entry,
        effects: tuple[Effect, ...] | None,
        answers: Sequence[Any] = (),
        kept: Sequence[dict[str, Any]] = (),
    ) -> None:
        """Go on past an entry in whose place this stands from now on. Halts where it cannot be added up."""
        was = tuple(ledger.effects_of(entry))
        self.old = fold(was, self.old)
        try:
            self.new = ledger.added(effects or (), self.new)
        except ledger.BelowZero:
            raise Halted(self._halt(entry, [_below()])) from None
        except BROKEN:
            raise Halted(self._halt(entry, [_not_there()])) from None
        if effects != was or list(answers) != entry.answers:
            self.changes.append(Change(entry, effects, answers, kept))
        self.fresh_key = max(self.fresh_key, self.new.next_key)
        self.at += 1

    def starting(self) -> Force:
        """The Register as the next act finds it: units that join in it get the keys they had."""
        return replace(self.new, next_key=self.old.next_key)

    def _corrected(self, entry: Entry, effects: tuple[Effect, ...]) -> tuple[Effect, ...] | None:
        """A correction by hand on the Register as it would be; None where nothing of it is left."""
        choices = self.wishes.choices.get((str(self.register.pk), entry.place), {})
        found = reapply(self.book, self.new, effects, choices)
        if found.conflicts:
            raise Halted(replace(self._halt(entry, ()), conflicts=found.conflicts))
        if found.problems:
            raise Halted(self._halt(entry, found.problems))
        if found.left_out and not any(isinstance(effect, Corrected) for effect in found.effects):
            return None
        return (*found.effects, *map(self._left_out, found.left_out))

    def _left_out(self, conflict: Conflict) -> Noted:
        """What the ledger says of a value that is not corrected any more."""
        if not conflict.field:
            unit, value = "", unit_label(self.book, self.old, conflict.unit)
        else:
            unit, value = conflict.unit, LABELS["progress" if conflict.agenda else conflict.field]
        return Noted(unit=unit, rule="", why=kept(_LEFT_OUT, value=value))

    def _decided(
        self, entry: Entry, answers: Sequence[Any], effects: tuple[Effect, ...]
    ) -> tuple[Effect, ...]:
        """An act decided anew. What was refused before as well, say by a newer catalogue, is no hindrance."""
        try:
            return self._decide(entry, answers, effects, self.starting())
        except Refusal as refusal:
            try:
                self._decide(entry, entry.answers, effects, self.old)
            except (Refusal, *BROKEN):
                return effects
            halt = self._halt(entry, refusal.problems)
            raise Halted(replace(halt, out=_only_wrong(entry, answers, refusal.problems))) from None
        except BROKEN:
            raise Halted(self._halt(entry, [_not_there()])) from None

    def _decide(
        self, entry: Entry, answers: Sequence[Any], effects: tuple[Effect, ...], force: Force
    ) -> tuple[Effect, ...]:
        match entry.act:
            case Act.EDIT if answers:
                return tuple(edit(self.book, force, answers[0]))
            case Act.CORRECT if answers:
                return tuple(award(self.book, force, Gift.from_data(answers[0])))
            case Act.ARC if force.commissioned:
                [begun] = (effect for effect in effects if isinstance(effect, StoryArcBegun))
                return tuple(next_story_arc(self.book, force, begun.story_arc))
            case Act.BEGIN:
                gains = (effect for effect in effects if not isinstance(effect, FieldTaken))
                return (*take_the_field(force, entry.battle), *gains)
        return effects

    def _halt(self, entry: Entry, problems: Iterable[Problem]) -> Halt:
        return Halt(self.register, tuple(problems), self.book, self.new, entry=entry)


def halted_in(
    stream: Stream, battle: Battle, side: Side, problems: Iterable[Problem], entry: Entry | None, **more: Any
) -> Halted:
    """The walk stops in a battle, at a side."""
    book = ledger.book_for(stream.register, battle.terms)
    halt = Halt(stream.register, tuple(problems), book, stream.new, battle=battle, side=side, entry=entry)
    return Halted(replace(halt, **more))


def _only_wrong(entry: Entry, answers: Sequence[Any], problems: Sequence[Problem]) -> tuple[str, ...]:
    """The units of an award that are all that is wrong with it, if anything of it is left without them."""
    if entry.act != Act.CORRECT or not answers:
        return ()
    gift = Gift.from_data(answers[0])
    wrong = tuple(problem.about for problem in problems if problem.about in (gift.units or ()))
    left = gift.without(wrong)
    return wrong if len(wrong) == len(problems) and (left.units or left.supply_points) else ()


def _not_there() -> Problem:
    return Problem("", gettext("It speaks of a unit or a card that would not be there."))


def _below() -> Problem:
    return Problem("", gettext("It spends more than there would be."))
