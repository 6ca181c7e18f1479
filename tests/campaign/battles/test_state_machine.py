"""The states of a battle, and who may do what with it."""

from itertools import product

import pytest

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access, state_machine
from campaign.battles.models import Battle
from campaign.battles.services.transition import transition
from campaign.battles.state_machine import BattleRole, BattleStatus
from campaign.models import Campaign
from campaign.models.activity import Action
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import against_guest, in_play, planned, reported

#: Every way a battle can go, one line each. Whatever is not here is refused.
GOES = {
    ("planned", "replan", "planned"),
    ("planned", "choose_army", "planned"),
    ("planned", "choose_army", "ready"),
    ("planned", "cancel", "cancelled"),
    ("ready", "replan", "ready"),
    ("ready", "replan", "planned"),
    ("ready", "choose_army", "ready"),
    ("ready", "choose_agenda", "ready"),
    ("ready", "begin", "in_play"),
    ("ready", "cancel", "cancelled"),
    ("in_play", "report", "reported"),
    ("in_play", "cancel", "cancelled"),
    ("reported", "report", "reported"),
    ("reported", "confirm", "sequence"),
    ("reported", "dispute", "disputed"),
    ("reported", "settle", "sequence"),
    ("reported", "cancel", "cancelled"),
    ("disputed", "report", "reported"),
    ("disputed", "confirm", "sequence"),
    ("disputed", "settle", "sequence"),
    ("disputed", "cancel", "cancelled"),
    ("sequence", "close", "closed"),
    ("closed", "reopen", "sequence"),
    *((state, "act_for", state) for state in state_machine.OPEN),
    ("sequence", "amend", "sequence"),
    ("sequence", "annul", "cancelled"),
    ("closed", "amend", "closed"),
    ("closed", "annul", "cancelled"),
    ("sequence", "seal", "sequence"),
    ("closed", "seal", "closed"),
    ("sequence", "let_go", "sequence"),
    ("closed", "let_go", "closed"),
}

WORDS = {
    Action.ACT_FOR: Violation("R50", "You can act for a player only until the battle is over. This battle is {}."),
    Action.PLAN: Violation("R18", "A battle can be created only once. This battle is {}."),
    Action.REPLAN: Violation("R18", "The plan can be changed until the battle starts. This battle is {}."),
    Action.CHOOSE_ARMY: Violation("R19", "Armies can be changed until the battle starts. This battle is {}."),
    Action.CHOOSE_AGENDA: Violation(
        "R23", "Agendas are chosen once both armies are ready, before the battle starts. This battle is {}."
    ),
    Action.BEGIN: Violation("R11", "A battle can start once both armies are ready. This battle is {}."),
    Action.REPORT: Violation("R25", "Only a battle in play can be reported. This battle is {}."),
    Action.CONFIRM: Violation("R25", "Only a reported or disputed battle can be confirmed. This battle is {}."),
    Action.DISPUTE: Violation("R25", "Only a reported battle can be disputed. This battle is {}."),
    Action.SETTLE: Violation("R25", "Only a reported or disputed battle can be settled. This battle is {}."),
    Action.CLOSE: Violation("R50", "A battle closes when both sequences are over. This battle is {}."),
    Action.REOPEN: Violation("R50", "Only a closed battle can be reopened. This battle is {}."),
    **dict.fromkeys(
        (Action.AMEND, Action.ANNUL),
        Violation(
            "R50",
            "Only a battle whose Post-Battle Sequence has started can be corrected. Report it again, or "
            "cancel it. This battle is {}.",
        ),
    ),
    **dict.fromkeys(
        (Action.SEAL, Action.LET_GO),
        Violation("R50", "Dice can be rolled again only once the Post-Battle Sequence has started. This battle is {}."),
    ),
    Action.CANCEL: Violation(
        "R11", "A battle cannot be canceled once its Post-Battle Sequence has started. This battle is {}."
    ),
}


