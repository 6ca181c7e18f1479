"""Taking back what a side has answered in the Post-Battle Sequence: the last answer, a step, or all of it.

Its player may as long as nobody has built upon it; what others depend on is an organiser's (`services.revisions`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from campaign.life import BEGUN
from campaign.life import Act as Deed
from campaign.models import Battle, Side
from campaign.services import dice
from campaign.services.life import check_may_act, go_on
from campaign.services.locks import lock_battle
from campaign.services.sequence import (
    MOVED,
    RIVAL_STEP,
    entries_since,
    is_players,
    lock_battle_for_form,
    other_of,
    own_side,
)
from registers.models import Act, Entry
from registers.services import ledger
from registers.services.ledger import LedgerSession
from rules.language import gettext, gettext_noop
from rules.refusal import Problem, refuse, refuse_any


class Back(StrEnum):
    """How much a side takes back."""

    ANSWER = "answer"
    STEP = "step"
    SEQUENCE = "sequence"


@transaction.atomic
def take_back(*, actor: User, side_id: int, turn: int, what: str = Back.ANSWER) -> Side:
    """Take back the last answer of a side's player, all of the last step that had one, or of the whole sequence.

    The side is asked again from there; a battle that was closed is in its sequence again, and the chronicle says so.
    An old `turn` changes nothing. Refuses what `why_not_take_back` names.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    if turn == side.turn:
        check_may_act(actor, side)
        _take_back(actor, battle, side, other_of(sides, side), session, what)
    return side


@transaction.atomic
def take_back_form(*, actor: User, battle_id: UUID, colour: str, turn: int | None, what: str) -> bool:
    """The same for a form that was drawn at `turn`: whether anything was taken back, which it is not if the side has
    gone on since. Raises Http404 where the actor may not act for the side.
    """
    battle, sides, session = lock_battle_for_form(battle_id)
    side, _role = own_side(actor, battle, colour)
    if battle.status not in BEGUN or turn != side.turn:
        return False
    _take_back(actor, battle, side, other_of(sides, side), session, what)
    return True


def _take_back(
    actor: User, battle: Battle, side: Side, other: Side, session: LedgerSession, what: str
) -> None:
    entries = entries_since(side)
    finished = steps_among(side, entries)
    refuse_any(why_not_take_back(side, other, finished, why_not_after_the_end(side, entries), what))
    step, kept = from_where(side, finished, what)
    _reopen(actor, side, session, [entry for entry in finished if (entry.step or 1) >= step])
    side.answers = side.answers[:kept]
    side.rival = None if side.step <= RIVAL_STEP else side.rival
    side.turn += 1
    moved = [side, *_learns_anew(side, other)]
    try:
        with transaction.atomic():
            Side.objects.bulk_update(moved, MOVED)
    except IntegrityError as error:
        if "one_open_battle_a_register" not in str(error):
            raise
        # Another battle was planned at this moment.
        raise refuse("R11", gettext("{side} is in another battle already.", side=side.name)) from error
    if battle.status == Battle.Status.CLOSED:
        seed = dice.secret_of(battle)  # rolls from a revealed seed could be foreseen
        battle.closed_at = None
        go_on(
            actor=actor, battle=battle, act=Deed.REOPEN, to=Battle.Status.SEQUENCE, changed=["closed_at"],
            acting_for=ledger.in_stead(actor, side.own_register),
            colour=side.colour, what=str(what), commitment=seed.commitment,
        )  # fmt: skip


def _learns_anew(side: Side, other: Side) -> list[Side]:
    """The other side, if it has learnt who survived and nobody has answered it yet: it waits for that again (R39)."""
    if other.is_guest or side.step >= RIVAL_STEP or other.step != RIVAL_STEP or not other.answers:
        return []
    other.answers, other.rival, other.turn = [], None, other.turn + 1
    return [other]


def finished_steps(side: Side) -> list[Entry]:
    """The ledger entries of the steps a side has finished, in their places, without undone ones: one query."""
    return steps_among(side, entries_since(side))


def steps_among(side: Side, entries: Iterable[Entry]) -> list[Entry]:
    """Those entries of the side's Register that are finished steps of its battle."""
    return [entry for entry in entries if (entry.act, entry.battle) == (Act.STEP, str(side.battle_id))]


def why_not_take_back(
    side: Side, other: Side, entries: Sequence[Entry], since: Sequence[Problem], what: str = Back.ANSWER
) -> Iterator[Problem]:
    """Why so much of the side's answers stands. `entries` are its finished steps, `since` is `why_not_after_the_end`;
    the side carries its battle.

    An answer of the other side's player in step 5 stands on this side's steps up to 4, and its end on whom this side
    named (R39). What a Register did after its sequence stands on all of it. An organiser may take it back all the same.
    """
    if not own_answers(side, entries) or side.battle.status not in (
        Battle.Status.SEQUENCE,
        Battle.Status.CLOSED,
    ):
        yield Problem("R50", gettext("There is nothing of this sequence to take back."))
        return
    step, _kept = from_where(side, entries, what)
    if not other.is_guest and step <= RIVAL_STEP:
        answered = other.step == RIVAL_STEP and any(is_players(item) for item in other.answers)
        if other.step > RIVAL_STEP or (answered and step < RIVAL_STEP):
            text = gettext(
                "{other} builds on your steps up to {number} already: only an organiser undoes them now.",
                other=other.name,
                number=RIVAL_STEP if other.step > RIVAL_STEP else RIVAL_STEP - 1,
            )
            yield Problem("R39", text)
    yield from since


def why_not_after_the_end(side: Side, entries: Sequence[Entry]) -> list[Problem]:
    """Why nothing of a sequence that is over can be undone: what its Register has done since. Two queries at most.

    `entries` are those of its Register since the battle began (`entries_since`).
    """
    if side.open:
        return []
    if other := Side.objects.filter(register=side.register, open=True).select_related("battle").first():
        text = gettext("{side} is in {battle} already: only an organiser undoes it now.")
    elif (steps := steps_among(side, entries)) and entries[-1].place > steps[-1].place:
        later = Side.objects.filter(register=side.register, battle__number__gt=side.battle.number, step__gt=0)
        other = later.select_related("battle").order_by("battle__number").first()
        text = gettext("{side} has fought {battle} since: only an organiser undoes it now.")
        if other is None:
            text = gettext("{side} has been edited since: only an organiser undoes it now.")
    else:
        return []
    return [Problem("R11", text.format(side=side.name, battle=other.battle if other else ""))]


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
        (step, place) for step, answers in walked for place, item in enumerate(answers) if is_players(item)
    ]


def _reopen(actor: User, side: Side, session: LedgerSession, steps: Sequence[Entry]) -> None:
    """Let a side stand at the first of these steps again, which are its last ones; none leaves it where it is."""
    if not steps:
        return
    register = side.own_register
    session.stage_undo(
        register,
        steps[::-1],
        actor=actor,
        on_behalf_of=ledger.in_stead(actor, register),
        reason=gettext_noop("taken back by the player"),
    )
    session.commit()
    side.step, side.answers, side.open = steps[0].step or 1, list(steps[0].answers), True
