"""Undoing answers of the sequence: how far, until when, and what it leaves."""

import pytest

from campaign.battles.models import Battle, Side
from campaign.battles.services import planning, sequence
from campaign.battles.services.sequence import TABLE, UndoScope
from registers import projection
from registers.models import EntryType
from registers.services import editing
from rules.core.violations import RuleViolation
from rules.post_battle.dialogue import ChooseSeveral, Roll
from rules.post_battle.edit_register import EditRegister
from tests.campaign.battles.amending import balanced
from tests.campaign.battles.closing import blue_to_step_5, closed, last, red_to_step_5, to_step_4, undo
from tests.campaign.factories import in_play
from tests.registers.ledgers import append, lock


def test_the_last_answer_is_asked_again(fought):
    fought.answer("blue", ["corps", "heavy"])
    side = undo(fought, "blue")
    assert (side.step, side.answers, side.turn) == (1, [], 2)
    assert isinstance(fought.question("blue"), ChooseSeveral)


def test_a_step_that_had_an_answer_is_opened_again(fought):
    to_step_4(fought)
    state = projection.state_of(fought.blue.own_register)
    side = undo(fought, "blue")
    assert (side.step, side.answers) == (3, [])
    assert isinstance(fought.question("blue"), Roll)
    assert balanced()
    fought.answer("blue", {"supply": ["block"]})
    assert projection.state_of(fought.blue.own_register) == state


def test_all_the_way_back(fought):
    start = projection.state_of(fought.blue.own_register)
    blue_to_step_5(fought)
    for _ in range(4):
        undo(fought, "blue")
    assert (fought.blue.step, fought.blue.answers) == (1, [])
    assert projection.state_of(fought.blue.own_register) == start
    assert balanced()
    with pytest.raises(RuleViolation) as refused:
        undo(fought, "blue")
    assert refused.value.rules == {"R50"}


def test_an_old_turn_takes_nothing_back(fought):
    side = fought.answer("blue", ["corps", "heavy"])
    assert not sequence.undo_answers(actor=fought.ada, battle_id=side.battle_id, colour="blue", turn=0)
    assert fought.blue.answers == side.answers


def test_not_once_the_other_side_has_learnt_who_survived(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("red", "3")
    with pytest.raises(RuleViolation) as refused:
        undo(fought, "blue")
    assert refused.value.rules == {"R39"}
    assert undo(fought, "red").rival is None  # its own naming is not built upon yet


def test_while_the_other_side_has_learnt_who_survived_and_nobody_has_answered(fought):
    """It waits for that once more, and its page, drawn before, answers nothing."""
    red_to_step_5(fought)
    blue_to_step_5(fought)
    before = fought.red
    assert [item["source"] for item in before.answers] == ["house"]
    undo(fought, "blue")
    red = fought.red
    assert (red.step, red.answers, red.rival, red.turn) == (5, [], None, before.turn + 1)
    fought.answer("blue", {"check:2": ["surge"], "check:5": ["blank"]}, TABLE)
    assert [item["source"] for item in fought.red.answers] == ["house"]
    assert "2" not in dict(fought.red.answers[0]["answer"])
    assert balanced()


def test_not_once_the_register_is_in_another_battle(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("blue", "7"), ("red", "3"), ("red", None), ("red", None)):
        fought.answer(colour, answer)
    assert fought.red.done
    other = planning.plan_battle(
        actor=fought.ben, campaign=fought.battle.campaign, size=600,
        blue=planning.Contender(register_id=fought.red.register_id), red=planning.Contender(guest_name="Cyd"),
    )  # fmt: skip
    undo(fought, "red")  # a battle that is only planned does not matter
    fought.answer("red", None)
    assert fought.red.done
    in_play(other)
    with pytest.raises(RuleViolation) as refused:
        undo(fought, "red")
    text = "Dune Wardens is already in Battle 2. Ask an organizer to undo this sequence."
    assert [(each.rule, each.text) for each in refused.value.violations] == [("R11", text)]


def test_not_once_the_register_has_been_edited_since(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("blue", "7"), ("red", "3"), ("red", None), ("red", None)):
        fought.answer(colour, answer)
    named = {"name": {"unit": "4", "name": "Dust Devils"}}
    editing.edit(actor=fought.ben, register_id=fought.red.register_id, position=None, change=named)
    with pytest.raises(RuleViolation) as refused:
        undo(fought, "red")
    assert refused.value.rules == {"R11"}


def test_a_finished_sequence_is_opened_again_while_the_other_goes_on(fought):
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("blue", "7"), ("red", "3"), ("red", None), ("red", None)):
        fought.answer(colour, answer)
    side = undo(fought, "red")
    assert (side.step, side.open) == (8, True)
    assert isinstance(fought.question("red"), EditRegister)
    assert balanced()


