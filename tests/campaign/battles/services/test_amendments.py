"""Undoing and correcting what others have built upon: what it comes to, where it stops, and that all or nothing is
written."""

from dataclasses import replace

import pytest

from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.pages.amendment_preview import preview_rolls, report_changes
from campaign.battles.services import amendments
from campaign.battles.services.replay.decisions import ways_out
from campaign.battles.services.sequence import APP, TABLE
from campaign.services.campaigns import change_campaign_rules
from registers.models import EntryType, LedgerEntry
from registers.queries.changes import notices_for
from registers.services import editing
from registers.services.corrections import correct
from rules.adjustments.corrections import DIFFERENCE, WantedValue
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Choose, Roll
from rules.register.effects import AgendaProgressed
from tests.campaign.battles.amending import (
    applied,
    balanced,
    corrected,
    decide,
    fights_a_guest,
    halted,
    planned,
    report_with,
    states,
    undo_amendment,
)
from tests.campaign.battles.closing import all_but_the_last, blue_to_step_5, closed, last, red_to_step_5, undo
from tests.campaign.factories import AGENDAS, happen
from tests.campaign.first_blood import Fought


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed."""
    closed(fought)
    return fought


def test_the_same_report_changes_nothing(over):
    plan = planned(corrected(over))
    assert (plan.empty, plan.halt) == (True, None)


def test_a_unit_that_was_not_defeated_after_all(over):
    """It made no check, so that it did not gain 1 XP for escaping; the dice of the other unit stay."""
    before = states(over)
    amendment = corrected(over, blue={"defeated": ["5"]})
    plan = planned(amendment)
    assert plan.halt is None
    unit = before["blue"].dossiers["2"]
    after = {**before["blue"].dossiers, "2": replace(unit, experience=unit.experience - 1)}
    [blue] = [reached for reached in plan.registers if reached.changes]
    assert (blue.before, blue.after) == (before["blue"], replace(before["blue"], dossiers=after))
    assert [(change.entry.step, len(change.kept)) for change in blue.changes] == [(4, 1)]
    assert (states(over), Amendment.objects.get().state) == (before, "open")
    applied(over, amendment)
    assert states(over) == before | {"blue": blue.after}
    assert balanced()
    over.battle.refresh_from_db()
    assert (over.battle.status, over.battle.version, over.blue.report["defeated"]) == ("closed", 2, ["5"])
    event = over.battle.activity.first()
    assert (event.actor, event.facts) == (
        over.ada,
        {"act": "amend", "from": "closed", "to": "closed", "what": "report", "colour": "", "played": True,
         "reason": "A slip of the pen.", "changes": {"sides": {"blue": {"defeated": [2, 1]}}}},
    )  # fmt: skip


def test_a_player_gets_one_notice_of_what_another_one_amended(over):
    amendment = applied(over, corrected(over, red={"in_game_supply": 1}))
    [notice] = notices_for(over.red.own_register.owner, {})
    assert (notice["text"], notice["reason"]) == ("A battle of Dune Wardens was amended.", amendment.reason)
    assert notices_for(over.blue.own_register.owner, {}) == []


def test_the_notice_names_the_battle_and_no_correction_that_follows_from_it(over):
    red = over.red.own_register
    wishes = [WantedValue("supply_points", 20)]
    correct(actor=over.ada_organizes(), register_id=red.pk, position=red.position, reason="a prize", wishes=wishes)
    amendment = corrected(over, red={"in_game_supply": 1})
    [conflict] = planned(amendment).halt.conflicts
    amendments.resolve_conflicts(**halted(over, amendment), choices={conflict.about: DIFFERENCE})
    applied(over, amendment)
    assert [notice["text"] for notice in notices_for(red.owner, {})][1:] == ["A battle of Dune Wardens was amended."]


def test_where_more_of_an_asset_was_let_stand(over):
    """The trigger that knows only the rule is lifted (R43)."""
    blue = over.blue.own_register
    correct(
        actor=over.ada_organizes(), register_id=blue.pk, position=blue.position, reason="a prize", override=True,
        wishes=[WantedValue("assets", ["medevac"] * 3)],
    )  # fmt: skip
    applied(over, corrected(over, blue={"defeated": ["5"]}))
    assert states(over)["blue"].assets == ("medevac",) * 3
    assert balanced()


def test_and_corrected_back_its_dice_are_the_same(over):
    before = states(over)
    applied(over, corrected(over, blue={"defeated": ["5"]}))
    back = corrected(over, blue={"defeated": ["2", "5"]})
    assert planned(back).halt is None
    applied(over, back)
    assert states(over) == before
    assert balanced()


def test_the_dice_stay_when_the_report_is_edited_or_a_decision_undone(over):
    red = {"defeated": ["2", "3", "6", "7"]}
    amendment = corrected(over, red=red)
    amendment = amendments.decide(**halted(over, amendment), answer=None, source=APP)
    kept = amendment.decisions
    report = report_with(over, red=red, blue={"tokens": 1})
    amendments.change_report(actor=over.ada, amendment_id=amendment.pk, report=report, reason="Again.")
    amendments.undo_last_decision(actor=over.ada, amendment_id=amendment.pk, seen=1)
    amendment.refresh_from_db()
    assert (amendment.decisions, amendment.reason) == (kept, "Again.")
    assert amendment.wanted["facts"]["blue"]["tokens"] == 1
    halt = planned(amendment).halt
    assert kept[0]["what"] not in (halt.slots if halt else {})
    [roll] = preview_rolls(amendment, planned(amendment))
    assert (roll.side, roll.step, list(roll.faces)) == (over.red, 4, kept[0]["answer"])
    with pytest.raises(RuleViolation):
        amendments.change_report(actor=over.ben, amendment_id=amendment.pk, report=report, reason="Mine.")


def test_what_changes_in_the_report(over):
    amendment = corrected(over, "", blue={"defeated": ["5"]})
    assert [(each.label, each.before, each.after) for each in report_changes(amendment, planned(amendment))] == [
        ("Ashen Patrol", "won", "drawn"),
        ("Dune Wardens", "lost", "drawn"),
        ("Ashen Patrol: Defeated", "Scout Troopers, Stormtroopers", "Scout Troopers"),
    ]


def test_a_rival_that_falls_now(over):
    """Red's walker was defeated after all: it rolls, falls, and cannot be the rival that blue has named."""
    amendment = corrected(over, red={"defeated": ["2", "3", "6", "7"]})
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.side, halt.step, isinstance(halt.question, Roll)) == (over.red, 4, True)
    decide(over, amendment, {"check:7": ["surge"]}, "table")
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.side, halt.step, isinstance(halt.question, Choose)) == (over.blue, 5, True)
    assert [violation.rule for violation in halt.violations] == ["R39"]
    with pytest.raises(RuleViolation):
        decide(over, amendment, "7")
    decide(over, amendment, "1")
    plan = planned(amendment)
    assert plan.halt is None
    applied(over, amendment)
    assert "7" in states(over)["red"].fallen
    entries = over.red.own_register.entries.filter(
        undone_by=None, effects__contains=[{"kind": "UnitFell", "unit": "7"}]
    )
    assert [(entry.step, entry.rolled_by_hand, entry.reason) for entry in entries] == [(4, [0], "A slip of the pen.")]
    assert (over.blue.rival, states(over)["red"].dossiers["1"].experience) == ("1", 4)
    assert balanced()


