"""The Post-Battle Sequence of a battle: each Register resolves ten steps, one question at a time.

A side's unfinished step is stored as its answers and resumed from them. When its script ends, its effects become one
entry in the Register's ledger. The entry names the side's own player, or an organizer who answered any of its
questions for them, no matter whose answer ended the step; an entry without answers names nobody. The battle and its
Registers are locked before the turn is checked, because a correction locks the Register alone. Facts that one side
waits for (R39) are passed on as soon as the other side has them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.access import CampaignRole, campaign_role
from campaign.battles.access import fighters_of, may_act
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import book_of, report_of
from campaign.battles.services import fair_dice, notifications
from campaign.battles.services.locks import lock_battle, lock_battles
from campaign.battles.services.transition import check_may_act, transition
from campaign.battles.state_machine import BEGUN
from campaign.models import Subject
from campaign.models.activity import Action
from core.db.prepared import Prepared
from ops.monitoring import metrics
from registers.ledger import session as ledger_session
from registers.ledger.session import LedgerSession
from registers.models import EntryType, LedgerEntry
from registers.projection import state_of
from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue, Value
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse
from rules.post_battle.dialogue import Await, Context, Progress, Question, ReplyTo, Roll, UnusedAnswers, no_reply, run
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.experience import nameable
from rules.post_battle.steps import LAST_STEP, gains_of_the_game, step
from rules.register.building import must_add_corps, must_let_go
from rules.register.effects import RivalNamed
from rules.register.state import RegisterState

NOTHING_TO_UNDO = Fault("R50", gettext_noop("There is nothing to undo in this sequence."))

#: Sources of an answer: drawn by the app, rolled at the table, chosen by the player, or the only one possible.
APP, TABLE, PLAYER, HOUSE = "app", "table", "player", "house"
#: Marks a stored answer that the app gave in the same tap as the answer before it; both are undone together.
FOLLOWS = "follows"

CASUALTY_STEP, RIVAL_STEP = 4, 5
#: Fields of a side that change as it moves through the sequence.
MOVED = ("answers", "step", "turn", "rival", "open")

#: Turns a question into the player's answer and its source.
Reply = Callable[[Question], tuple[Any, str]]
Answers = Sequence[Mapping[str, Any]]


class RunningStep(Value):
    """The running step of a side: its cards, the report, the progress of the step, and whether answers were `dropped`
    because a card has changed since.
    """

    side: Side
    book: Rulebook
    report: Report
    progress: Progress
    dropped: bool = False

    @property
    def question(self) -> Question | None:
        """The question that the player is asked now."""
        return self.progress.question


class SequenceSide(KeywordValue):
    """One side of a battle that has begun its sequence, as needed to draw its page.

    `role` is that of the user viewing it, `state` that of its Register without the running step, `running` the
    running step (None when the sequence is over), and `entries` those of its Register since the battle began.
    """

    battle: Battle
    side: Side
    other: Side
    role: CampaignRole
    state: RegisterState
    running: RunningStep | None
    entries: Sequence[LedgerEntry]

    @property
    def question(self) -> Question | None:
        """The question that the player is asked now; None while the side waits or when it is done."""
        asked = self.running.question if self.running else None
        return None if isinstance(asked, Await) else asked


def running_step(side: Side, other: Side, state: RegisterState | None = None) -> RunningStep:
    """Run the step of a side up to its question. Pass `state` to avoid reading the Register again."""
    state = state or state_of(side.own_register)
    book, report, stored = book_of(side), report_of(book_of(side), side.battle, side, other), len(side.answers)
    progress = _run(book, state, report, side)
    return RunningStep(side, book, report, progress, dropped=len(side.answers) < stored)


def sequence_side(battle: Battle, side: Side, other: Side, role: CampaignRole) -> SequenceSide:
    """Return the current state of a side of a battle that has begun its sequence: four queries."""
    state = state_of(side.own_register)
    running = None if side.done else running_step(side, other, state)
    return SequenceSide(
        battle=battle, side=side, other=other, role=role, state=state, running=running,
        entries=entries_since(side),
    )  # fmt: skip


def entries_since(side: Side) -> list[LedgerEntry]:
    """Return the entries of a side's Register from its battle on, in order, without undone ones and undos: one query.
    Later entries are included, because they changed the same numbers.
    """
    return list(_entries(side.register_id, str(side.battle_id)))


@Prepared
def _entries(register: UUID, battle: str) -> QuerySet[LedgerEntry]:
    of_battle = LedgerEntry.objects.filter(register=OuterRef("register"), battle=battle)
    entries = LedgerEntry.objects.filter(register__pk=register, undone_by=None).exclude(act=EntryType.UNDO)
    since = entries.filter(place__gte=Subquery(of_battle.order_by("place").values("place")[:1]))
    return since.order_by("place", "position")


@transaction.atomic
def answer(
    *, actor: User, side_id: int, turn: int | None, answer: Any = None, source: str = PLAYER, ask_all: bool = False
) -> Side:
    """Answer the current question of a side.

    `turn` is the one its form was drawn from (None: the present one); an answer to an earlier turn changes nothing.
    With the source APP the app draws the answer itself, and only here, so that a form sent twice draws once. Refuses
    anyone who may not act for the side, and anything the question or the rules refuse; in that case nothing changes.
    `ask_all`: see `rules.post_battle.dialogue.run`.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    if battle.status != Battle.Status.SEQUENCE or side.done or (turn is not None and turn != side.turn):
        return side
    check_may_act(actor, side)
    steps = _Steps(battle, sides, session, ask_all=ask_all)
    if not steps.answer(actor, side, lambda question: (answer, source)):
        running = steps.running(side)
        if running is None or running.question is None:
            raise ValueError("Nothing is asked")
        raise refuse(running.question.rule, running.question.text)
    steps.save()
    return side


