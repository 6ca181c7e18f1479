"""Taking back what a side has answered in the Post-Battle Sequence: the last answer, a step, or all of it.

Its player may as long as nobody has built upon it; what others depend on is an organiser's (`services.revisions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from uuid import UUID

from django.db import IntegrityError, transaction

from accounts.models import User
from campaign.life import BEGUN
from campaign.life import Act as Deed
from campaign.models import Battle, Side
from campaign.services import dice
from campaign.services.life import check_may_act, go_on, lock_own, lock_whole_of
from campaign.services.sequence import MOVED, RIVAL_STEP, is_players, other_of
from registers.models import Act, Entry
from registers.services import ledger
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
    battle, sides = lock_whole_of(actor, side_id)
    side = next(side for side in sides if side.pk == side_id)
    if turn == side.turn:
        check_may_act(actor, side)
        _take_back(actor, battle, side, other_of(sides, side), what)
    return side


@transaction.atomic
def take_back_form(*, actor: User, battle_id: UUID, colour: str, turn: int | None, what: str) -> bool:
    """The same for a form that was drawn at `turn`: whether anything was taken back, which it is not if the side has
    gone on since. Raises Http404 where the actor may not act for the side.
    """
    battle, sides, side = lock_own(actor, battle_id, colour)
    if battle.status not in BEGUN or turn != side.turn:
        return False
    _take_back(actor, battle, side, other_of(sides, side), what)
    return True


def _take_back(actor: User, battle: Battle, side: Side, other: Side, what: str) -> None:
    finished = finished_steps(side)
    since = why_not_after_the_end(side, finished)
    refuse_any(why_not_take_back(side, other, finished, since, what))
    step, kept = from_where(side, finished, what)
    _reopen(actor, side, [entry for entry in finished if (entry.step or 1) >= step])
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
    """The ledger entries of the steps a side has finished, in their places, without those taken back."""
    if side.entries is not None:
        return [each for each in side.entries if (each.act, each.battle) == (Act.STEP, str(side.battle_id))]
    steps = Entry.objects.filter(register=side.own_register, act=Act.STEP, battle=str(side.battle_id))
    return list(steps.filter(undone_by__isnull=True).order_by("place", "position"))


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
    """Why nothing of a sequence that is over is taken back: what its Register has done since. It asks the database."""
    if side.open:
        return []
    if other := Side.objects.filter(register=side.register, open=True).select_related("battle").first():
        text = gettext("{side} is in {battle} already: only an organiser undoes it now.")
    elif entries and _has_gone_on(side, entries[-1]):
        later = Side.objects.filter(register=side.register, battle__number__gt=side.battle.number, step__gt=0)
        other = later.select_related("battle").order_by("battle__number").first()
        text = gettext("{side} has fought {battle} since: only an organiser undoes it now.")
        if other is None:
            text = gettext("{side} has been edited since: only an organiser undoes it now.")
    else:
        return []
    return [Problem("R11", text.format(side=side.name, battle=other.battle if other else ""))]


def _has_gone_on(side: Side, last: Entry) -> bool:
    """Whether anything that counts stands after the last step in the ledger; a page has read that already."""
    if side.entries is not None:
        return any(entry.place > last.place for entry in side.entries)
    later = Entry.objects.filter(register=side.own_register, place__gt=last.place)
    return later.filter(undone_by__isnull=True).exclude(act=Act.UNDO).exists()


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


def _reopen(actor: User, side: Side, steps: Sequence[Entry]) -> None:
    """Let a side stand at the first of these steps again, which are its last ones; none leaves it where it is."""
    if not steps:
        return
    register = side.own_register
    ledger.take_all_back(
        actor=actor,
        acting_for=ledger.in_stead(actor, register),
        register=register,
        entries=steps[::-1],
        reason=gettext_noop("taken back by the player"),
    )
    side.step, side.answers, side.open = steps[0].step or 1, list(steps[0].answers), True
