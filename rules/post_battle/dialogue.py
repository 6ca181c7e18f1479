"""The dialogue with a player: a script is a generator that yields effects (what happens) and questions.

Answers are plain JSON values: an unfinished step is stored as its answers and resumed by running them again.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules.core.dice import DICE
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, ngettext
from rules.core.values import KeywordValue, Value
from rules.core.violations import RuleViolation, not_offered, refuse
from rules.register.effects import DiceRolled, Effect
from rules.register.labels import unit_hint, unit_label
from rules.register.state import RegisterState, apply

T = TypeVar("T")


class Question(KeywordValue):
    """A question under the ruling `rule`: `text` for the player, `about` the unit it concerns."""

    rule: str
    text: str
    about: str = ""

    def check(self, answer: Any) -> Any:
        """Return the answer as the script needs it. Refuses one that the question does not allow."""
        raise NotImplementedError

    @property
    def forced(self) -> tuple[Any] | None:
        """The only possible answer, in a tuple, or None if there is a choice (or a die to roll)."""
        return None


class Pool(Value):
    """Dice rolled together: a key for the answer, whose they are, what for, and the `rule` if not the question's."""

    key: str
    die: str
    count: int
    text: str = ""
    note: str = ""
    rule: str = ""


class Roll(Question):
    """Dice to be rolled at once, in one or more pools. Answer: a list of faces for each pool's key."""

    pools: tuple[Pool, ...]

    def check(self, answer: Any) -> dict[str, tuple[str, ...]]:
        """Return faces by pool. Refuses missing pools, wrong numbers of dice and faces that the die does not have."""
        if not isinstance(answer, Mapping) or set(answer) != {pool.key for pool in self.pools}:
            raise refuse(self.rule, gettext("Roll all of these dice, and no others."))
        return {pool.key: self._faces(pool, answer[pool.key]) for pool in self.pools}

    def _faces(self, pool: Pool, faces: Any) -> tuple[str, ...]:
        rule = pool.rule or self.rule
        if not isinstance(faces, list | tuple) or len(faces) != pool.count:
            raise refuse(rule, ngettext("Enter {number} die.", "Enter {number} dice.", pool.count), pool.key)
        for face in faces:
            if not isinstance(face, str) or face not in DICE[pool.die]:
                raise refuse(rule, gettext("This die has no face {face!r}.", face=face), pool.key)
        return tuple(faces)


class Option(Value):
    """One thing to choose: its value in the answer, its name, and a hint of what it does."""

    value: str
    label: str
    hint: str = ""


class Choose(Question):
    """A choice of one option. Answer: its value, or None to decline, if `decline` has a name for that. `kind` says what
    is chosen ("unit", "option", "setback", "upgrade", "rival", "story_arc"). A record of a battle may lack an answer
    that `may_lack` (None), but no player is offered to decline it.
    """

    kind: str
    options: tuple[Option, ...]
    decline: str = ""
    may_lack: bool = False

    def check(self, answer: Any) -> str | None:
        """Return the chosen value, or None. Refuses anything that is not offered."""
        if answer is None and (self.decline or self.may_lack):
            return None
        if answer not in [option.value for option in self.options]:
            raise RuleViolation([not_offered(self.rule, [option.label for option in self.options], self.about)])
        return str(answer)

    @property
    def forced(self) -> tuple[Any] | None:
        """The one option of a compulsory choice."""
        if len(self.options) == 1 and not self.decline:
            return (self.options[0].value,)
        return None


class ChooseSeveral(Question):
    """A choice of `count` values from a bag (value to number). `kind`: "ranks" (drawn at random) or "setbacks"."""

    kind: str
    bag: Mapping[str, int]
    labels: Mapping[str, str]
    count: int

    def check(self, answer: Any) -> tuple[str, ...]:
        """Return the values taken. Refuses a wrong number and values that are not in the bag."""
        if not isinstance(answer, list | tuple) or len(answer) != self.count:
            raise refuse(self.rule, gettext("Choose exactly {count}.", count=self.count), self.about)
        taken = tuple(str(value) for value in answer)
        if not Counter(taken) <= Counter(self.bag):
            raise refuse(self.rule, gettext("Some of these cannot be chosen. Choose from the list."), self.about)
        return taken

    @property
    def forced(self) -> tuple[Any] | None:
        """All of it, or the required number of the only kind there is."""
        if sum(self.bag.values()) == self.count or len(self.bag) == 1:
            everything = [value for value, times in self.bag.items() for _ in range(times)]
            return (everything[: self.count],)
        return None


