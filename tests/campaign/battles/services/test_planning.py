"""From planning a battle to taking the field."""

from datetime import UTC, datetime, time, timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import localdate

from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import setup_for
from campaign.battles.report_data import army_of as army_in, book_of
from campaign.battles.services import army as army_service, fair_dice, mission, planning
from campaign.battles.services.agendas import choose_agenda
from campaign.battles.services.contenders import Contender
from campaign.services.campaigns import create_campaign
from catalogue.models import StoryArc, Unit
from catalogue.snapshot import as_written
from core.db.rows import update
from registers import projection
from rules.battle.army import Army
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import AgendaProgressed, ReputationGained, UnitReassigned
from rules.register.state import Field
from tests.campaign.factories import (
    AGENDAS,
    against_guest,
    army_chosen,
    army_of,
    complete,
    enlisted,
    happen,
    in_play,
    planned,
    refused,
    reported,
    side_of,
)


class TestPlan:
    def test_two_registers(self, table):
        battle = planned(table, mission="Intercept")
        assert (battle.number, battle.size, battle.status, battle.owner, battle.mission) == (
            1, 600, "planned", "", "Intercept",
        )  # fmt: skip
        assert [(side.colour, side.name, side.army_chosen) for side in battle.sides.all()] == [
            ("blue", "Ashen Patrol", False),
            ("red", "Dune Wardens", False),
        ]

    def test_a_guest_is_ready_at_once(self, table):
        guest = side_of(against_guest(table), "red")
        assert (guest.name, guest.guest_points, guest.army_chosen, guest.is_guest) == ("Sal", 500, True, True)

    def test_a_form_that_comes_twice_plans_one(self, table):
        pk = uuid4()
        assert planned(table, battle_id=pk) == planned(table, battle_id=pk)
        assert Battle.objects.count() == 1

    def test_everything_that_is_wrong_is_said_at_once(self, table):
        table.bravo = enlisted(table.campaign, table.ben, "Half Done", commissioned=False)
        complete(table.alpha, 3)
        with pytest.raises(RuleViolation) as caught:
            planned(table, size=0)
        assert caught.value.violations == (
            Violation("R18", "Choose a size in points.", "size"),
            Violation("R4", "Half Done is not finished yet. Finish building it first.", "red"),
            Violation("R22", "Ashen Patrol has completed all its Agendas, so a Turning Point Mission must be played."),
        )
        assert not Battle.objects.exists()

    @pytest.mark.parametrize(
        ("blue", "red"),
        [(Contender(guest_name="Sal"), Contender(guest_name="Kim")), (Contender(register_id=uuid4()), Contender())],
    )
    def test_at_least_one_register(self, table, blue, red):
        with pytest.raises(RuleViolation) as caught:
            planned(table, blue=blue, red=red)
        assert refused(caught) == {"R17"}

    @pytest.mark.parametrize(("name", "may"), [("ada", True), ("ben", True), ("cora", True), ("mia", False)])
    def test_of_a_register_that_one_leads(self, table, name, may):
        plan = {
            "actor": getattr(table, name), "campaign": table.campaign, "size": 600,
            "blue": Contender(register_id=table.alpha.pk), "red": Contender(register_id=table.bravo.pk),
        }  # fmt: skip
        if may:
            assert planning.plan_battle(**plan).status == "planned"
            return
        with pytest.raises(RuleViolation) as caught:
            planning.plan_battle(**plan)
        assert caught.value.violations == (
            Violation("R17", "You can plan battles only for your own Registers.", "own"),
        )

    def test_not_by_who_only_watches(self, table):
        table.campaign.memberships.filter(user=table.ada).update(role="viewer")
        with pytest.raises(RuleViolation) as caught:
            planned(table)
        assert refused(caught) == {"R17"}

    def test_not_against_itself(self, table):
        with pytest.raises(RuleViolation) as caught:
            planned(table, red=Contender(register_id=table.alpha.pk))
        text = "Choose two different Registers of this campaign, or one Register and a guest."
        assert caught.value.violations == (Violation("R17", text),)

    def test_several_at_once_all_or_none(self, table):
        spare = enlisted(table.campaign, table.mia, "Half Done", commissioned=False)
        values = {"actor": table.cora, "campaign": table.campaign}
        plans = [
            planning.BattlePlan(
                size=600, blue=Contender(register_id=table.alpha.pk), red=Contender(register_id=other.pk)
            )
            for other in (table.bravo, spare)
        ]
        with pytest.raises(RuleViolation) as caught:
            planning.plan_battles(**values, plans=plans)
        text = "Ashen Patrol against Half Done: Half Done is not finished yet. Finish building it first."
        assert caught.value.violations == (Violation("R4", text, str(plans[1].battle_id)),)
        assert not Battle.objects.exists()
        once, again = (planning.plan_battles(**values, plans=plans[:1]) for _ in range(2))
        assert [battle.pk for battle in once] == [battle.pk for battle in again] == [plans[0].battle_id]

    def test_a_key_of_another_campaign_plans_none(self, table):
        battle = planned(table)
        Battle.objects.filter(pk=battle.pk).update(campaign=create_campaign(actor=table.cora, name="Elsewhere"))
        with pytest.raises(RuleViolation, match="This battle belongs to another campaign"):
            planned(table, battle_id=battle.pk)
        assert table.campaign.battles.count() == 0

    def test_what_was_agreed_on_has_its_length(self, table):
        with pytest.raises(RuleViolation) as caught:
            planned(table, arrangements="x" * 4001)
        violation = Violation("", "This text has 4001 characters. Shorten it to 4000 or fewer.", "arrangements")
        assert caught.value.violations == (violation,)
        battle = planned(table, arrangements="x" * 4000)
        values = {"version": 0, "size": 600, "date": battle.date, "arrangements": "y" * 4001}
        with pytest.raises(RuleViolation) as caught:
            planning.replan(actor=table.ada, battle_id=battle.pk, **values)
        assert caught.value.violations == (violation,)

    def test_a_turning_point_is_its_owners_arc(self, table):
        complete(table.alpha, 2)
        battle = planned(table, owner="blue")
        assert battle.turning_point_id == "bring-peace-to-the-galaxy"

    def test_a_turning_point_needs_two_agendas(self, table):
        complete(table.alpha, 1)
        with pytest.raises(RuleViolation) as caught:
            planned(table, owner="blue")
        assert refused(caught) == {"R22"}

    def test_it_still_needs_them_when_the_battle_begins(self, table):
        """R22: an organizer may have corrected the Register since it was planned."""
        complete(table.alpha, 2)
        battle = army_chosen(planned(table, owner="blue"))
        happen(table.alpha, AgendaProgressed(agenda=AGENDAS[0], amount=-1, rule="R25"))
        with pytest.raises(RuleViolation) as caught:
            army_service.begin(actor=table.ada, battle_id=battle.pk)
        text = (
            "A Turning Point Mission needs 2 completed Agendas of its Story Arc. "
            "Change the Turning Point Mission of this battle."
        )
        assert caught.value.violations == (Violation("R22", text),)

    def test_one_that_must_be_played_by_now_is(self, table):
        """R22."""
        battle = army_chosen(planned(table))
        complete(table.alpha, 3)
        with pytest.raises(RuleViolation) as caught:
            army_service.begin(actor=table.ada, battle_id=battle.pk)
        text = (
            "Ashen Patrol has completed all its Agendas, so a Turning Point Mission must be played. "
            "Change the Turning Point Mission of this battle."
        )
        assert caught.value.violations == (Violation("R22", text),)


