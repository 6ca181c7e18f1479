"""Content of the sequence page for both sides of a battle, read-only; a poll takes one query (`version`)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from itertools import accumulate, islice
from typing import Any
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.pages import sequence_events
from campaign.battles.queries.page_versions import sides_polled
from campaign.battles.report_data import book_of
from campaign.battles.services import sequence
from registers.ledger import session
from registers.ledger.text import names_of
from registers.ledger.typed_dice import typed_in
from registers.models import EntryType, LedgerEntry
from rules.core.rulebook import Rulebook
from rules.core.translation import translated
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation
from rules.post_battle.agendas import shield
from rules.post_battle.dialogue import Await, Context, Question
from rules.post_battle.steps import LAST_STEP, step as step_of
from rules.register.effects import Effect, FieldTaken, Noted, SequenceEnded
from rules.register.state import RegisterState

#: Short names of steps whose printed name is too long for a line.
SHORT_NAMES = {
    1: gettext_lazy("Agendas"),
    2: gettext_lazy("Turning Point"),
    3: gettext_lazy("Supply Points"),
    4: gettext_lazy("Casualties"),
    5: gettext_lazy("Experience"),
    6: gettext_lazy("Commendations"),
    7: gettext_lazy("Aid Requests"),
    9: gettext_lazy("Reputation"),
    10: gettext_lazy("Story Arc"),
}
#: Entries with in-game gains; for earlier battles they are in a second entry of the first kind.
GAINED = (EntryType.BEGIN, EntryType.GAINS)
#: The most lines of recent events that are shown below the question; further ones are folded.
IN_SIGHT = 8


class StepProgress(Value):
    """One step of the progress bar: `state` is done, skipped, now or to-come."""

    number: int
    name: str
    state: str


class SequenceStep(StepProgress):
    """A step with its events; `note` is a line under its name, `checks` its Casualty Checks if they are recent."""

    note: str = ""
    groups: list[sequence_events.Group] = field(default_factory=list)
    checks: list[sequence_events.Check] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing happened in it."""
        return bool(self.note) and not self.groups


class Page(KeywordValue):
    """All content of one side's page.

    `gains` are the in-game gains, before step 1; `lately` are the steps (or the part of one) since the player's last
    answer; `held_up` says what the side waits for. `undo_sizes` is the number of answers each possible undo covers,
    and `why_not` the reasons why none, or no larger one, is possible.
    """

    battle: Battle
    side: Side
    other: Side
    book: Rulebook
    state: RegisterState
    standing: sequence.RunningStep | None
    gains: list[sequence_events.Group]
    steps: list[SequenceStep]
    lately: list[SequenceStep]
    sum: sequence_events.Sum | None
    undo_sizes: dict[sequence.UndoScope, int]
    why_not: list[Violation]

    @property
    def question(self) -> Question | None:
        """The question that the player is asked now; None while the side waits or when it is done."""
        asked = self.standing.question if self.standing else None
        return None if isinstance(asked, Await) else asked

    @property
    def held_up(self) -> str:
        """A sentence saying what the side waits for."""
        asked = self.standing.question if self.standing else None
        return asked.text if isinstance(asked, Await) else ""

    @property
    def names(self) -> dict[str, str]:
        """The names of the units, by key."""
        return names_of(self.book, self.state)

    @property
    def now(self) -> SequenceStep | None:
        """The running step."""
        return next((step for step in self.steps if step.state == "now"), None)


def page_of(view: sequence.SequenceSide) -> Page:
    """Return the page of a side for users who act for it."""
    side, at = view.side, view.running
    book, state = (at.book, at.progress.state) if at else (book_of(side), view.state)
    story = _story(book, state, side, view.entries, at.progress.effects if at else ())
    undo_sizes, why_not = _undo_sizes(side, view.other, view.entries)
    return Page(
        battle=view.battle,
        side=side,
        other=view.other,
        book=book,
        state=state,
        standing=at,
        gains=story.groups(story.gains),
        steps=story.steps(),
        lately=story.lately(_shielded(at, book, state)),
        sum=sequence_events.summed_up(book, state, story.everything) if side.done else None,
        undo_sizes=undo_sizes,
        why_not=why_not,
    )


def step_progress(steps: Iterable[SequenceStep]) -> list[StepProgress]:
    """Return the progress bar of these steps, which is the same for all pages of a step."""
    return [StepProgress(step.number, step.name, step.state) for step in steps]