def test_who_reaches_a_rank_by_it_is_asked_for_a_commendation(over):
    amendment = corrected(over, blue={"in_game_experience": {"4": 5}})
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.step, type(halt.question), [due.unit for due in halt.question.dues]) == (6, Award, ["4"])
    decide(over, amendment, {"4": {"commendation": None, "name": "Cold Feet"}})
    plan = planned(amendment)
    assert plan.halt is None
    [blue] = [reached for reached in plan.registers if reached.changes]
    assert blue.after.dossiers["4"].name == "Cold Feet"
    applied(over, amendment)
    assert balanced()


def test_a_sequence_asked_anew_with_the_same_answers(over):
    before = states(over)
    amendment = undo_amendment(over, "step", step=4)
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.step, halt.violations) == (4, ())
    decide(over, amendment, {"check:2": ["blank"], "check:5": ["blank"]}, "table")
    plan = planned(amendment)
    assert (plan.halt, plan.empty) == (None, True)
    applied(over, amendment)
    assert states(over) == before
    assert balanced()


# --- Later battles -----------------------------------------------------------------------------------------------


def test_three_battles_later_it_was_not_defeated_after_all(over):
    """It stood at 2 XP from its escape on, and has taken part in three battles since: each was 1 XP higher."""
    fielded = ["1", "2", "3", "4"]
    later = [fights_a_guest(over, fielded, []) for _ in range(3)]
    assert [battle.status for battle in later] == ["closed"] * 3
    before = states(over)["blue"]
    amendment = corrected(over, blue={"defeated": ["5"]})
    plan = planned(amendment)
    [blue] = [reached for reached in plan.registers if reached.changes]
    # With 1 XP less it reaches VR 1 nowhere: the Commendation that was waived then is not asked for any more.
    was = before.dossiers["2"]
    assert (was.experience, was.veteran_rank) == (5, 1)
    after = blue.after.dossiers["2"]
    assert (after.experience, after.veteran_rank, after.owed, after.name) == (4, 0, 0, "")
    assert [(change.entry.battle, change.entry.step) for change in blue.changes] == [
        (str(over.battle.pk), 4), (str(later[2].pk), 5), (str(later[2].pk), 6),
    ]  # fmt: skip
    applied(over, amendment)
    assert (states(over)["blue"], balanced()) == (blue.after, True)