def test_the_table_has_these_ways_and_no_others():
    assert {
        (state, act, to)
        for act, ways in state_machine.TRANSITIONS.items()
        for state, way in ways.items()
        for to in way.to
        if act != Action.PLAN
    } == GOES


@pytest.mark.parametrize(("state", "act"), list(product(BattleStatus.values, Action.values)))
def test_what_is_not_in_the_table_is_refused_in_a_sentence(state, act):
    battle = Battle(status=state)
    if any((state, act) == way[:2] for way in GOES):
        assert state_machine.check(battle, Action(act)) is None
        return
    with pytest.raises(RuleViolation) as caught:
        state_machine.check(battle, Action(act))
    violations = WORDS[Action(act)]
    assert caught.value.violations == (Violation(violations.rule, violations.text.format(BattleStatus(state).label)),)


def test_a_battle_is_planned_out_of_nothing():
    assert state_machine.TRANSITIONS[Action.PLAN] == {"": state_machine.Transition((BattleStatus.PLANNED,))}


def test_the_states_fall_into_three():
    over = {BattleStatus.CLOSED, BattleStatus.CANCELLED}
    assert set(state_machine.OPEN) == set(BattleStatus) - over
    assert {*state_machine.BEFORE_PLAY, *state_machine.FOUGHT, BattleStatus.SEQUENCE} == set(state_machine.OPEN)


@pytest.mark.parametrize(("state", "act", "to"), sorted(GOES))
def test_going_on_is_written_down(table, state, act, to):
    battle = planned(table)
    Battle.objects.update(status=state)
    battle.refresh_from_db()
    transition(actor=table.cora, battle=battle, act=Action(act), to=to, on_behalf_of=table.ben, reason="Snow.")
    battle.refresh_from_db()
    event = battle.activity.first()
    assert battle.status == to
    assert (event.campaign, event.kind, event.actor, event.on_behalf_of, event.facts) == (
        table.campaign, "battle", table.cora, table.ben,
        {"act": act, "from": state, "to": to, "reason": "Snow."},
    )  # fmt: skip


def test_an_act_never_leads_elsewhere(table):
    battle = planned(table)
    with pytest.raises(ValueError, match="cancel never leads from planned to closed"):
        transition(actor=table.ada, battle=battle, act=Action.CANCEL, to=BattleStatus.CLOSED)
    assert [event.facts["act"] for event in battle.activity.all()] == ["plan"]


# --- Who ---------------------------------------------------------------------------------------------------------


def who(table, battle: Battle, name: str) -> set[BattleRole]:
    user = getattr(table, name)
    found, _ = battle_access.battle_for(table.cora, battle.pk)
    return set(state_machine.battle_role(access.campaign_role(user, found.campaign), found))


def test_who_everybody_is(table):
    battle = reported(in_play(planned(table)), table.ada)
    assert {name: who(table, battle, name) for name in ("eve", "mia", "ada", "ben", "cora")} == {
        "eve": set(),
        "mia": set(),
        "ada": {BattleRole.PLAYER},
        "ben": {BattleRole.PLAYER, BattleRole.OTHER_PLAYER},
        "cora": {BattleRole.ORGANIZER, BattleRole.ARBITER},
    }


def test_who_plays_alone_is_the_other_player_too(table):
    battle = reported(in_play(against_guest(table)), table.ada)
    assert who(table, battle, "ada") == {BattleRole.PLAYER, BattleRole.OTHER_PLAYER}


def organize(table, *names: str) -> None:
    people = [getattr(table, name) for name in names]
    table.campaign.memberships.filter(user__in=people).update(role="organizer")


def test_an_organizer_who_plays_leaves_the_report_to_one_who_does_not(table):
    battle = reported(in_play(planned(table)), table.ada)
    organize(table, "ada", "ben")
    assert [BattleRole.ARBITER in who(table, battle, name) for name in ("ada", "ben", "cora")] == [False, False, True]
    # Who cannot sign in settles nothing, and who plays the other side is no better.
    User.objects.filter(pk=table.cora.pk).update(is_active=False)
    assert [BattleRole.ARBITER in who(table, battle, name) for name in ("ada", "ben")] == [True, True]