def shortened(lately: Iterable[SequenceStep]) -> tuple[list[SequenceStep], list[SequenceStep]]:
    """Return the recent events in two parts: those shown at once, with all promotions and checks, and the rest."""
    shown, rest, lines = list[SequenceStep](), list[SequenceStep](), 0
    for step in lately:
        if step.checks:
            shown.append(step)
            continue
        ends = list(accumulate((group.height for group in step.groups), initial=lines))[1:] or [lines + 1]
        fit = max(sum(end <= IN_SIGHT for end in ends), sum(group.promoted for group in step.groups), not shown)
        if fit:
            shown.append(replace(step, groups=step.groups[:fit]))
        if fit < len(ends):
            rest.append(replace(step, groups=step.groups[fit:]))
        lines = ends[-1]
    return shown, rest


def _undo_sizes(
    side: Side, other: Side, entries: Sequence[LedgerEntry]
) -> tuple[dict[sequence.UndoScope, int], list[Violation]]:
    """Return how many answers each possible undo covers, in ascending order, and why larger ones are not possible."""
    sizes: dict[sequence.UndoScope, int] = {}
    steps = sequence.steps_among(side, entries)
    if not (own := sequence.own_answers(side, steps)):
        return sizes, []
    built_upon = sequence.why_not_after_the_end(side, entries)
    for what in sequence.UndoScope:
        answers = len(own) - own.index(sequence.from_where(side, steps, what))
        if answers in sizes.values():
            continue
        if violations := list(sequence.why_not_undo(side, other, steps, built_upon, what)):
            return sizes, violations
        sizes[what] = answers
    return sizes, []


def results_of(view: sequence.SequenceSide) -> dict[str, Any]:
    """Return the content of a side's page for users who do not act for it."""
    side, book, state = view.side, book_of(view.side), view.state
    story = _story(book, state, side, view.entries, ())
    return {
        "gains": story.groups(story.gains),
        "steps": story.steps(),
        "sum": sequence_events.summed_up(book, state, story.everything) if side.done else None,
    }


def finished_checks(view: sequence.SequenceSide) -> list[sequence_events.Check]:
    """Return the Casualty Checks of a side that has finished step 4, for others to watch; none before."""
    story = _story(book_of(view.side), view.state, view.side, view.entries, ())
    of_step = (
        part for entry, part in zip(story.entries, story.finished, strict=True) if entry.step == sequence.CASUALTY_STEP
    )
    shielded = _shielded(view.running, story.book, story.state)
    return sequence_events.checks_of(story.book, story.state, story.names, next(of_step, []), shielded)


def _shielded(at: sequence.RunningStep | None, book: Rulebook, state: RegisterState) -> Collection[str]:
    return shield(Context(book, state), at.report).units if at else ()


class _Story(Value):
    book: Rulebook
    state: RegisterState
    names: Mapping[str, str]
    side: Side
    entries: list[LedgerEntry]
    gains: list[sequence_events.HistoryItem]
    finished: list[list[sequence_events.HistoryItem]]
    running: list[sequence_events.HistoryItem]

    @property
    def everything(self) -> list[sequence_events.HistoryItem]:
        return [*self.gains, *(happening for part in self.finished for happening in part)]

    def steps(self) -> list[SequenceStep]:
        return [self._step(number) for number in range(1, LAST_STEP + 1)]

    def _step(self, number: int) -> SequenceStep:
        name = step_of(number).name
        if number == self.side.step:
            return SequenceStep(number, name, "now")
        place = next((i for i, entry in enumerate(self.entries) if entry.step == number), None)
        if place is None:
            return SequenceStep(number, name, "to-come")
        if skipped := _only_noted(self.finished[place]):
            return SequenceStep(number, name, "skipped", skipped)
        by_hand = any(item["source"] == sequence.TABLE for item in self.entries[place].answers)
        changes = self.groups(self.finished[place])
        note = gettext("dice rolled at the table") if by_hand else "" if changes else gettext("nothing changed")
        return SequenceStep(number, name, "done", note, changes)

    def lately(self, shielded: Collection[str] = ()) -> list[SequenceStep]:
        """Return the events since the player's last answer: the end of its step, and the steps that passed since.
        Promotions come first. `shielded` as for `checks_of`.
        """
        found = []
        parts = [] if self.side.done else [(self.side.step, self.side.answers, self.running)]
        for entry, happened in zip(reversed(self.entries), reversed(self.finished), strict=True):
            parts.append((entry.step or 0, entry.answers, happened))
        for number, answers, happened in parts:
            at = max((item["at"] for item in answers if "at" in item and sequence.FOLLOWS not in item), default=None)
            recent = happened[at or 0 :]
            note = _only_noted(recent)
            changes = [] if note else sorted(self.groups(recent), key=lambda group: not group.promoted)
            checks = list[sequence_events.Check]()
            if number == sequence.CASUALTY_STEP:
                checks = sequence_events.checks_of(self.book, self.state, self.names, recent, shielded)
            if note or changes:
                found.append(SequenceStep(number, step_of(number).name, "done", note, changes, checks))
            if at is not None:
                break
        return found[::-1]

    def groups(self, happened: Iterable[sequence_events.HistoryItem]) -> list[sequence_events.Group]:
        shown = (one for one in happened if not isinstance(one.effect, SequenceEnded | FieldTaken))
        return sequence_events.groups(self.book, self.state, self.names, shown)