def test_an_army_without_the_unit_that_had_fallen(over):
    fights_a_guest(over, ["1", "2", "3", "4"], ["4"])
    amendment = corrected(over, blue={"defeated": ["2", "4", "5"]})
    decide(over, amendment, {"check:4": ["surge"]}, "table")
    halt = planned(amendment).halt
    assert halt is not None
    assert (str(halt.battle), halt.out, [(violation.rule, violation.about) for violation in halt.violations]) == (
        "Battle 2", ("4",), [("R19", "4")],
    )  # fmt: skip
    amendments.leave_out(**halted(over, amendment))
    plan = planned(amendment)
    assert plan.halt is None
    applied(over, amendment)
    side = Side.objects.get(battle__number=2, colour="blue")
    assert (list(side.army["fielded"]), side.report["defeated"], balanced()) == (["1", "2", "3"], [], True)
    assert "4" in states(over)["blue"].fallen


def test_a_mission_that_too_few_agendas_would_allow(over):
    """R22: the second Agenda was complete only by what it progressed in First Blood."""
    blue, brought = over.blue.own_register, over.blue.report["agenda"]
    [another] = [agenda for agenda in AGENDAS if agenda != brought][:1]
    happen(
        blue,
        AgendaProgressed(agenda=brought, amount=2, rule="R25"),
        AgendaProgressed(agenda=another, amount=3, rule="R25"),
    )
    fights_a_guest(over, ["1", "3", "4"], [], owner="blue")
    halt = planned(undo_amendment(over, "annul")).halt
    assert halt is not None
    assert (str(halt.battle), [(violation.rule, violation.text) for violation in halt.violations]) == (
        "Battle 2",
        [("R22", "Battle 2 was a Turning Point Mission, and too few Agendas would be complete for it.")],
    )


def test_an_edit_that_cannot_be_any_more_is_left_out(over):
    """The unit that it names has fallen by then."""
    register = over.blue.own_register
    named = {"name": {"unit": "4", "name": "Night Shift"}}
    editing.edit(actor=over.ada, register_id=register.pk, position=None, change=named)
    amendment = corrected(over, blue={"defeated": ["2", "4", "5"]})
    decide(over, amendment, {"check:4": ["surge"]}, "table")
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.entry.act, halt.question, ways_out(halt)) == (
        "edit", None, [{"register": str(register.pk), "place": halt.entry.place, "skip": True}],
    )  # fmt: skip
    amendments.leave_out(**halted(over, amendment))
    applied(over, amendment)
    assert balanced()
    assert register.entries.filter(undoes=halt.entry, act=EntryType.UNDO).exists()


def test_the_next_arc_of_a_saga_that_is_not_over_is_left_out(fought):
    """The battle that ended the saga counts for nobody: the Register is in its Story Arc still (R49)."""
    arc = fought.blue.own_register.story_arc_id
    all_but_the_last(fought)
    Battle.objects.update(owner="blue", turning_point=arc, campaign_rules=CampaignRules(length=1))
    last(fought)
    assert states(fought)["blue"].saga_complete
    campaign, ada = fought.battle.campaign, fought.ada_organizes()
    change_campaign_rules(actor=ada, campaign=campaign, campaign_rules=CampaignRules(length=2), version=None)
    next_arc = {"register_id": fought.blue.register_id, "position": None, "story_arc": "liberate-the-system"}
    editing.choose_next_arc(actor=ada, **next_arc)
    amendment = amendments.open_amendment(
        actor=ada, battle_id=fought.battle.pk, what="annul", reason="It was a rehearsal."
    )
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.entry.act, [violation.rule for violation in halt.violations]) == (EntryType.ARC, ["R49"])
    amendments.leave_out(**halted(fought, amendment))
    applied(fought, amendment)
    after = states(fought)["blue"]
    assert (after.story_arc, after.arcs_ended, after.saga_complete, balanced()) == (arc, 0, False, True)