@transaction.atomic
def answer_form(
    *, actor: User, battle_id: UUID, colour: str, turn: int | None, read: Reply, no_edits: bool = False
) -> tuple[SequenceSide, bool]:
    """Answer the current question of a side with a form that was drawn at `turn` and is `read` under the lock.

    In step 4 the app also rolls the dice that follow from dice it rolled: the *Roll all* button resolves supplies
    and all Casualty Checks. With `no_edits` the tap that ends step 7 ends step 8 too, unless units must join or go.
    Returns the side as it is then, and whether the answer was taken. It is not if its question is no longer asked, or
    the battle is not in its sequence. Raises Http404 if the actor may not act for the side.
    """
    battle, sides, session, side, role = _lock_own_side(actor, battle_id, colour)
    steps = _Steps(battle, sides, session, roll_on=True, no_edits=no_edits)
    open_turn = battle.status == Battle.Status.SEQUENCE and not side.done and turn == side.turn
    taken = open_turn and steps.answer(actor, side, read)
    steps.save()
    view = SequenceSide(
        battle=battle, side=side, other=other_of(sides, side), role=role,
        state=session.state(side.own_register), running=steps.running(side), entries=entries_since(side),
    )  # fmt: skip
    return view, taken


def begin(actor: User, battle: Battle, sides: list[Side], session: LedgerSession, *, ask_all: bool = False) -> None:
    """Append the in-game gains and start the sequences of both sides of a locked battle."""
    for side in sides:
        if side.register:
            book, state = book_of(side), session.state(side.own_register)
            report = report_of(book, battle, side, other_of(sides, side))
            gains = run(Context(book, state), gains_of_the_game(Context(book, state), report))
            if gains.effects:
                session.stage(
                    side.own_register,
                    actor=actor,
                    for_owner=actor.pk not in fighters_of(battle),
                    act=EntryType.GAINS,
                    effects=gains.effects,
                    battle=str(battle.pk),
                )
            side.step = 1
    steps = _Steps(battle, sides, session, ask_all=ask_all)
    steps.moved.update(sides)
    steps.advance(sides)
    steps.save()


def advance_sides(battles: Iterable[Battle], session: LedgerSession) -> None:
    """Advance both sides of each locked battle that is in its sequence, as far as possible without their players."""
    for battle in battles:
        if battle.status == Battle.Status.SEQUENCE:
            steps = _Steps(battle, list(battle.sides.all()), session)
            steps.advance(steps.sides)
            steps.save()