def test_the_staff_who_play_leave_it_too(table):
    battle = reported(in_play(planned(table)), table.ada)
    User.objects.filter(pk=table.ada.pk).update(is_staff=True, is_superuser=True)
    table.ada.refresh_from_db()
    assert who(table, battle, "ada") == {BattleRole.PLAYER, BattleRole.ORGANIZER}


def test_who_has_left_the_campaign_plays_no_more(table):
    battle = planned(table)
    table.campaign.memberships.filter(user=table.ada).delete()
    assert who(table, battle, "ada") == set()


@pytest.mark.parametrize(
    ("state", "player", "other", "organizer", "arbiter"),
    [
        ("planned", "cancel choose_army replan", "", "act_for", ""),
        ("ready", "begin cancel choose_agenda choose_army replan", "", "act_for", ""),
        ("in_play", "cancel report", "", "act_for", ""),
        ("reported", "report", "confirm dispute", "act_for", "cancel settle"),
        ("disputed", "report", "confirm", "act_for", "cancel settle"),
        ("sequence", "", "", "act_for amend annul", ""),
        ("closed", "reopen", "", "amend annul", ""),
        ("cancelled", "", "", "", ""),
    ],
)
def test_what_is_open_to_whom(state, player, other, organizer, arbiter):
    battle = Battle(status=state, campaign=Campaign())

    def open_to(*who: BattleRole) -> str:
        return " ".join(sorted(state_machine.open_actions(who, battle)))

    assert open_to() == ""
    assert open_to(BattleRole.PLAYER) == player
    assert open_to(BattleRole.OTHER_PLAYER) == other
    assert open_to(BattleRole.ORGANIZER) == " ".join(sorted(f"{player} {organizer}".split()))
    assert open_to(BattleRole.ARBITER) == arbiter


ONLY_ORGANIZERS = "Only organizers can settle or drop a report, or act for a player."


@pytest.mark.parametrize(
    ("state", "act", "name", "expected"),
    [
        ("ready", Action.BEGIN, "mia", "Only its players and the organizers can do this."),
        ("in_play", Action.CANCEL, "mia", "Only its players and the organizers can do this."),
        ("reported", Action.CONFIRM, "ada", "Only the player who did not report the battle can do this."),
        ("reported", Action.CONFIRM, "cora", "Only the player who did not report the battle can do this."),
        ("reported", Action.DISPUTE, "ada", "Only the player who did not report the battle can do this."),
        ("reported", Action.SETTLE, "ben", ONLY_ORGANIZERS),
        ("reported", Action.CANCEL, "ada", ONLY_ORGANIZERS),
        ("disputed", Action.CANCEL, "ben", ONLY_ORGANIZERS),
        ("planned", Action.ACT_FOR, "ben", ONLY_ORGANIZERS),
        ("sequence", Action.CLOSE, "cora", "This happens automatically."),
    ],
)
def test_who_may_not_is_told(table, state, act, name, expected):
    battle = reported(in_play(planned(table)), table.ada)
    battle.status = state
    with pytest.raises(RuleViolation) as caught:
        state_machine.check_actor(getattr(table, name), battle, act)
    assert caught.value.violations == (Violation("", expected),)


@pytest.mark.parametrize("act", [Action.SETTLE, Action.CANCEL])
def test_an_organizer_who_plays_is_told_who_decides(table, act):
    battle = reported(in_play(planned(table)), table.ada)
    organize(table, "ben")
    with pytest.raises(RuleViolation) as caught:
        state_machine.check_actor(table.ben, battle, act)
    text = (
        "You play in this battle, so another organizer has to settle or drop its report. The rulebook does not mention "
        "organizers; this is our reading."
    )
    assert caught.value.violations == (Violation("R25", text),)