class Confirm(Question):
    """A question for yes or no. Answer: true or false. A player who answers from a list tells them apart by `kind`."""

    kind: str

    def check(self, answer: Any) -> bool:
        """Return the answer. Refuses anything but true and false."""
        if type(answer) is not bool:
            raise refuse(self.rule, gettext("Answer with yes or no."), self.about)
        return answer


class Await(Question):
    """Something the *other* side must do first; never answered by the player. `what` is "survivors" (units of the
    opponent that may be named) or "rival" (the unit that the opponent named).
    """

    what: str

    def check(self, answer: Any) -> Any:
        """Return the answer unchanged: a list of [unit, name] pairs, or a unit's key or None."""
        return answer


Event = Effect | Question
Dialogue = Generator[Event, Any, T]


@dataclass(slots=True)
class Context:
    """The context of a script: the cards, the Register as it is at this moment, and the effects so far."""

    book: Rulebook
    state: RegisterState
    effects: list[Effect] = field(default_factory=list)

    def happen(self, effects: Iterable[Effect]) -> None:
        """Apply effects to the Register."""
        for effect in effects:
            self.state = apply(self.state, effect)
            self.effects.append(effect)


class Progress(Value):
    """The progress of a script: its effects so far, the answers it has taken, and its question, if it has one."""

    effects: tuple[Effect, ...]
    state: RegisterState
    answers: tuple[Any, ...]
    question: Question | None

    @property
    def done(self) -> bool:
        """True when the script has run to its end."""
        return self.question is None


class UnusedAnswers(ValueError):
    """More answers than the script asked for: they belong to something else."""


ReplyTo = Callable[[Progress], tuple[Any] | None]


def no_reply(progress: Progress) -> None:
    """Leave a question open."""


def run(
    context: Context,
    script: Dialogue[Any],
    answers: Iterable[Any] = (),
    *,
    ask_all: bool = False,
    reply_to: ReplyTo = no_reply,
) -> Progress:
    """Drive `script` with `answers` as far as they go.

    A question that has only one possible answer is answered automatically, and that answer is recorded with the others;
    `ask_all` asks it all the same (a recorded campaign answers every question). `reply_to` is called with each question
    that is left, and returns its answer in a tuple, or None to stop there. Refuses an answer that its question or the
    script does not allow. Raises UnusedAnswers.
    """
    waiting, taken = list(answers), list[Any]()
    question = advance(context, script)
    while question is not None:
        if waiting:
            answer = waiting.pop(0)
        elif not ask_all and question.forced:
            (answer,) = question.forced
        else:
            progress = Progress(tuple(context.effects), context.state, tuple(taken), question)
            if (given := reply_to(progress)) is None:
                return progress
            (answer,) = given
        reply = question.check(answer)
        taken.append(answer)
        question = advance(context, script, reply)
    if waiting:
        raise UnusedAnswers(f"{len(waiting)} answers left over")
    return Progress(tuple(context.effects), context.state, tuple(taken), None)


def advance(context: Context, script: Dialogue[Any], reply: Any = None) -> Question | None:
    """Run a script to its next question, or to its end (None), and apply its effects in the context."""
    while True:
        try:
            event = script.send(reply)
        except StopIteration:
            return None
        if not isinstance(event, Effect):
            return event
        reply = None
        context.happen([event])


def roll(pool: Pool, *, rule: str, text: str, why: str, unit: str = "") -> Generator[Event, Any, tuple[str, ...]]:
    """Roll the dice of one pool (of a unit, if any), and record the faces."""
    fallen = yield Roll(rule=rule, text=text, about=unit, pools=(pool,))
    faces: tuple[str, ...] = fallen[pool.key]
    yield DiceRolled(unit=unit, die=pool.die, faces=faces, rule=rule, why=why)
    return faces


def unit_option(book: Rulebook, state: RegisterState, key: str) -> Option:
    """Return a unit of the Register as an option to choose."""
    return Option(key, unit_label(book, state, key), unit_hint(book, state.dossiers[key]))
