"""The Post-Battle Sequence of a battle: two Registers walk ten steps, one question at a time.

A side's unfinished step is kept as its answers and run again from them; when its script ends, its effects
become one entry in the Register's ledger. The entry names the side's own player, or an organiser who answered any
of its questions for them, whoever's answer ended the step; one that passes by itself names nobody. The battle is
locked first and then its Registers, so both players may post at once, and only then is it asked which turn it is: a
correction has the lock of the Register alone. What one side waits for (R39) is handed over as soon as the other side
has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
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
    lock_own,
    lock_whole_of,
)
from config.watching import figures
from registers.models import Act
from registers.services import ledger
from rules.effects import RivalNamed
from rules.force import Force
from rules.post_battle.experience import nameable
from rules.post_battle.sequence import LAST_STEP, gains_of_the_game, step
from rules.refusal import refuse
from rules.report import Report
from rules.rulebook import Rulebook
from rules.script import Await, Progress, Question, Scene, run

#: Where an answer came from: drawn by the app, rolled at the table, chosen by the player, or the only one there is.
APP, TABLE, PLAYER, HOUSE = "app", "table", "player", "house"

RIVAL_STEP = 5
#: Columns of a side that change as it goes through the sequence.
MOVED = ("answers", "step", "turn", "rival", "open")


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
    battle, sides = lock_whole_of(actor, side_id)
    side = next(side for side in sides if side.pk == side_id)
    if battle.status != Battle.Status.SEQUENCE or side.done or (turn is not None and turn != side.turn):
        return side
    check_may_act(actor, side)
    question, place = _asked(side, other_of(sides, side))
    if isinstance(question, Await):
        raise refuse(question.rule, question.text)
    _take(actor, side, question, place, answer, source)
    _advance(battle, sides, ask_all=ask_all, answered=side)
    return side


@transaction.atomic
def answer_form(
    *,
    actor: User,
    battle_id: UUID,
    colour: str,
    turn: int | None,
    read: Callable[[Question], tuple[Any, str]],
) -> tuple[Side, bool]:
    """The same for a form that was drawn at `turn`, and `read` under the lock: its answer, and where that comes from.

    Gives the side as it is then, with its battle and both Registers, and whether the answer was taken: not if its
    question is not the one any more. Raises Http404 where the actor may not act for the side.
    """
    battle, sides, side = lock_own(actor, battle_id, colour)
    if battle.status != Battle.Status.SEQUENCE or side.done or turn != side.turn:
        return side, False
    question, place = _asked(side, other_of(sides, side))
    if question is None or isinstance(question, Await):
        return side, False
    _take(actor, side, question, place, *read(question))
    _advance(battle, sides, answered=side)
    return side, True


def begin(actor: User, battle: Battle, sides: list[Side], *, ask_all: bool = False) -> None:
    """Enter the gains of the game and start both sequences. The battle and its Registers are locked (`lock_whole`)."""
    for side in sides:
        if side.register:
            book, force = book_of(side), ledger.held(side.own_register)
            report = report_of(book, battle, side, other_of(sides, side))
            gains = run(Scene(book, force), gains_of_the_game(Scene(book, force), report))
            if gains.effects:
                ledger.note(
                    actor=actor,
                    acting_for=in_stead_on(actor, battle, side.own_register),
                    register=side.own_register,
                    act=Act.GAINS,
                    effects=gains.effects,
                    battle=str(battle.pk),
                )
            side.step = 1
    _advance(battle, sides, ask_all=ask_all)


def go_on_walking(battles: Iterable[Battle]) -> None:
    """Let both sides of each battle walk as far as they can, if it is in its sequence, and close it if that is to the
    end. The battles and their Registers are locked (`life.lock_battles`); what comes of all is written at once.
    """
    running = [battle for battle in battles if battle.status == Battle.Status.SEQUENCE]
    moved: list[Side] = []
    for battle in running:
        sides = list(battle.sides.all())
        moved += _walk_both(sides, sides)
    Side.objects.bulk_update(moved, MOVED)
    for battle in running:
        _close_if_over(battle, list(battle.sides.all()))
    _write(running)


# --- Running a step ------------------------------------------------------------------------------------------


def _run(book: Rulebook, force: Force, report: Report, side: Side, *, ask_all: bool = True) -> Progress:
    scene = Scene(book, force)
    answers = [item["answer"] for item in side.answers]
    return run(scene, step(side.step).script(scene, report), answers, ask_all=ask_all)


def _asked(side: Side, other: Side) -> tuple[Question | None, int]:
    """What the side is asked, and how many effects its step has so far."""
    progress = standing(side, other, ledger.held(side.own_register)).progress
    return progress.question, len(progress.effects)


def _take(actor: User, side: Side, question: Question | None, place: int, answer: Any, source: str) -> None:
    """Add an answer to the running step; whether the step takes it is seen when it is run."""
    # `at` tells the page which effects of the step came after this answer: "what just happened".
    taken: dict[str, Any] = {"source": source, "at": place, "by": actor.pk}
    if source == APP and question:
        ordinal = 1 + sum(item["source"] in (APP, TABLE) for item in side.answers)
        answer, taken["draws"] = dice.draw(actor=actor, side=side, question=question, ordinal=ordinal)
    side.answers.append({"answer": answer, **taken})
    side.turn += 1
    figures.answered(source)


def _advance(
    battle: Battle, sides: list[Side], *, ask_all: bool = False, answered: Side | None = None
) -> None:
    """Let sides walk as far as they can: that which has answered, or both. What comes of it is written at the end."""
    walked = _walk_both(sides, [answered] if answered else sides, ask_all=ask_all)
    Side.objects.bulk_update([side for side in sides if answered in (None, side) or side in walked], MOVED)
    _close_if_over(battle, sides)
    _write([battle])


def _walk_both(sides: Sequence[Side], first: Sequence[Side], *, ask_all: bool = False) -> set[Side]:
    """Let sides walk as far as they can, these at first; those that moved."""
    walked: set[Side] = set()
    to_walk = list(first)
    while to_walk:
        side = to_walk.pop(0)
        if side.done or not _walk(side, other_of(sides, side), ask_all=ask_all):
            continue
        walked.add(side)
        # Whoever moves may free the other side, which waits nowhere but at that step (R39).
        to_walk += [other for other in sides if other is not side and other.step == RIVAL_STEP]
    return walked


def _close_if_over(battle: Battle, sides: Sequence[Side]) -> None:
    if all(side.done for side in sides):
        dice.reveal(battle)
        battle.closed_at = timezone.now()
        go_on(actor=None, battle=battle, act=Deed.CLOSE, to=Battle.Status.CLOSED, changed=["closed_at"])
        webhooks.tell_of(battle)


def _write(battles: Sequence[Battle]) -> None:
    """Write the entries and rows of the Registers in running battles."""
    ledger.write(*(side.register for battle in battles for side in battle.sides.all() if side.register))
    for battle in battles:
        if battle.status == Battle.Status.CLOSED:
            figures.closed()


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
    entry = ledger.note(
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
    if side.entries is not None:
        side.entries.append(entry)
    side.step, side.answers = side.step + 1, []
    side.open = side.step <= LAST_STEP


def _who_answered(side: Side) -> User | None:
    """Who answered the questions of the running step: its player, or whoever did so for them; None for nobody."""
    owner = side.own_register.owner
    answerers = [item.get("by") for item in side.answers if is_players(item)]
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
    return ([list(unit) for unit in units],)


def is_players(item: Mapping[str, Any]) -> bool:
    """Whether an answer that a side or an entry keeps was its player's own, and not the only one there was."""
    return bool(item["source"] != HOUSE)


def other_of(sides: Sequence[Side], side: Side) -> Side:
    """The other one of both sides of a battle."""
    return next(other for other in sides if other.pk != side.pk)