def _story(
    book: Rulebook, state: RegisterState, side: Side, entries: Sequence[LedgerEntry], running: Sequence[Effect]
) -> _Story:
    # Later entries are included when numbers are computed backward, because they changed the same numbers.
    parts = [session.effects_of_entry(entry) for entry in entries]
    happened = iter(sequence_events.history_of(state, [*(effect for part in parts for effect in part), *running]))
    marked = [_marked(islice(happened, len(part)), e.answers) for e, part in zip(entries, parts, strict=True)]
    own = [(e, part) for e, part in zip(entries, marked, strict=True) if e.battle == str(side.battle_id)]
    return _Story(
        book=book,
        state=state,
        names=names_of(book, state),
        side=side,
        entries=[entry for entry, _ in own if entry.act == EntryType.STEP],
        gains=[happening for entry, part in own if entry.act in GAINED for happening in part],
        finished=[part for entry, part in own if entry.act == EntryType.STEP],
        running=_marked(happened, side.answers),
    )


def _marked(
    happened: Iterable[sequence_events.HistoryItem], answers: Sequence[Mapping[str, Any]]
) -> list[sequence_events.HistoryItem]:
    happened = list(happened)
    by_hand = [place for place, item in enumerate(answers) if item.get("source") == sequence.TABLE]
    typed = typed_in(answers, by_hand, [one.effect for one in happened])
    return [replace(one, by_hand=place in typed) for place, one in enumerate(happened)]


def _only_noted(happened: Iterable[sequence_events.HistoryItem]) -> str:
    effects = [happening.effect for happening in happened if not isinstance(happening.effect, SequenceEnded)]
    if effects and all(isinstance(effect, Noted) for effect in effects):
        # A mark shows already that the step was skipped.
        why = {"skipped: conceded": gettext("conceded")}
        return "; ".join(why.get(effect.why) or translated(effect.why) for effect in effects)
    return ""


def waits_for(side: Side, other: Side) -> str:
    """Return a few words on what `other` waits for `side` to do; empty if it does not wait (R39)."""
    if other.step != sequence.RIVAL_STEP or other.is_guest or side.done:
        return ""
    if side.step < sequence.RIVAL_STEP and other.rival is None:
        return gettext("waiting for checks")
    return gettext("waiting for a rival") if other.rival is not None and side.rival is None else ""


def words_for_other(side: Side, other: Side) -> str:
    """Return the status line about the other side, which the player of `side` always sees."""
    return waits_for(side, other) or where_is(other)


def where_is(side: Side) -> str:
    """Return a few words on where a side is in its sequence."""
    if side.is_guest:
        return gettext("plays as a guest")
    if side.done:
        return gettext("all ten steps resolved")
    name = SHORT_NAMES.get(side.step, step_of(side.step).name)
    return gettext("step %(number)s, %(name)s") % {"number": side.step, "name": name}


def version(user: User, battle_id: UUID) -> str:
    """Return a token that changes with turns, steps and status: one query; empty if the user may not see the battle."""
    rows = sides_polled(user, battle_id).values_list("battle__status", "turn", "step")
    return "-".join(f"{status}.{turn}.{step}" for status, turn, step in rows)


def version_of(battle: Battle, *sides: Side) -> str:
    """Return the `version` token of rows that are already loaded."""
    ordered = sorted(sides, key=lambda side: side.colour)
    return "-".join(f"{battle.status}.{side.turn}.{side.step}" for side in ordered)


def moment(side: Side) -> str:
    """Return a token that changes whenever the side's own question does: its turn, step, and all stored answers."""
    return f"{side.turn}.{side.step}.{len(side.answers)}"