def test_the_last_step_and_no_more(fought):
    """Step 1 asks twice: after an undo of the step both are asked again."""
    fought.answer("blue", ["corps", "heavy"])
    fought.answer("blue", "3")
    side = undo(fought, "blue", UndoScope.STEP)
    assert (side.step, side.answers) == (1, [])
    assert balanced()


def test_a_whole_sequence_begins_with_its_first_question(fought):
    start = projection.state_of(fought.blue.own_register)
    blue_to_step_5(fought)
    played = projection.state_of(fought.blue.own_register)
    side = undo(fought, "blue", UndoScope.SEQUENCE)
    assert (side.step, side.answers, side.turn) == (1, [], 5)
    assert projection.state_of(fought.blue.own_register) == start
    blue_to_step_5(fought)
    assert projection.state_of(fought.blue.own_register) == played
    assert balanced()


def test_a_closed_battle_is_opened_again(fought):
    battle = closed(fought)
    state, other = (projection.state_of(side.own_register) for side in (fought.blue, fought.red))
    side = undo(fought, "blue", UndoScope.STEP)
    battle.refresh_from_db()
    assert (battle.status, battle.closed_at, side.step, side.open) == (Battle.Status.SEQUENCE, None, 8, True)
    event = battle.activity.first()
    assert (event.actor, event.on_behalf_of, event.facts) == (
        fought.ada, None,
        {
            "act": "reopen", "from": "closed", "to": "sequence", "colour": "blue", "what": "step",
            "commitment": battle.dice_seeds.get(revealed_at=None).commitment,
        },
    )  # fmt: skip
    assert last(fought).status == Battle.Status.CLOSED
    assert (projection.state_of(fought.blue.own_register), projection.state_of(fought.red.own_register)) == (
        state, other,
    )  # fmt: skip
    assert balanced()


def test_not_what_the_other_side_stands_on_after_the_end(fought):
    closed(fought)
    with pytest.raises(RuleViolation) as refused:
        undo(fought, "blue", UndoScope.SEQUENCE)
    assert [violation.text for violation in refused.value.violations] == [
        "Steps 1–5 are locked because Dune Wardens have continued. Ask an organizer to undo them."
    ]


def test_not_once_another_battle_was_fought(fought):
    """The later battle need not be over: what it stands on is said."""
    closed(fought)
    later = planning.plan_battle(
        actor=fought.ada, campaign=fought.battle.campaign, size=600,
        blue=planning.Contender(register_id=fought.blue.register_id), red=planning.Contender(guest_name="Cyd"),
    )  # fmt: skip
    in_play(later)
    sentences = []
    for _ in range(2):
        with pytest.raises(RuleViolation) as refused:
            undo(fought, "blue")
        sentences += [violation.text for violation in refused.value.violations]
        army = {"fielded": {"1": ["a"]}}
        Side.objects.filter(battle=later).update(open=False, step=0, army=army)
        Side.objects.filter(battle=later, register__isnull=False).update(step=11)
        [register] = lock(fought.blue.register_id)
        append(actor=None, register=register, act=EntryType.STEP, step=1, effects=[], battle=str(later.pk))
    assert sentences == [
        "Ashen Patrol is already in Battle 2. Ask an organizer to undo this sequence.",
        "Ashen Patrol has fought Battle 2 since then. Ask an organizer to undo this sequence.",
    ]


def test_nothing_to_undo_of_a_battle_that_is_called_off(fought):
    closed(fought)
    Battle.objects.update(status=Battle.Status.CANCELLED)
    turn = fought.blue.turn
    assert not sequence.undo_answers(actor=fought.ada, battle_id=fought.battle.pk, colour="blue", turn=turn)


def test_what_was_undone_stays_in_the_ledger(fought):
    to_step_4(fought)
    undo(fought, "blue")
    acts = [entry.act for entry in fought.blue.own_register.entries.order_by("-position")[:2]]
    assert acts == [EntryType.UNDO, EntryType.STEP]