@pytest.mark.parametrize(
    ("planned_for", "zone", "played"), [(6, "UTC", 0), (-6, "UTC", -6), (6, "Pacific/Kiritimati", 1), (0, "UTC", 0)]
)
def test_a_battle_that_begins_before_its_day_has_the_day_of_its_beginning(
    table, monkeypatch, planned_for, zone, played
):
    """The battles of a round are planned for its last day; days are those of the campaign, 14 hours ahead of UTC."""
    today = localdate()
    update(table.campaign, time_zone=zone)
    noon = datetime.combine(today, time(12), UTC)
    battle = planned(table, date=today + timedelta(days=planned_for))
    monkeypatch.setattr("django.utils.timezone.now", lambda: noon)
    in_play(battle)
    then, day = (today + timedelta(days=days) for days in (planned_for, played))
    facts = battle.activity.filter(facts__act="begin").get().facts
    assert (battle.date, battle.plan_version, facts.get("before"), facts.get("after")) == (
        (day, 1, {"date": str(then)}, {"date": str(day)}) if then > day else (then, 0, None, None)
    )


class TestMuster:
    def test_both_stand_before_the_battle_begins(self, table):
        battle = planned(table)
        for side in battle.sides.all():
            army_service.choose_army(actor=side.own_register.owner, side_id=side.pk, army=army_of(side.own_register))
            battle.refresh_from_db()
            assert battle.status == ("planned" if side.colour == "blue" else "ready")
        assert projection.state_of(side_of(battle, "blue").own_register).in_field is None

    def test_not_for_somebody_else(self, table):
        with pytest.raises(RuleViolation) as caught:
            army_service.choose_army(
                actor=table.ada, side_id=side_of(planned(table), "red").pk, army=army_of(table.bravo)
            )
        assert caught.value.violations == (Violation("", "Only its player and the organizers can act for this side."),)

    def test_anew_until_both_stand(self, table):
        side = side_of(planned(table), "blue")
        for army in (army_of(table.alpha), Army(fielded={"1": ()})):
            army_service.choose_army(actor=table.ada, side_id=side.pk, army=army)
        side.refresh_from_db()
        assert side.army == {
            "fielded": {"1": []}, "assets": [], "lent": [], "battle_force": "", "battle_deck": [],
            "rank_reason": "",
        }  # fmt: skip

    def test_the_same_army_again_changes_nothing(self, table):
        battle = in_play(planned(table))
        side = side_of(battle, "blue")
        assert army_service.choose_army(actor=table.ada, side_id=side.pk, army=army_of(table.alpha)) == battle

    def test_another_army_is_too_late(self, table):
        side = side_of(in_play(planned(table)), "blue")
        with pytest.raises(RuleViolation) as caught:
            army_service.choose_army(actor=table.ada, side_id=side.pk, army=Army(fielded={"1": ()}))
        assert caught.value.violations == (
            Violation("R19", "Armies can be changed until the battle starts. This battle is in play."),
        )

    def test_not_for_a_guest(self, table):
        side = side_of(against_guest(table), "red")
        with pytest.raises(RuleViolation) as caught:
            army_service.choose_army(actor=table.ada, side_id=side.pk, army=Army(fielded={}))
        assert refused(caught) == {"R17"}

    def test_not_against_the_rules(self, table):
        side = side_of(planned(table), "blue")
        with pytest.raises(RuleViolation) as caught:
            army_service.choose_army(actor=table.ada, side_id=side.pk, army=Army(fielded={"2": ()}))
        assert caught.value.violations == (Violation("R19", "The Paragon is always part of the army. Add it.", "1"),)

    def test_why_ranks_are_overruled_is_kept(self, table):  # R18
        side = side_of(planned(table), "blue")
        army = Army(fielded={"1": ()}, rank_reason="A duel.")
        army_service.choose_army(actor=table.ada, side_id=side.pk, army=army)
        side.refresh_from_db()
        assert army_in(book_of(side), side.army) == army

    def test_reinforcements_are_for_the_lesser_reputation(self, table):  # R20
        happen(table.bravo, ReputationGained(amount=2, rule="R48"))
        battle = planned(table)
        sides = list(battle.sides.select_related("register"))
        found = [setup_for(battle, side, sides).reinforcements for side in sides]
        assert found == [100, 0]