def _lock_own_side(
    actor: User, battle_id: UUID, colour: str
) -> tuple[Battle, list[Side], LedgerSession, Side, CampaignRole]:
    """Lock the battle in a form's URL. Raises Http404 if the actor may not act for the side."""
    battles, session = lock_battles(Q(pk=battle_id))
    for battle in battles:
        role, sides = campaign_role(actor, battle.campaign), list(battle.sides.all())
        for side in sides:
            if side.colour == colour and may_act(role, side):
                return battle, sides, session, side, role
    raise Http404("No such side")


def _run(book: Rulebook, state: RegisterState, report: Report, side: Side, reply_to: ReplyTo = no_reply) -> Progress:
    """Run the side's step with its answers. Drops those from the first on that no longer fits, because a card was
    changed or retired since; dice of the app fall again as they fell (`fair_dice.draw`).
    """
    stored = side.answers
    try:
        return _play(Context(book, state), report, side, stored, reply_to)
    except (RuleViolation, UnusedAnswers):
        fewer = (stored[:number] for number in range(len(stored), -1, -1))
        side.answers = next(each for each in fewer if not each or fits(Context(book, state), report, side, each))
        if side.answers == stored:
            raise
        return _play(Context(book, state), report, side, side.answers, reply_to)


def _play(context: Context, report: Report, side: Side, answers: Answers, reply_to: ReplyTo = no_reply) -> Progress:
    script, given = step(side.step).script(context, report), [item["answer"] for item in answers]
    return run(context, script, given, ask_all=True, reply_to=reply_to)


def fits(context: Context, report: Report, side: Side, answers: Answers) -> bool:
    """Return whether the running step of a side takes these answers of its player (R11)."""
    try:
        _play(context, report, side, answers)
    except (RuleViolation, KeyError, ValueError):
        return False
    return True


