"""The services of the sequence: turns, two people at once, being killed on the way."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.http import Http404

from campaign.battles.models import Battle, Side
from campaign.battles.services import sequence
from campaign.battles.services.sequence import APP, HOUSE, PLAYER, TABLE
from registers.ledger.session import LedgerSession
from registers.models import EntryType, LedgerEntry, Register
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Await, Choose
from tests.at_once import at_once, behind
from tests.campaign.battles.amending import balanced
from tests.campaign.battles.closing import ALL_OF_BRAVO, SCOUT_AND_T1, blue_to_step_5, closed, red_to_step_5, to_step_4
from tests.campaign.first_blood import Fought, begin
from tests.registers.factories import make_player
from tests.registers.ledgers import lock

# --- One answer after the other --------------------------------------------------------------------------------


def test_an_answer_is_kept_with_its_source_and_its_place(fought):
    side = fought.answer("blue", ["corps", "heavy"], TABLE)
    assert (side.step, side.turn, side.answers) == (
        1, 1, [{"answer": ["corps", "heavy"], "source": TABLE, "at": 1, "by": fought.ada.pk}],
    )  # fmt: skip


def test_a_finished_step_is_an_entry_with_its_answers(fought):
    to_step_4(fought)
    drawn, chosen = (
        {"answer": answer, "source": PLAYER, "at": at, "by": fought.ada.pk}
        for at, answer in ((1, ["corps", "heavy"]), (2, "3"))
    )
    rolled = {"answer": {"supply": ["block"]}, "source": APP, "at": 1, "by": fought.ada.pk, "draws": [1]}
    steps = sequence.finished_steps(fought.blue)
    assert [(entry.step, entry.answers, entry.rolled_by_hand) for entry in steps] == [
        (1, [drawn, chosen], []), (2, [], []), (3, [rolled], []),
    ]  # fmt: skip


def test_dice_from_the_table_are_marked_in_the_ledger(fought):
    blue_to_step_5(fought)
    assert sequence.finished_steps(fought.blue)[-1].rolled_by_hand == [0]


def test_an_old_turn_changes_nothing(fought):
    side = fought.answer("blue", ["corps", "heavy"])
    again = sequence.answer(actor=fought.ada, side_id=side.pk, turn=0, answer=["corps", "heavy"])
    assert (again.turn, again.answers) == (side.turn, side.answers)


@pytest.mark.parametrize(
    ("answer", "rule"),
    [(["corps"], "R26"), (["operative", "corps"], "R26"), ({"corps": 2}, "R26"), (None, "R26"), ("corps", "R26")],
)
def test_a_refused_answer_changes_nothing(fought, answer, rule):
    before = list(Side.objects.order_by("colour").values())
    with pytest.raises(RuleViolation) as refused:
        fought.answer("blue", answer)
    assert refused.value.rules == {rule}
    assert list(Side.objects.order_by("colour").values()) == before


def test_nobody_answers_what_the_other_side_has_to_do(fought):
    red_to_step_5(fought)
    assert isinstance(fought.question("red"), Await)
    with pytest.raises(RuleViolation) as refused:
        fought.answer("red", [["1", "Captain Sorne"]])
    assert refused.value.rules == {"R39"}


def test_one_side_frees_the_other(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    assert isinstance(fought.question("red"), Choose)
    assert fought.red.answers[0]["source"] == HOUSE
    fought.answer("red", "3")
    assert isinstance(fought.question("red"), Await)
    fought.answer("blue", "7")
    assert (fought.red.step, fought.blue.step) == (7, 6)
    assert (type(fought.question("red")), type(fought.question("blue"))) == (RequestAid, Award)


def test_both_to_the_end(fought):
    battle = closed(fought)
    assert (battle.status, battle.closed_at is not None, fought.blue.step, fought.red.step) == (
        Battle.Status.CLOSED, True, 11, 11,
    )  # fmt: skip
    assert not [register for register in Register.objects.all() if register.in_field_battle]
    assert balanced()


# --- Whom the ledger names -------------------------------------------------------------------------------------


def named(fought: Fought, colour: str) -> list[tuple[int, Any, Any]]:
    """Step, who did it, for whom, of every step a side has finished."""
    return [(entry.step, entry.actor, entry.on_behalf_of) for entry in sequence.finished_steps(fought.side(colour))]


def test_each_side_its_own_player_whoever_freed_it_and_nobody_for_what_passes(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("red", "3")
    fought.answer("blue", "7")  # this ends step 5 of both sides, and 6 of red's
    assert named(fought, "red") == [
        (1, None, None), (2, None, None), (3, fought.ben, None), (4, fought.ben, None), (5, fought.ben, None),
        (6, None, None),
    ]  # fmt: skip
    assert named(fought, "blue")[-1] == (5, fought.ada, None)


def test_an_organizer_who_answers_for_a_player_is_named_with_them(fought):
    cora = make_player("cora")
    fought.battle.campaign.memberships.create(user=cora, role="organizer")
    sequence.answer(actor=cora, side_id=fought.blue.pk, turn=None, answer=["corps", "heavy"])
    fought.answer("blue", "3")
    assert named(fought, "blue")[0] == (1, cora, fought.ada)
    side = fought.blue
    sequence.undo_answers(actor=cora, battle_id=side.battle_id, colour="blue", turn=side.turn)
    undo = side.own_register.entries.latest("position")
    assert (undo.act, undo.actor, undo.on_behalf_of) == (EntryType.UNDO, cora, fought.ada)


def test_nobody_else_answers_or_undoes(fought):
    side = fought.blue
    with pytest.raises(RuleViolation) as caught:
        sequence.answer(actor=fought.ben, side_id=side.pk, turn=None, answer=["corps", "heavy"])
    assert caught.value.violations == (Violation("", "Only its player and the organizers can act for this side."),)
    with pytest.raises(Http404):
        sequence.undo_answers(actor=fought.ben, battle_id=side.battle_id, colour="blue", turn=side.turn)


# --- Two at once -------------------------------------------------------------------------------------------------


def answering(fought: Fought, colour: str, answer: Any) -> Callable[[], Side]:
    side, actor = fought.side(colour), fought.ada if colour == "blue" else fought.ben
    return lambda: sequence.answer(actor=actor, side_id=side.pk, turn=side.turn, answer=answer)


@pytest.mark.django_db(transaction=True)
def test_both_sides_answer_at_once(book):
    fought = begin()
    to_step_4(fought)
    fought.answer("red", {"supply": ["surge"]})
    fought.answer("red", ALL_OF_BRAVO)
    at_once(answering(fought, "blue", SCOUT_AND_T1), answering(fought, "red", {"setback:6": ["critical"]}))
    assert (fought.blue.step, fought.red.step) == (5, 5)
    assert (type(fought.question("blue")), type(fought.question("red"))) == (Choose, Choose)
    at_once(answering(fought, "blue", "7"), answering(fought, "red", "3"))
    assert (fought.blue.step, fought.red.step) == (6, 7)
    assert balanced()


@pytest.mark.django_db(transaction=True)
def test_the_same_answer_twice_counts_once(book):
    fought = begin()
    at_once(*[answering(fought, "blue", ["corps", "heavy"])] * 4)
    assert (fought.blue.turn, len(fought.blue.answers)) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_different_answers_at_once(book):
    fought = begin()
    fought.answer("red", {"supply": ["surge"]})
    first = answering(fought, "red", ALL_OF_BRAVO)
    second = answering(fought, "red", ALL_OF_BRAVO | {"check:6": ["surge"]})
    at_once(first, second)
    assert (fought.red.turn, len(fought.red.answers) + (fought.red.step > 4)) == (2, 1)
    assert balanced()


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_taking_back_at_once(book):
    fought = begin()
    fought.answer("blue", ["corps", "heavy"])
    side = fought.blue
    at_once(
        answering(fought, "blue", "3"),
        lambda: sequence.undo_answers(actor=fought.ada, battle_id=side.battle_id, colour="blue", turn=side.turn),
    )
    assert fought.blue.turn == 2  # one of them was first, and the other changed nothing
    assert balanced()


@pytest.mark.django_db(transaction=True)
def test_killed_on_the_way_nothing_has_happened(book, monkeypatch):
    fought = begin()
    to_step_4(fought)
    before = list(Side.objects.order_by("colour").values()), LedgerEntry.objects.count()

    def killed(*args: Any, **words: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(LedgerSession, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            fought.answer("blue", SCOUT_AND_T1)
    assert (list(Side.objects.order_by("colour").values()), LedgerEntry.objects.count()) == before
    assert balanced()
    assert fought.answer("blue", SCOUT_AND_T1).step == 5


@pytest.mark.django_db(transaction=True)
def test_whoever_waits_for_a_register_has_locked_its_battle_first(book):
    """Locks are taken in one order everywhere, so that two services never wait for each other."""
    fought = begin()
    refused: list[type[Exception]] = []

    def look_at_the_battle() -> None:
        try:
            with transaction.atomic():
                Battle.objects.select_for_update(nowait=True).get()
        except OperationalError as error:
            refused.append(type(error))

    held = fought.red.own_register.pk
    behind(lambda: lock(held), answering(fought, "blue", ["corps", "heavy"]), look_at_the_battle)
    assert refused == [OperationalError]
    assert fought.blue.turn == 1
