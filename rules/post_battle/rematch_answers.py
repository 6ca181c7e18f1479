"""Fit given answers to a script that runs again, on another Register or after another report.

A question that asks for several things at once (dice by pool; rerolls, added dice and Commendations by unit) is taken
apart, so that the dice of one unit stay though another no longer makes a check. Former answers wait in lines, by a word
for the thing that was asked; the new run takes them in order. Dice are never rolled twice.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from rules.core.values import KeywordValue, Value
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.casualties import AddDice, Reroll
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Await, ChooseSeveral, Context, Dialogue, Question, Roll, advance
from rules.register.effects import Effect
from rules.register.state import RegisterState


class AnswerPart(KeywordValue):
    """The answer to one part of a question.

    `what` is the word for the part, in no language; `shape` what has to be equal for the answer to hold, such as how
    many dice. `whole` is the answer it was one of `parts` of, and `place` that answer's place (None for one given
    since). `forced`: it was the only possible answer. `next_key` is the key that a unit joining by this answer would
    have got (0: a new one). `origin` is the caller's own.
    """

    what: str
    shape: str
    answer: Any
    whole: Any = None
    parts: int = 1
    place: int | None = None
    forced: bool = False
    next_key: int = 0
    origin: Any = None


class Gap(Enum):
    """A gap in the former answers: ask the question again, or leave it out as if it had never been asked."""

    ASK = "ask"
    SKIP = "skip"


Lines = Mapping[str, Sequence[AnswerPart | Gap]]


class Fitted(Value):
    """An answer of the new run, after so many effects, and its former parts: none, if no player gave it."""

    answer: Any
    at: int
    parts: tuple[AnswerPart, ...] = ()

    @property
    def unchanged(self) -> bool:
        """Whether it is a whole former answer, unchanged."""
        places = {part.place for part in self.parts}
        return len(places) == 1 and None not in places and len(self.parts) == self.parts[0].parts


class Misfit(Value):
    """A question that no former answer fits, narrowed down to its open parts, and what the rules say against it.
    `slots` give, for each word of an open part, the place in its line that an answer takes.
    """

    question: Question
    slots: Mapping[str, int]
    violations: tuple[Violation, ...] = ()


class Fit(Value):
    """How far the new run got: its end, a `misfit`, or what it `awaits` of the other side; `left` was not asked."""

    effects: tuple[Effect, ...]
    state: RegisterState
    answers: tuple[Fitted, ...]
    left: tuple[AnswerPart, ...] = ()
    misfit: Misfit | None = None
    awaits: Await | None = None

    @property
    def done(self) -> bool:
        """Whether the script has run to its end."""
        return self.misfit is None and self.awaits is None


def answer_parts(
    context: Context, script: Dialogue[Any], answers: Sequence[Any], origins: Sequence[Any] = ()
) -> list[AnswerPart]:
    """Return the parts of `answers` as far as a script still takes them. `origins` go with the answers."""
    found: list[AnswerPart] = []
    with suppress(RuleViolation):
        question = advance(context, script)
        for place, answer in enumerate(answers):
            if question is None:
                break
            if not isinstance(question, Await):
                origin = origins[place] if origins else None
                found += parts_of(question, answer, place=place, next_key=context.state.next_key, origin=origin)
            question = advance(context, script, question.check(answer))
    return found


def parts_of(
    question: Question, answer: Any, *, place: int | None = None, next_key: int = 0, origin: Any = None
) -> list[AnswerPart]:
    """Return the parts of an answer to a question; none for an answer of another shape."""
    form = _form(question)
    shapes = form.shapes(question)
    try:
        answers = {name: form.split(answer, name) for name in shapes}
    except (AttributeError, KeyError, TypeError):
        return []
    return [
        AnswerPart(
            what=_what(question, name),
            shape=shapes[name],
            answer=part,
            whole=answer,
            parts=len(answers),
            place=place,
            forced=question.forced is not None,
            next_key=next_key,
            origin=origin,
        )
        for name, part in answers.items()
    ]


def in_lines(parts: Iterable[AnswerPart]) -> dict[str, list[AnswerPart | Gap]]:
    """Return former answers in order, by the word for the part that was asked."""
    lines: dict[str, list[AnswerPart | Gap]] = {}
    for part in parts:
        lines.setdefault(part.what, []).append(part)
    return lines


def refit(
    context: Context,
    script: Dialogue[Any],
    lines: Lines,
    *,
    handed: Callable[[Await], tuple[Any] | None] = lambda question: None,
    fresh_key: int = 0,
) -> Fit:
    """Run a script with the answers in `lines`, as far as it goes.

    A question with one possible answer is answered automatically; `handed` returns what the other side hands over, if
    it has it. A unit that joins by a new answer gets a key from `fresh_key` on, so that the keys of others stay. Raises
    what the script raises if it cannot be played at all.
    """
    return _RematchRun(context, script, lines, handed, fresh_key).to_the_end()


@dataclass(slots=True)
class _RematchRun:
    """A run in progress: the next place in each line, the answers given, and the parts without a choice left."""

    context: Context
    script: Dialogue[Any]
    lines: Lines
    handed: Callable[[Await], tuple[Any] | None]
    fresh_key: int
    next_in: dict[str, int] = field(default_factory=dict)
    given: list[Fitted] = field(default_factory=list)
    dropped: list[AnswerPart] = field(default_factory=list)

    def to_the_end(self) -> Fit:
        question = advance(self.context, self.script)
        while question is not None:
            asked, before = question, (self.context.state, len(self.context.effects))
            if isinstance(question, Await):
                if (known := self.handed(question)) is None:
                    return self._stopped(before, awaits=question)
                fitted, slots = Fitted(known[0], before[1]), {}
            else:
                slots = {name: self._slot(_what(question, name)) for name in _form(question).shapes(question)}
                taken = self._take(question, slots)
                if isinstance(taken, Misfit):
                    return self._stopped(before, misfit=taken)
                fitted = taken
            try:
                reply = question.check(fitted.answer)
                self._set_key(fitted)
                question = advance(self.context, self.script, reply)
            except RuleViolation as refusal:
                wrong = {violation.about for violation in refusal.violations}.intersection(slots) or set(slots)
                return self._stopped(before, misfit=_misfit(asked, wrong, slots, refusal.violations))
            self.given.append(fitted)
        return self._stopped((self.context.state, len(self.context.effects)))

    def _slot(self, what: str) -> int:
        line, place = self.lines.get(what, ()), self.next_in.get(what, 0)
        while place < len(line) and line[place] is Gap.SKIP:
            place += 1
        self.next_in[what] = place + 1
        return place

    def _take(self, question: Question, slots: Mapping[str, int]) -> Fitted | Misfit:
        form, at = _form(question), len(self.context.effects)
        if question.forced:
            self.dropped += self._parts_at(question, slots)
            return Fitted(question.forced[0], at)
        found: dict[str, AnswerPart] = {}
        for name, shape in form.shapes(question).items():
            line, place = self.lines.get(_what(question, name), ()), slots[name]
            part = line[place] if place < len(line) else Gap.ASK
            if isinstance(part, AnswerPart) and part.shape == shape and not part.forced:
                found[name] = part
        if len(found) < len(slots):
            return _misfit(question, set(slots) - set(found), slots)
        fitted = Fitted(None, at, tuple(found.values()))
        if fitted.unchanged:
            return replace(fitted, answer=fitted.parts[0].whole)
        return replace(fitted, answer=form.join({name: part.answer for name, part in found.items()}))

    def _parts_at(self, question: Question, slots: Mapping[str, int]) -> Iterator[AnswerPart]:
        for name, place in slots.items():
            for part in self.lines.get(_what(question, name), ())[place : place + 1]:
                if isinstance(part, AnswerPart) and not part.forced:
                    yield part

    def _set_key(self, fitted: Fitted) -> None:
        if fitted.parts:
            key = fitted.parts[0].next_key or max(self.fresh_key, self.context.state.next_key)
            self.context.state = replace(self.context.state, next_key=key)

    def _stopped(
        self, now: tuple[RegisterState, int], *, misfit: Misfit | None = None, awaits: Await | None = None
    ) -> Fit:
        state, effects = now
        return Fit(tuple(self.context.effects[:effects]), state, tuple(self.given), tuple(self._left()), misfit, awaits)

    def _left(self) -> Iterator[AnswerPart]:
        yield from self.dropped
        for what, line in self.lines.items():
            for part in line[self.next_in.get(what, 0) :]:
                if isinstance(part, AnswerPart) and not part.forced:
                    yield part


def _misfit(
    question: Question, names: Collection[str], slots: Mapping[str, int], violations: Iterable[Violation] = ()
) -> Misfit:
    open_slots = {_what(question, name): place for name, place in slots.items() if name in names}
    return Misfit(_form(question).narrow(question, names), open_slots, tuple(violations))


class _Form(Value):
    """A way to take a kind of question apart by names: its parts, their shapes, an answer's parts, and back. `parts` is
    the field of the question that has them, `name` the field of each that names it.
    """

    parts: str
    name: str
    shape: Callable[[Any], str]
    split: Callable[[Any, str], Any]
    join: Callable[[dict[str, Any]], Any] = dict

    def shapes(self, question: Question) -> dict[str, str]:
        return {getattr(part, self.name): self.shape(part) for part in getattr(question, self.parts)}

    def narrow(self, question: Question, names: Collection[str]) -> Question:
        parts = getattr(question, self.parts)
        kept: dict[str, Any] = {self.parts: tuple(part for part in parts if getattr(part, self.name) in names)}
        return replace(question, **kept)


class _Whole(_Form):
    """A question that is not taken apart."""

    def shapes(self, question: Question) -> dict[str, str]:
        return {"": str(question.count) if isinstance(question, ChooseSeveral) else ""}

    def narrow(self, question: Question, names: Collection[str]) -> Question:
        return question


def _what(question: Question, name: str) -> str:
    """Return the word for a part of a question, without the rule: a combined roll can have that of any unit."""
    if _form(question) is _WHOLE:
        return ":".join((type(question).__name__, question.rule, question.about, getattr(question, "kind", "")))
    return ":".join((type(question).__name__, question.about, name))


def _form(question: Question) -> _Form:
    return _FORMS.get(type(question), _WHOLE)


_WHOLE = _Whole("", "", lambda part: "", split=lambda answer, name: answer, join=lambda parts: parts[""])
_FORMS: Mapping[type[Question], _Form] = {
    Roll: _Form("pools", "key", lambda pool: f"{pool.count} {pool.die}", lambda answer, key: answer[key]),
    AddDice: _Form(
        "units",
        "value",
        lambda unit: "",
        split=lambda answer, unit: unit in answer,
        join=lambda parts: [unit for unit, adds in parts.items() if adds],
    ),
    Reroll: _Form(
        "checks",
        "unit",
        lambda rolled: f"{' '.join(rolled.faces)}/{rolled.rerolls}",
        split=lambda answer, unit: answer.get(unit) or [],
        join=lambda parts: {unit: places for unit, places in parts.items() if places},
    ),
    # A unit that could be given nothing has not skipped the Commendations that are open to it now.
    Award: _Form("dues", "unit", lambda due: "open" if due.options else "", lambda answer, unit: answer[unit]),
}