class _Steps:
    """The steps of both sides of a locked battle, run from their answers. `moved` are the sides that have changed.
    `roll_on`: the app rolls dice that follow from its own; `no_edits` as for `answer_form`.
    """

    def __init__(
        self, battle: Battle, sides: list[Side], session: LedgerSession, *,
        ask_all: bool = False, roll_on: bool = False, no_edits: bool = False,
    ) -> None:  # fmt: skip
        self.battle, self.sides, self.session = battle, sides, session
        self.ask_all, self.roll_on, self.no_edits = ask_all, roll_on, no_edits
        self.tapped = ""  # the source of the answer that this tap gave
        self.moved: set[Side] = set()
        self._running: dict[int, RunningStep] = {}

    def answer(self, actor: User, side: Side, reply: Reply) -> bool:
        """Give a side its player's answer and let both continue; return whether it was asked. Refuses wrong answers."""
        self._go_on(side, actor, reply)
        if not self.tapped:
            return False
        waiting = [other for other in self.sides if other is not side and other.step == RIVAL_STEP]
        self.advance(waiting)
        for other in waiting:
            if other in self.moved and not other.done and not isinstance(self._running[other.pk].question, Await):
                notifications.notify_of_step(actor, self.battle, other)
        return True

    def advance(self, sides: Iterable[Side]) -> None:
        """Advance both sides as far as possible without their players, starting with these."""
        waiting = list(sides)
        while waiting:
            side = waiting.pop(0)
            if not side.done and self._go_on(side):
                # A side that moves may unblock the other one, which only ever waits at that step (R39).
                waiting += [other for other in self.sides if other is not side and other.step == RIVAL_STEP]

    def running(self, side: Side) -> RunningStep | None:
        """Return the running step of a side, running it only once."""
        if side.done or self.battle.status != Battle.Status.SEQUENCE:
            return None
        if side.pk not in self._running:
            other = other_of(self.sides, side)
            self._running[side.pk] = running_step(side, other, self.session.state(side.own_register))
        return self._running[side.pk]

    def save(self) -> None:
        """Save the sides that moved, close the battle if both are done, and commit the entries."""
        Side.objects.bulk_update(self.moved, MOVED)
        closes = self.battle.status == Battle.Status.SEQUENCE and all(side.done for side in self.sides)
        if closes:
            fair_dice.reveal(self.battle)
            self.battle.closed_at = timezone.now()
            transition(actor=None, battle=self.battle, act=Action.CLOSE, to=Battle.Status.CLOSED, changed=["closed_at"])
            notifications.notify_webhook(self.battle, Subject.CLOSED)
        self.session.commit()
        if closes:
            transaction.on_commit(metrics.CLOSED.inc)

    def _go_on(self, side: Side, actor: User | None = None, reply: Reply | None = None) -> bool:
        moved = False
        while not side.done:
            answers = [*side.answers]
            running = self._run_step(side, actor, reply)
            reply = None  # it was for this step
            moved |= side.answers != answers
            moved |= _note_rival(side, running.progress)
            if running.question:
                self._running[side.pk] = running
                break
            _finish_step(self.session, side, running.progress)
            moved = True
        if moved:
            self.moved.add(side)
        return moved

    def _run_step(self, side: Side, actor: User | None, reply: Reply | None) -> RunningStep:
        """Run the side's step once, and add the answers it takes to those of the side. If it dropped some, its player
        has to look again, and `reply` is not used.
        """
        other, book, given = other_of(self.sides, side), book_of(side), dict[int, dict[str, Any]]()
        report, stored = report_of(book, self.battle, side, other), len(side.answers)

        def reply_to(progress: Progress) -> tuple[Any] | None:
            question, item = progress.question, None
            if isinstance(question, Await):
                item = self._known(question, side, other)
            elif actor and reply and not self.tapped and len(side.answers) == stored:
                item = _answered(actor, side, progress, reply, side.answers)
                self.tapped = item["source"]
            elif (
                actor
                and self.tapped
                and question
                and (source := self._follows(side, question, progress, given.values()))
            ):
                earlier = [*side.answers, *given.values()]
                item = _answered(actor, side, progress, lambda _: (None, source), earlier) | {FOLLOWS: True}
            elif question and question.forced and not self.ask_all:
                item = _by_house(*question.forced)
            if item is None:
                return None
            given[len(progress.answers)] = item
            return (item["answer"],)

        progress = _run(book, self.session.state(side.own_register), report, side, reply_to)
        dropped = len(side.answers) < stored
        side.turn += dropped
        side.answers += given.values()
        return RunningStep(side, book, report, progress, dropped)

    def _follows(self, side: Side, question: Question, progress: Progress, given: Collection[Mapping[str, Any]]) -> str:
        """Return the source of an answer that needs no tap of its own after this one's, or "": dice of step 4, if the
        app rolled those before them, and no edit in step 8.
        """
        if self.roll_on and side.step == CASUALTY_STEP and isinstance(question, Roll):
            sources = [self.tapped, *(item["source"] for item in (*side.answers, *given))]
            return APP if [each for each in sources if each in (APP, TABLE)][-1:] == [APP] else ""
        if self.no_edits and isinstance(question, EditRegister) and not must_add_corps(book_of(side), progress.state):
            return "" if must_let_go(book_of(side), progress.state) else PLAYER
        return ""

    def _known(self, question: Await, side: Side, other: Side) -> dict[str, Any] | None:
        """Return the answer that the side waits for, if the other side has it already (R39)."""
        if question.what == "rival":
            return None if other.rival is None else _by_house(other.rival or None)
        if other.step < RIVAL_STEP:
            return None
        if other.step > RIVAL_STEP:
            return _by_house([])  # it continued without being named: none of its units can be
        report = report_of(book_of(other), self.battle, other, side)
        units = nameable(book_of(other), self.session.state(other.own_register), report)
        return _by_house([list(unit) for unit in units])


def _by_house(answer: Any) -> dict[str, Any]:
    return {"answer": answer, "source": HOUSE}