def test_nobody_but_organizers_and_never_over_a_plan_that_was_not_seen(over):
    amendment = corrected(over, blue={"defeated": ["5"]})
    for act in (
        lambda: amendments.apply(actor=over.ben, amendment_id=amendment.pk, digest=planned(amendment).digest),
        lambda: amendments.drop(actor=over.ben, amendment_id=amendment.pk),
        lambda: amendments.apply(actor=over.ada, amendment_id=amendment.pk, digest="another"),
        lambda: undo_amendment(over, "step"),
    ):
        with pytest.raises(RuleViolation):
            act()
    digest = planned(amendment).digest
    named = {"name": {"unit": "4", "name": "Dust Devils"}}
    editing.edit(actor=over.ada, register_id=over.blue.register_id, position=None, change=named)
    with pytest.raises(RuleViolation):
        amendments.apply(actor=over.ada, amendment_id=amendment.pk, digest=digest)
    amendment.refresh_from_db()
    assert (amendment.state, LedgerEntry.objects.filter(reason="A slip of the pen.").exists()) == ("open", False)


def test_a_running_sequence_keeps_what_fits_and_walks_on(fought):
    """Blue has rolled its checks, red waits in step 5: report corrected under their hands."""
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("red", "3")
    amendment = corrected(fought, blue={"defeated": ["5"]})
    plan = planned(amendment)
    assert plan.halt is None
    applied(fought, amendment)
    assert balanced()
    assert (fought.blue.step, fought.red.step, fought.red.rival) == (5, 5, "3")
    fought.answer("blue", "7")
    assert (fought.blue.step, fought.red.step, balanced()) == (6, 7, True)


def test_a_battle_that_counts_for_nobody(over):
    amendment = amendments.open_amendment(
        actor=over.ada_organizes(), battle_id=over.battle.pk, what="annul", reason="It was a rehearsal."
    )
    applied(over, amendment)
    over.battle.refresh_from_db()
    assert (over.battle.status, over.battle.winner, over.battle.closed_at) == (
        Battle.Status.CANCELLED, "", None,
    )  # fmt: skip
    assert balanced()
    entries = over.blue.own_register.entries
    assert not entries.filter(battle=str(over.battle.pk), undone_by=None).exclude(act=EntryType.UNDO).exists()


# --- What was shown, and what was meant --------------------------------------------------------------------------


def test_a_form_of_a_running_step_is_old_once_the_question_is_another(fought):
    """The report says of one more unit that it reached VR 1: step 6 asks of two."""
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("red", "3"), ("blue", "7")):
        fought.answer(colour, answer)
    side = fought.blue
    applied(fought, corrected(fought, blue={"in_game_experience": {"4": 5}}))
    assert (side.step, fought.blue.step, fought.blue.turn) == (6, 6, side.turn + 1)


def test_another_question_than_the_one_shown_is_not_answered(over):
    amendment = undo_amendment(over, "step", step=3)
    shown = halted(over, amendment) | {"halt_digest": "another"}
    with pytest.raises(RuleViolation, match="This changed while you were looking"):
        amendments.decide(**shown, answer={"supply": ["blank"]}, source="table")
    with pytest.raises(RuleViolation, match="This changed while you were looking"):
        amendments.leave_out(**shown)


def test_a_wish_about_an_answer_that_is_another_by_now_does_not_hold(fought):
    blue_to_step_5(fought)
    amendment = undo_amendment(fought, "answer")
    undo(fought, "blue")
    fought.answer("blue", {"check:2": ["surge"], "check:5": ["blank"]}, TABLE)
    halt = planned(amendment).halt
    assert halt is not None
    assert ([violation.text for violation in halt.violations], ways_out(halt)) == (
        ["This question has been answered again since then."], [],
    )  # fmt: skip
