"""The Post-Battle Sequence of a battle: two Registers walk ten steps, one question at a time.

A side's unfinished step is kept as its answers and run again from them; when its script ends, its effects
become one entry in the Register's ledger. The entry names the side's own player, or an organiser who answered any
of its questions for them, whoever's answer ended the step; one that passes by itself names nobody. The battle is
locked first and then its Registers, so both players may post at once, and only then is it asked which turn it is: a
correction has the lock of the Register alone. What one side waits for (R39) is handed over as soon as the other side
has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from campaign.books import book_of
from campaign.facts import report_of
from campaign.life import Act as Deed
from campaign.models import Battle, Side
from campaign.services import dice, webhooks
from campaign.services.life import (
    check_may_act,
    go_on,
    in_stead_on,
    lock_battle,
    lock_battle_of,
    lock_registers,
)
from registers.models import Act, Entry
from registers.services import ledger
from rules.effects import RivalNamed
from rules.force import Force
from rules.language import gettext, gettext_noop
from rules.post_battle.experience import nameable
from rules.post_battle.sequence import LAST_STEP, gains_of_the_game, step
from rules.refusal import Problem, refuse, refuse_any
from rules.report import Report
from rules.rulebook import Rulebook
from rules.script import Await, Progress, Question, Scene, run

#: Where an answer came from: drawn by the app, rolled at the table, chosen by the player, or the only one there is.
APP, TABLE, PLAYER, HOUSE = "app", "table", "player", "house"

RIVAL_STEP = 5


class Back(StrEnum):
    """How much a side takes back."""

    ANSWER = "answer"
    STEP = "step"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a side stands: what it fought with, the report, and the running step with its question."""

    side: Side
    book: Rulebook
    report: Report
    progress: Progress

    @property
    def question(self) -> Question | None:
        """What the player is asked now."""
        return self.progress.question


def standing(side: Side, other: Side, force: Force | None = None) -> Standing:
    """Where a side of a running sequence stands. `force` saves a reading of the rows."""
    book = book_of(side)
    report = report_of(book, side.battle, side, other)
    force = force or ledger.force_of(side.own_register)
    return Standing(side, book, report, _run(book, force, report, side))


@transaction.atomic
def answer(
    *,
    actor: User,
    side_id: int,
    turn: int | None,
    answer: Any = None,
    source: str = PLAYER,
    ask_all: bool = False,
) -> Side:
    """Answer the question a side is at. `turn` is the one its form was drawn from (None: the present one).

    With the source APP the app draws the answer itself, and only here, so that a form that comes twice draws once.
    An answer to an earlier turn changes nothing. Refuses who may not act for the side, and what the question or
    the rules refuse; then nothing has changed either. `ask_all`: see `rules.script.run`.
    """
    battle, sides = lock_battle_of(side_id)
    lock_registers(sides)
    side = next(side for side in sides if side.pk == side_id)
    if battle.status != Battle.Status.SEQUENCE or side.done or (turn is not None and turn != side.turn):
        return side
    check_may_act(actor, side)
    _take(actor, side, _other(sides, side), answer, source)
    _advance(battle, sides, ask_all=ask_all)
    return side


@transaction.atomic
def take_back(*, actor: User, side_id: int, turn: int, what: str = Back.ANSWER) -> Side:
    """Take back the last answer of a side's player, all of the last step that had one, or of the whole sequence.

    The side is asked again from there; a battle that was closed is in its sequence again, and the chronicle says so.
    An old `turn` changes nothing. Refuses what `why_not_take_back` names.
    """
    battle, sides = lock_battle_of(side_id)
    lock_registers(sides)
    side = next(side for side in sides if side.pk == side_id)
    if turn != side.turn:
        return side
    check_may_act(actor, side)
    finished = finished_steps(side)
    refuse_any(why_not_take_back(side, _other(sides, side), finished, what))
    step, kept = from_where(side, finished, what)
    while side.step > step:
        _reopen(actor, side, finished.pop())
    side.answers = side.answers[:kept]
    side.rival = None if side.step <= RIVAL_STEP else side.rival
    side.turn += 1
    try:
        with transaction.atomic():
            side.save(update_fields=["answers", "step", "turn", "rival", "open"])
    except IntegrityError as error:  # another battle was planned at this moment
        raise refuse("R11", gettext("{side} is in another battle already.", side=side.name)) from error
    if battle.status == Battle.Status.CLOSED:
        battle.closed_at = None
        battle.save(update_fields=["closed_at"])
        go_on(
            actor=actor, battle=battle, act=Deed.REOPEN, to=Battle.Status.SEQUENCE,
            acting_for=ledger.in_stead(actor, side.own_register), colour=side.colour, what=str(what),
            commitment=dice.secret_of(battle).commitment,  # new rolls by a seed that was shown could be foreseen
        )  # fmt: skip
    return side