def _answered(
    actor: User, side: Side, progress: Progress, reply: Reply, earlier: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the player's answer to the question of a running step, as the side stores it. `earlier` are the answers of
    the step before it. The answer is checked when the step continues.
    """
    if (question := progress.question) is None:
        raise ValueError("Nothing is asked")
    answer, source = reply(question)
    # `at` tells the page which effects of the step came after this answer.
    item: dict[str, Any] = {"source": source, "at": len(progress.effects), "by": actor.pk}
    if source == APP:
        ordinal = 1 + sum(each["source"] in (APP, TABLE) for each in earlier)
        answer, item["draws"] = fair_dice.draw(actor=actor, side=side, question=question, ordinal=ordinal)
    side.turn += 1
    metrics.count_answer(source)
    return {"answer": answer, **item}


def _finish_step(session: LedgerSession, side: Side, progress: Progress) -> None:
    actor = _who_answered(side)
    session.stage(
        side.own_register,
        actor=actor,
        act=EntryType.STEP,
        step=side.step,
        effects=progress.effects,
        answers=side.answers,
        by_hand=[place for place, item in enumerate(side.answers) if item["source"] == TABLE],
        battle=str(side.battle_id),
    )
    side.step, side.answers = side.step + 1, []
    side.open = side.step <= LAST_STEP


def _who_answered(side: Side) -> User | None:
    """Return who answered the running step: its player, or an organizer acting for them; None if nobody did."""
    owner = side.own_register.owner
    answerers = [item.get("by") for item in side.answers if is_players(item)]
    others = [key for key in answerers if key and (owner is None or key != owner.pk)]
    if others:
        return User.objects.get(pk=others[-1])
    return owner if answerers else None


def _note_rival(side: Side, progress: Progress) -> bool:
    if side.step != RIVAL_STEP or side.rival is not None:
        return False
    named = [effect for effect in progress.effects if isinstance(effect, RivalNamed)]
    side.rival = named[0].rival if named else None
    return bool(named)


def is_players(item: Mapping[str, Any]) -> bool:
    """Return whether a stored answer was the player's own, and not the only possible one."""
    return bool(item["source"] != HOUSE)


def other_of(sides: Sequence[Side], side: Side) -> Side:
    """Return the other side of a battle."""
    return next(other for other in sides if other.pk != side.pk)


class UndoScope(StrEnum):
    """How many answers an undo covers."""

    ANSWER = "answer"
    STEP = "step"
    SEQUENCE = "sequence"


@transaction.atomic
def undo_answers(*, actor: User, battle_id: UUID, colour: str, turn: int | None, what: str = UndoScope.ANSWER) -> bool:
    """Undo the last answer of a side's player, or the last step with one of their answers, or the whole sequence;
    return whether anything was undone: nothing is if the side has moved on since `turn`, from which the form was drawn.

    The side is asked again from there; a closed battle returns to its sequence, and the chronicle records it. Refuses
    what `why_not_undo` names. Raises Http404 if the actor may not act for the side.
    """
    battle, sides, session, side, _role = _lock_own_side(actor, battle_id, colour)
    if battle.status not in BEGUN or turn != side.turn:
        return False
    other, entries = other_of(sides, side), entries_since(side)
    finished = steps_among(side, entries)
    raise_if_any(why_not_undo(side, other, finished, why_not_after_the_end(side, entries), what))
    step, kept = from_where(side, finished, what)
    _reopen(actor, side, session, [entry for entry in finished if (entry.step or 1) >= step])
    side.answers = side.answers[:kept]
    side.rival = None if side.step <= RIVAL_STEP else side.rival
    side.turn += 1
    Side.objects.bulk_update([side, *_reset_step_5(side, other)], MOVED)
    if battle.status == Battle.Status.CLOSED:
        seed = fair_dice.secret_of(battle)  # rolls from a revealed seed could be foreseen
        battle.closed_at = None
        transition(
            actor=actor, battle=battle, act=Action.REOPEN, to=Battle.Status.SEQUENCE, changed=["closed_at"],
            on_behalf_of=ledger_session.on_behalf_of(actor, side.own_register),
            colour=side.colour, what=str(what), commitment=seed.commitment,
        )  # fmt: skip
    return True


def _reset_step_5(side: Side, other: Side) -> list[Side]:
    """Reset the other side's step 5, unless its player has answered it, and return that side in a list: it has the old
    survivors, and waits for new ones (R39).
    """
    if other.is_guest or side.step >= RIVAL_STEP or other.step != RIVAL_STEP or not other.answers:
        return []
    other.answers, other.rival, other.turn = [], None, other.turn + 1
    return [other]


def finished_steps(side: Side) -> list[LedgerEntry]:
    """Return the ledger entries of the steps a side has finished, in order, without undone ones: one query."""
    return steps_among(side, entries_since(side))


def steps_among(side: Side, entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """Return those entries of the side's Register that are finished steps of its battle."""
    return [entry for entry in entries if (entry.act, entry.battle) == (EntryType.STEP, str(side.battle_id))]


def why_not_undo(
    side: Side, other: Side, entries: Sequence[LedgerEntry], since: Sequence[Violation], what: str = UndoScope.ANSWER
) -> Iterator[Violation]:
    """Yield the reasons why answers of a side cannot be undone here. An organizer can open an amendment instead.

    `entries` are its finished steps, `since` is `why_not_after_the_end`; the side has its battle loaded. If the other
    side's player has answered in step 5, this side's steps up to 4 are locked; if the other side has finished step 5,
    this side's step 5 is locked too (R39). Anything the Register did after its sequence locks all of it.
    """
    if not own_answers(side, entries) or side.battle.status not in BEGUN:
        yield NOTHING_TO_UNDO()
        return
    step, _kept = from_where(side, entries, what)
    if not other.is_guest and step <= RIVAL_STEP:
        answered = other.step == RIVAL_STEP and any(is_players(item) for item in other.answers)
        if other.step > RIVAL_STEP or (answered and step < RIVAL_STEP):
            text = gettext(
                "Steps 1–%(number)s are locked because %(other)s have continued. Ask an organizer to undo them."
            ) % {"other": other.name, "number": RIVAL_STEP if other.step > RIVAL_STEP else RIVAL_STEP - 1}
            yield Violation("R39", text)
    yield from since


def why_not_after_the_end(side: Side, entries: Sequence[LedgerEntry]) -> list[Violation]:
    """Return later actions of the Register in `entries`, after which no sequence is undone. At most one query."""
    steps = steps_among(side, entries)
    if side.open or not steps or entries[-1].place <= steps[-1].place:
        return []
    # Battles are fought in any order: the ledger knows which came later, their numbers do not.
    later = [each for each in entries if each.place > steps[-1].place]
    canceled = {each.battle for each in later if each.act == EntryType.CANCEL}
    others = (each.battle for each in later if each.battle not in canceled | {"", str(side.battle_id)})
    if not (other := next(others, "")):
        text = gettext("%(side)s has been edited since then. Ask an organizer to undo this sequence.")
        return [Violation("R11", text % {"side": side.name})]
    battle = Battle.objects.get(pk=other)
    if any(each.act == EntryType.STEP and each.battle == other for each in later):
        text = gettext("%(side)s has fought %(battle)s since then. Ask an organizer to undo this sequence.")
    else:
        text = gettext("%(side)s is already in %(battle)s. Ask an organizer to undo this sequence.")
    return [Violation("R11", text % {"side": side.name, "battle": battle})]


def from_where(side: Side, entries: Sequence[LedgerEntry], what: str) -> tuple[int, int]:
    """Return the step of the first answer to be undone, and its position in that step."""
    own = own_answers(side, entries)
    if what == UndoScope.SEQUENCE:
        return own[0]
    return own[-1] if what == UndoScope.ANSWER else next(at for at in own if at[0] == own[-1][0])


def own_answers(side: Side, entries: Sequence[LedgerEntry], *, follows: bool = False) -> list[tuple[int, int]]:
    """Return step and position of the player's own answers, in order; `follows`: also those that came with them."""
    resolved = [(entry.step or 1, entry.answers) for entry in entries] + [(side.step, side.answers)]
    return [
        (step, place)
        for step, answers in resolved
        for place, item in enumerate(answers)
        if is_players(item) and (follows or FOLLOWS not in item)
    ]


def _reopen(actor: User, side: Side, session: LedgerSession, steps: Sequence[LedgerEntry]) -> None:
    if not steps:
        return
    session.stage_undo(side.own_register, steps[::-1], actor=actor, reason=gettext_noop("undone by the player"))
    session.commit()
    side.step, side.answers, side.open = steps[0].step or 1, list(steps[0].answers), True