class TestBegin:
    def test_the_registers_take_the_field(self, table):
        battle = army_chosen(planned(table))
        for _ in range(2):  # the form comes twice
            assert army_service.begin(actor=table.ben, battle_id=battle.pk).status == "in_play"
        for colour in ("blue", "red"):
            register = side_of(battle, colour).own_register
            assert projection.state_of(register).in_field == Field(battle=str(battle.pk))
            [entry] = register.entries.filter(act="begin")
            assert (entry.actor, entry.on_behalf_of) == (table.ben, None)

    def test_armies_are_looked_at_once_more(self, table):  # R11
        battle = army_chosen(planned(table))
        happen(table.alpha, UnitReassigned(unit="2", rule="R46"))
        text = "Ashen Patrol: This army is no longer legal. Its player has to change it."
        values = {}
        for actor in (table.ada, table.ben):
            with pytest.raises(RuleViolation) as caught:
                army_service.begin(actor=actor, battle_id=battle.pk)
            values[actor.username] = caught.value.violations
        assert values == {
            "ada": (
                Violation("R19", "Ashen Patrol: 1 unit of the army is no longer on the Register.", "blue"),
                Violation("", "Ashen Patrol: The army no longer fits its Register. Change the army.", "blue"),
            ),
            # Until the battle begins the army is hidden from its opponent.
            "ben": (Violation("R19", text, "blue"),),
        }

    def test_not_while_a_register_is_in_another_battle(self, table):  # R11
        first, second = planned(table), army_chosen(planned(table))
        in_play(first)
        with pytest.raises(RuleViolation) as caught:
            army_service.begin(actor=table.ada, battle_id=second.pk)
        text = " is still in Battle 1. Finish or cancel that battle first."
        assert caught.value.violations == (
            Violation("R11", f"Ashen Patrol{text}", "blue"), Violation("R11", f"Dune Wardens{text}", "red"),
        )  # fmt: skip
        planning.cancel(actor=table.ada, battle_id=first.pk)
        assert army_service.begin(actor=table.ada, battle_id=second.pk).status == "in_play"

    def test_an_agenda_completed_in_between_is_chosen_again(self, table):  # R23
        battle = army_chosen(planned(table), blue={"agenda": AGENDAS[0]}, red={"agenda": AGENDAS[1]})
        complete(table.alpha, 1)
        with pytest.raises(RuleViolation) as caught:
            army_service.begin(actor=table.ada, battle_id=battle.pk)
        text = "Ashen Patrol: Choose an Agenda of the current Story Arc that is not complete."
        assert caught.value.violations == (Violation("R23", text, "blue"),)
        for agenda in (None, AGENDAS[2]):
            choose_agenda(actor=table.ada, side_id=side_of(battle, "blue").pk, agenda=agenda)
        assert army_service.begin(actor=table.ada, battle_id=battle.pk).status == "in_play"

    def test_not_for_the_mission_of_an_arc_that_is_over(self, table):  # R22
        complete(table.alpha, 2)
        battle = army_chosen(planned(table, owner="blue"))
        other = StoryArc.objects.exclude(pk=battle.turning_point_id).first()
        Battle.objects.filter(pk=battle.pk).update(turning_point=other)
        with pytest.raises(RuleViolation) as caught:
            army_service.begin(actor=table.ada, battle_id=battle.pk)
        text = (
            "Ashen Patrol has started another Story Arc since this battle was planned. Change the Turning Point "
            "Mission of this battle."
        )
        assert caught.value.violations == (Violation("R22", text),)

    def test_an_organizer_is_named_with_each_player(self, table):
        battle = army_chosen(planned(table))
        army_service.begin(actor=table.cora, battle_id=battle.pk)
        entries = [table.alpha.entries.get(act="begin"), table.bravo.entries.get(act="begin")]
        assert [(e.actor, e.on_behalf_of) for e in entries] == [
            (table.cora, table.ada), (table.cora, table.ben),
        ]  # fmt: skip