def finished_steps(side: Side) -> list[Entry]:
    """The ledger entries of the steps a side has finished, in their places, without those taken back."""
    steps = Entry.objects.filter(register=side.own_register, act=Act.STEP, battle=str(side.battle_id))
    return list(steps.filter(undone_by__isnull=True).order_by("place", "position"))


def why_not_take_back(
    side: Side, other: Side, entries: Sequence[Entry], what: str = Back.ANSWER
) -> Iterator[Problem]:
    """Why so much of the side's answers stands. `entries` are its finished steps; the side carries its battle.

    The other side's step 5 stands on this side's steps up to 4, and its end on whom this side named (R39). What a
    Register did after its sequence stands on all of it. An organiser may take it back all the same.
    """
    if not own_answers(side, entries) or side.battle.status not in (
        Battle.Status.SEQUENCE,
        Battle.Status.CLOSED,
    ):
        yield Problem("R50", gettext("There is nothing of this sequence to take back."))
        return
    step, _kept = from_where(side, entries, what)
    if not other.is_guest and step <= RIVAL_STEP:
        survivors_known = other.step == RIVAL_STEP and bool(other.answers) and step < RIVAL_STEP
        if other.step > RIVAL_STEP or survivors_known:
            text = gettext(
                "{other} builds on your steps up to {number} already: only an organiser undoes them now.",
                other=other.name,
                number=RIVAL_STEP if other.step > RIVAL_STEP else RIVAL_STEP - 1,
            )
            yield Problem("R39", text)
    if not side.open:
        yield from _why_not_after_the_end(side, entries)


def _why_not_after_the_end(side: Side, entries: Sequence[Entry]) -> Iterator[Problem]:
    if other := Side.objects.filter(register=side.register, open=True).select_related("battle").first():
        text = gettext("{side} is in {battle} already: only an organiser undoes it now.")
    elif entries and _has_gone_on(side, entries[-1]):
        later = Side.objects.filter(register=side.register, battle__number__gt=side.battle.number, step__gt=0)
        other = later.select_related("battle").order_by("battle__number").first()
        text = gettext("{side} has fought {battle} since: only an organiser undoes it now.")
        if other is None:
            text = gettext("{side} has been edited since: only an organiser undoes it now.")
    else:
        return
    yield Problem("R11", text.format(side=side.name, battle=other.battle if other else ""))


def _has_gone_on(side: Side, last: Entry) -> bool:
    """Whether anything that counts stands after the last step in the Register's ledger."""
    later = Entry.objects.filter(register=side.own_register, place__gt=last.place)
    return later.filter(undone_by__isnull=True).exclude(act=Act.UNDO).exists()


def last_answered_step(side: Side, entries: Sequence[Entry]) -> int | None:
    """The step of the side's last answer that was its player's own, or None."""
    return next((step for step, _place in reversed(own_answers(side, entries))), None)


def from_where(side: Side, entries: Sequence[Entry], what: str) -> tuple[int, int]:
    """The step and the place in it of the first answer that is taken back."""
    own = own_answers(side, entries)
    if what == Back.SEQUENCE:
        return own[0]
    return own[-1] if what == Back.ANSWER else next(at for at in own if at[0] == own[-1][0])


def own_answers(side: Side, entries: Sequence[Entry]) -> list[tuple[int, int]]:
    """Step and place of every answer that was the player's own, in order."""
    walked = [(entry.step or 1, entry.answers) for entry in entries] + [(side.step, side.answers)]
    return [
        (step, place) for step, answers in walked for place, item in enumerate(answers) if _is_players(item)
    ]


def begin(actor: User, battle: Battle, sides: list[Side], *, ask_all: bool = False) -> None:
    """Enter the gains of the game and start both sequences. The battle and its Registers are locked."""
    for side in sides:
        if side.register:
            book, force = book_of(side), ledger.held(side.own_register)
            report = report_of(book, battle, side, _other(sides, side))
            gains = run(Scene(book, force), gains_of_the_game(Scene(book, force), report))
            if gains.effects:
                ledger.append(
                    actor=actor,
                    acting_for=in_stead_on(actor, battle, side.own_register),
                    register=side.own_register,
                    act=Act.GAINS,
                    effects=gains.effects,
                    battle=str(battle.pk),
                )
            side.step = 1
            side.save(update_fields=["step"])
    _advance(battle, sides, ask_all=ask_all)


def go_on_walking(battle_id: UUID) -> None:
    """Let both sides of a battle in its sequence walk as far as they can, and close it if that is to the end.

    Battle and Registers are locked already; their rows are read anew, for they may have been written since.
    """
    battle, sides = lock_battle(battle_id)
    lock_registers(sides)
    _advance(battle, sides, ask_all=False)


# --- Running a step ------------------------------------------------------------------------------------------


def _run(book: Rulebook, force: Force, report: Report, side: Side, *, ask_all: bool = True) -> Progress:
    scene = Scene(book, force)
    answers = [item["answer"] for item in side.answers]
    return run(scene, step(side.step).script(scene, report), answers, ask_all=ask_all)