class TestReplan:
    def replan(self, table, battle, version=0, **words):
        values = {"size": 800, "date": battle.date, "place": "The attic", **words}
        return planning.replan(actor=table.ben, battle_id=battle.pk, version=version, **values)

    def test_what_is_changed_is_written_down_once(self, table):
        battle = planned(table)
        for _ in range(2):  # the form comes twice
            found = self.replan(table, battle)
            assert (found.size, found.place, found.plan_version) == (800, "The attic", 1)
        [event] = battle.activity.filter(facts__act="replan")
        assert (event.facts["before"], event.facts["after"]) == (
            {"size": 600, "place": ""},
            {"size": 800, "place": "The attic"},
        )

    @pytest.mark.parametrize(
        ("words", "rule", "text"),
        [
            ({"size": 0}, "R18", "Choose a size in points."),
            ({"version": 3}, "", "The plan changed a moment ago. Check it, then make your changes again."),
        ],
    )
    def test_refused(self, table, words, rule, text):
        with pytest.raises(RuleViolation) as caught:
            self.replan(table, planned(table), **words)
        assert [(violation.rule, violation.text) for violation in caught.value.violations] == [(rule, text)]

    def test_not_smaller_than_an_army_that_stands(self, table):
        battle = army_chosen(planned(table))
        with pytest.raises(RuleViolation) as caught:
            self.replan(table, battle, size=100)
        assert refused(caught) == {"R19"}

    def test_an_army_that_a_points_update_made_too_large_hinders_no_other_change(self, table):
        """R19: it is checked again when the battle begins."""
        battle = army_chosen(planned(table))
        Unit.objects.update(points=2000)
        with as_written():
            assert self.replan(table, battle, size=600).place == "The attic"