def _take(actor: User, side: Side, other: Side, answer: Any, source: str) -> None:
    """Add an answer to the running step, if the step takes it."""
    progress = standing(side, other, ledger.held(side.own_register)).progress
    if isinstance(progress.question, Await):
        raise refuse(progress.question.rule, progress.question.text)
    # `at` tells the page which effects of the step came after this answer: "what just happened".
    taken: dict[str, Any] = {"source": source, "at": len(progress.effects), "by": actor.pk}
    if source == APP and progress.question:
        ordinal = 1 + sum(item["source"] in (APP, TABLE) for item in side.answers)
        answer, taken["draws"] = dice.draw(
            actor=actor, side=side, question=progress.question, ordinal=ordinal
        )
    side.answers.append({"answer": answer, **taken})
    side.turn += 1


def _advance(battle: Battle, sides: list[Side], *, ask_all: bool) -> None:
    """Let both sides walk as far as they can; a side may free the other."""
    moved = True
    while moved:
        moved = False
        for side in sides:
            if not side.done:
                moved |= _walk(side, _other(sides, side), ask_all=ask_all)
    for side in sides:
        side.save(update_fields=["answers", "step", "turn", "rival", "open"])
    if all(side.done for side in sides):
        battle.closed_at = timezone.now()
        battle.save(update_fields=["closed_at"])
        dice.reveal(battle)
        go_on(actor=None, battle=battle, act=Deed.CLOSE, to=Battle.Status.CLOSED)
        webhooks.tell_of(battle)


def _walk(side: Side, other: Side, *, ask_all: bool) -> bool:
    """Run the side's step, and the next ones as they end; whether anything moved."""
    book, moved = book_of(side), False
    report = report_of(book, side.battle, side, other)
    force = ledger.held(side.own_register)
    while not side.done:
        progress = _run(book, force, report, side, ask_all=ask_all)
        moved |= len(progress.answers) > len(side.answers)
        side.answers += [
            {"answer": given, "source": HOUSE} for given in progress.answers[len(side.answers) :]
        ]
        moved |= _note_rival(side, progress)
        if isinstance(progress.question, Await):
            known = _known(book, progress.question, side, other)
            if known is None:
                break
            side.answers.append({"answer": known[0], "source": HOUSE})
            moved = True
        elif progress.question:
            break
        else:
            _finish_step(side, progress)
            force, moved = progress.force, True
    return moved


def _finish_step(side: Side, progress: Progress) -> None:
    actor = _who_answered(side)
    ledger.append(
        actor=actor,
        acting_for=ledger.in_stead(actor, side.own_register) if actor else None,
        register=side.own_register,
        act=Act.STEP,
        step=side.step,
        effects=progress.effects,
        answers=side.answers,
        by_hand=[place for place, item in enumerate(side.answers) if item["source"] == TABLE],
        battle=str(side.battle_id),
    )
    side.step, side.answers = side.step + 1, []
    side.open = side.step <= LAST_STEP


def _who_answered(side: Side) -> User | None:
    """Who answered the questions of the running step: its player, or whoever did so for them; None for nobody."""
    owner = side.own_register.owner
    answerers = [item.get("by") for item in side.answers if _is_players(item)]
    others = [key for key in answerers if key and (owner is None or key != owner.pk)]
    if others:
        return User.objects.get(pk=others[-1])
    return owner if answerers else None


def _note_rival(side: Side, progress: Progress) -> bool:
    """Remember whom the side named as soon as it has, for the other side to learn."""
    if side.step != RIVAL_STEP or side.rival is not None:
        return False
    named = [effect for effect in progress.effects if isinstance(effect, RivalNamed)]
    side.rival = named[0].rival if named else None
    return bool(named)


def _known(book: Rulebook, question: Await, side: Side, other: Side) -> tuple[Any] | None:
    """What the side waits for, in a tuple, if the other side has it already (R39)."""
    if question.what == "rival":
        return None if other.rival is None else (other.rival or None,)
    if other.step < RIVAL_STEP:
        return None
    if other.step > RIVAL_STEP:
        return ([],)  # it went on without being named: none of its units can be
    report = report_of(book, side.battle, other, side)
    units = nameable(book_of(other), ledger.held(other.own_register), report)
    return ([[unit.value, unit.label] for unit in units],)


# --- Taking back ---------------------------------------------------------------------------------------------


def _reopen(actor: User, side: Side, entry: Entry) -> None:
    register = side.own_register
    reason = gettext_noop("taken back by the player")
    ledger.take_back(
        actor=actor,
        acting_for=ledger.in_stead(actor, register),
        register=register,
        entry=entry,
        reason=reason,
    )
    side.step, side.answers, side.open = entry.step or 1, list(entry.answers), True


def _is_players(item: dict[str, Any]) -> bool:
    return bool(item["source"] != HOUSE)


def _other(sides: list[Side], side: Side) -> Side:
    return next(other for other in sides if other.pk != side.pk)