class TestMission:
    def change(self, table, battle, owner, version=0):
        return mission.change_mission(actor=table.ben, battle_id=battle.pk, version=version, owner=owner)

    def test_red_becomes_blue_and_both_choose_again(self, table):  # R22
        complete(table.bravo, 2)
        battle = army_chosen(planned(table))
        fair_dice.mix_in(actor=table.ada, side_id=side_of(battle, "blue").pk, word="Snow")
        for _ in range(2):  # the form comes twice
            battle = self.change(table, battle, table.bravo.pk)
        assert (battle.status, battle.owner, battle.turning_point_id) == ("planned", "blue", table.bravo.story_arc_id)
        blue, red = side_of(battle, "blue"), side_of(battle, "red")
        assert [(side.register, side.army_chosen, side.army) for side in (blue, red)] == [
            (table.bravo, False, {}), (table.alpha, False, {}),
        ]  # fmt: skip
        assert battle.dice_seeds.get().blue_word == ""
        assert army_chosen(battle).status == "ready"
        assert army_service.begin(actor=table.ben, battle_id=battle.pk).status == "in_play"

    def test_blue_keeps_its_army_without_an_agenda(self, table):  # R22
        complete(table.alpha, 2)
        battle = army_chosen(planned(table), blue={"agenda": AGENDAS[2]}, red={"agenda": AGENDAS[0]})
        battle = self.change(table, battle, table.alpha.pk)
        assert (battle.status, side_of(battle, "blue").agenda, side_of(battle, "red").agenda) == ("ready", "", None)
        battle = self.change(table, battle, None, version=1)
        assert (battle.owner, battle.turning_point_id, side_of(battle, "blue").agenda) == ("", None, None)

    def test_refused(self, table):
        battle = planned(table)
        complete(table.alpha, 3)
        complete(table.bravo, 1)
        refusals = []
        for done, owner, version in ((0, table.bravo, 0), (2, table.bravo, 7), (0, table.bravo, 0), (0, None, 1)):
            if done:
                complete(table.bravo, done)
            try:
                self.change(table, battle, owner and owner.pk, version=version)
            except RuleViolation as refusal:
                refusals.append(refusal.rules)
        # Too few Agendas, an outdated plan, and no mission although alpha must play one.
        assert refusals == [{"R22"}, {""}, {"R22"}]


class TestCallOff:
    def test_while_mustering(self, table):
        battle = planning.cancel(actor=table.ada, battle_id=planned(table).pk)
        assert (battle.status, Side.objects.filter(open=True).count()) == ("cancelled", 0)
        assert planned(table).number == 2

    def test_the_registers_leave_the_field(self, table):
        battle = in_play(planned(table))
        for _ in range(2):  # the form comes twice
            planning.cancel(actor=table.ada, battle_id=battle.pk)
        table.alpha.refresh_from_db()
        assert projection.state_of(table.alpha).in_field is None
        assert table.alpha.entries.latest("position").act == "call_off"

    def test_its_report_is_dropped(self, table):
        battle = reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
        found = planning.cancel(actor=table.cora, battle_id=battle.pk)
        sides = found.sides.values_list("report", "victory_points", "army_chosen")
        assert (found.winner, list(sides)) == ("", [({}, 0, True), ({}, 0, True)])
        assert battle.activity.filter(facts__victory_points={"blue": 7, "red": 4}).exists()

    def test_not_what_has_gone_on_since_it_was_looked_at(self, table):
        battle = in_play(planned(table))
        with pytest.raises(RuleViolation) as caught:
            planning.cancel(actor=table.ada, battle_id=battle.pk, stage="ready-0")
        text = "The battle changed a moment ago. Check it, then try again."
        assert caught.value.violations == (Violation("R11", text),)
        assert planning.cancel(actor=table.ada, battle_id=battle.pk, stage="in_play-0").status == "cancelled"

    def test_not_once_the_sequence_has_begun(self, fought):
        with pytest.raises(RuleViolation) as caught:
            planning.cancel(actor=fought.ada, battle_id=fought.battle.pk)
        assert refused(caught) == {"R11"}
