"""What waits for a player: by its name, counted, and with the page where it is done."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Battle
from campaign.battles.services import army as army_service, reports
from campaign.battles.services.planning import Contender
from campaign.enlistments.services import enlistments
from campaign.models import Enlistment, Membership
from dashboard.inbox import badge_of, in_full, inbox_for
from registers import projection
from registers.services import building
from rules.register.effects import SagaCompleted, UnitReassigned
from tests.campaign.battles.closing import ALL_OF_BRAVO, GRIM_HOUNDS, SCOUT_AND_T1
from tests.campaign.factories import (
    against_guest,
    agendas_chosen,
    army_chosen,
    army_of,
    enlisted,
    happen,
    in_play,
    planned,
    reported,
    side_of,
)
from tests.campaign.first_blood import Fought
from tests.registers.factories import make_player

ABOUT = "Outer Rim Winter · Battle 1: Ashen Patrol against Dune Wardens"
SEEN_BY_BEN = "Outer Rim Winter · Battle 1: Dune Wardens against Ashen Patrol"


def lines(user: User) -> list[tuple[Any, ...]]:
    """What waits, in full: title, note, where it leads, and what stands at its end; idle ones in brackets."""
    found = in_full(inbox_for(user), projection.states_of(list(user.registers.all())))
    return [(f"({item.title})" if item.idle else item.title, item.note, item.href, item.end) for item in found]


def titles(user: User) -> list[str]:
    return [title for title, *_ in lines(user)]


def page(battle: Battle, name: str = "battles:detail", *more: Any) -> str:
    return reverse(name, args=[battle.pk, *more])


def own_side(battle: Battle) -> str:
    return reverse("battles:army", args=[side_of(battle, "blue").pk])


class TestRegisters:
    def test_nothing(self, table):
        assert lines(table.ada) == []

    def test_founding(self, table):
        register = building.open_register(actor=table.ada, owner=table.ada, faction="rebel")
        blank = building.open_register(actor=table.ben, owner=table.ben)
        where = [reverse("registers:building", args=[each.pk]) for each in (register, blank)]
        assert lines(table.ada) == [("Finish building", "Unnamed Register, Rebel", where[0], "")]
        assert lines(table.ben) == [("Finish building", "Unnamed Register, no Faction yet", where[1], "")]

    def test_another_story_arc(self, table):  # R49
        happen(table.alpha, SagaCompleted(arcs=3, rule="R49"))
        edit = reverse("registers:edit", args=[table.alpha.pk])
        about = "Outer Rim Winter · Ashen Patrol needs a new Story Arc (R49)"
        assert lines(table.ada) == [("Choose a Story Arc", about, edit, "")]

    def test_corps_units(self, table):  # R4
        happen(table.alpha, UnitReassigned(unit="2", rule="R46"))
        edit = reverse("registers:edit", args=[table.alpha.pk])
        assert lines(table.ada) == [
            ("Add corps units", "Outer Rim Winter · Ashen Patrol needs at least 2 (R4)", edit, "")
        ]


class TestCampaigns:
    def test_what_was_taken_over_from_a_list(self, table):
        Enlistment.objects.filter(register=table.alpha).update(awaits_consent=True)
        consent = reverse("campaign:consent", args=[table.campaign.pk, table.alpha.pk])
        waits = [("Review Ashen Patrol", "It can play in Outer Rim Winter once you approve it", consent, "")]
        assert [lines(user) for user in (table.cora, table.ada, table.ben, table.mia)] == [waits, [], [], []]
        enlistments.consent(actor=table.cora, campaign=table.campaign, register_id=table.alpha.pk)
        assert lines(table.cora) == []

    def test_not_what_was_given_up(self, table):
        own = building.open_register(actor=table.mia, owner=table.mia)
        enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=own.pk)
        Enlistment.objects.filter(register=own).update(awaits_consent=True)
        building.discard(actor=table.mia, register_id=own.pk, position=None)
        assert lines(table.cora) == []


class TestBattles:
    def test_an_army(self, table):
        battle = planned(table)
        assert lines(table.ada) == [("Choose the army of Ashen Patrol", ABOUT, own_side(battle), "")]

    def test_the_others_army(self, table):
        battle = planned(table)
        army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army_of(table.alpha))
        assert lines(table.ada) == [("(Dune Wardens is choosing its army)", ABOUT, page(battle), "")]
        assert titles(table.ben) == ["Choose the army of Dune Wardens"]

    def test_that_it_begins(self, table):
        battle = army_chosen(planned(table))
        assert lines(table.ada) == [("Start the battle", ABOUT, page(battle), "")]
        assert titles(table.ben) == ["Start the battle"]

    def test_a_report(self, table):
        battle = in_play(planned(table))
        assert lines(table.ada) == [("Play and report the battle", ABOUT, page(battle, "battles:table"), "")]

    def test_a_word_on_the_others_report(self, table):
        battle = reported(in_play(planned(table)), table.ada)
        assert lines(table.ada) == [("(Waiting for ben to confirm your report)", ABOUT, page(battle), "")]
        assert lines(table.ben) == [("Confirm ada’s report", SEEN_BY_BEN, page(battle), "")]

    def test_a_dispute(self, table):
        battle = reported(in_play(planned(table)), table.ada)
        reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="The walker stood.")
        assert lines(table.ada) == [("Report the battle again", ABOUT, page(battle, "battles:report"), "")]
        assert lines(table.ben) == [("(Waiting for ada to answer your dispute)", SEEN_BY_BEN, page(battle), "")]
        assert lines(table.cora) == [("Settle a dispute", ABOUT, f"{page(battle)}#dispute", "")]

    def test_disputes_come_first(self, table):
        Membership.objects.filter(user=table.mia).update(role=Membership.Role.ORGANIZER)
        disputed = planned(table)
        table.alpha = enlisted(table.campaign, table.mia, "Charlie")
        against_guest(table)
        reported(in_play(disputed), table.ada)
        reports.dispute(actor=table.ben, battle_id=disputed.pk, version=1, reason="The walker stood.")
        assert titles(table.mia) == ["Settle a dispute", "Choose the army of Charlie"]

    def test_an_organizer_who_plays_settles_where_no_other_does(self, table):
        Membership.objects.filter(user=table.ben).update(role=Membership.Role.ORGANIZER)
        battle = reported(in_play(planned(table)), table.ada)
        reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="The walker stood.")
        assert (titles(table.ben), titles(table.cora)) == (
            ["(Waiting for ada to answer your dispute)"],
            ["Settle a dispute"],
        )
        Membership.objects.filter(user=table.cora).update(role=Membership.Role.PLAYER)
        assert (titles(table.ben), titles(table.cora)) == (["Settle a dispute"], [])

    def test_a_report_of_one_who_has_left(self, table):
        battle = reported(in_play(planned(table)), table.ada)
        Battle.objects.update(reported_by=None)
        assert lines(table.ben) == [("Confirm the report", SEEN_BY_BEN, page(battle), "")]

    def test_ones_own_word_where_nobody_else_has_one(self, table):
        reported(in_play(against_guest(table)), table.ada)
        assert titles(table.ada) == ["Confirm ada’s report"]

    @pytest.mark.parametrize("status", ["closed", "cancelled"])
    def test_nothing_once_it_is_over(self, table, status):
        battle = planned(table)
        Battle.objects.update(status=status)
        battle.sides.update(open=False)
        assert lines(table.ada) == []

    def test_sides_that_nobody_plays_wait_for_an_organizer(self, table):
        battle = reported(in_play(planned(table)), table.ada)
        Membership.objects.filter(user=table.ben).delete()
        left = f"{SEEN_BY_BEN}; Dune Wardens has no player"
        assert lines(table.ada) == [("(Waiting for an organizer to settle your report)", ABOUT, page(battle), "")]
        assert lines(table.cora) == [("Settle the report", left, page(battle), "")]
        Membership.objects.filter(user=table.ada).update(role=Membership.Role.ORGANIZER)
        assert titles(table.ada) == ["(Waiting for an organizer to settle your report)"]

    @pytest.mark.parametrize(
        ("stage", "left"), [(army_chosen, "Start the battle"), (in_play, "Play and report the battle")]
    )
    def test_what_either_player_may_do_waits_for_the_one_who_is_left(self, table, stage, left):
        stage(planned(table))
        User.objects.filter(pk=table.ben.pk).update(is_active=False)
        assert (titles(table.ada), titles(table.cora)) == ([left], [])
        Membership.objects.filter(user=table.ada).update(role=Membership.Role.VIEWER)
        assert (titles(table.ada), titles(table.cora)) == ([], [left])

    def test_an_army_that_nobody_musters(self, table):
        battle = planned(table)
        Membership.objects.filter(user=table.ben).delete()
        left = f"{SEEN_BY_BEN}; Dune Wardens has no player"
        assert lines(table.cora) == [("Choose the army of Dune Wardens", left, page(battle), "")]

    def test_nothing_for_readers_and_those_who_were_removed(self, table):
        in_play(planned(table))
        Membership.objects.filter(user=table.ada).update(role=Membership.Role.VIEWER)
        Membership.objects.filter(user=table.ben).delete()
        assert [lines(each) for each in (table.ada, table.ben, table.mia, table.eve)] == [[], [], [], []]

    def test_who_leads_both_sides_is_asked_once_and_waits_for_nobody(self, table):
        second = enlisted(table.campaign, table.ada, "Second")
        battle = planned(table, red=Contender(register_id=second.pk))
        assert titles(table.ada) == ["Choose the army of Ashen Patrol", "Choose the army of Second"]
        army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army_of(table.alpha))
        assert titles(table.ada) == ["Choose the army of Second"]
        army_service.choose_army(actor=table.ada, side_id=side_of(battle, "red").pk, army=army_of(second))
        assert titles(table.ada) == ["Choose the Agenda of Ashen Patrol"]
        agendas_chosen(battle)
        assert titles(table.ada) == ["Start the battle"]
        army_service.begin(actor=table.ada, battle_id=battle.pk)
        assert titles(table.ada) == ["Play and report the battle"]
        reported(battle, table.ada)
        assert titles(table.ada) == ["Confirm ada’s report"]
        reports.confirm_report(actor=table.ada, battle_id=battle.pk, version=1)
        assert titles(table.ada) == ["Roll for Supply Points"] * 2

    def test_what_is_to_be_done_stands_first(self, table):
        reported(in_play(planned(table)), table.ada)
        building.open_register(actor=table.ada, owner=table.ada)
        assert titles(table.ada) == ["Finish building", "(Waiting for ben to confirm your report)"]


class TestSteps:
    @pytest.fixture
    def walked(self, fought) -> Fought:
        for user in (fought.ada, fought.ben):
            fought.battle.campaign.memberships.get_or_create(user=user, role=Membership.Role.PLAYER)
        return fought

    def test_each_by_what_it_asks(self, walked):
        """First Blood: after each answer, what waits for both."""
        sentences = []
        for colour, answer in (
            ("red", {"supply": ["surge"]}),
            ("red", ALL_OF_BRAVO),
            ("red", {"setback:6": ["critical"]}),
            ("blue", ["corps", "heavy"]),
            ("blue", "3"),
            ("blue", {"supply": ["block"]}),
            ("blue", SCOUT_AND_T1),
            ("red", "3"),
            ("blue", "7"),
            ("red", None),
            ("red", None),
            ("blue", GRIM_HOUNDS),
            ("blue", None),
            ("blue", None),
        ):
            walked.answer(colour, answer)
            sentences.append((titles(walked.ada), titles(walked.ben)))
        agenda = ["Resolve your Agenda"]
        assert sentences == [
            (agenda, ["Roll the Casualty Checks"]),
            (agenda, ["Roll the Setback."]),
            (agenda, ["(Waiting for Ashen Patrol, at step 1)"]),
            (agenda, ["(Waiting for Ashen Patrol, at step 1)"]),
            (["Roll for Supply Points"], ["(Waiting for Ashen Patrol, at step 3)"]),
            (["Roll the Casualty Checks"], ["(Waiting for Ashen Patrol, at step 4)"]),
            (["Name a rival"], ["Name a rival"]),
            (["Name a rival"], ["(Waiting for Ashen Patrol, at step 5)"]),
            (["Award a Commendation"], ["Make Aid Requests"]),
            (["Award a Commendation"], ["Edit the Register"]),
            (["Award a Commendation"], []),
            (["Make Aid Requests"], []),
            (["Edit the Register"], []),
            ([], []),
        ]

    def test_where_it_leads(self, walked):
        about = "First Blood · Battle 1: Ashen Patrol against Dune Wardens"
        there = page(walked.battle, "battles:sequence_side", "blue")
        assert lines(walked.ada) == [("Resolve your Agenda", about, there, "1/10")]

    def test_a_side_that_nobody_plays_any_more_waits_for_an_organizer(self, walked):
        zoe, campaign = make_player("zoe"), walked.battle.campaign
        campaign.memberships.create(user=zoe, role=Membership.Role.ORGANIZER)
        assert lines(zoe) == []
        campaign.memberships.filter(user=walked.ben).delete()
        note = "First Blood · Battle 1: Dune Wardens against Ashen Patrol; Dune Wardens has no player"
        assert lines(zoe) == [("Roll for Supply Points", note, page(walked.battle), "3/10")]

    @pytest.mark.parametrize(
        ("own", "other", "expected"),
        [
            ((5, None), (3, None), "(Waiting for Dune Wardens, at step 3)"),
            ((5, ""), (5, None), "(Waiting for Dune Wardens, at step 5)"),
            ((5, None), (5, None), "Name a rival"),
            ((5, None), (5, "3"), "Name a rival"),
            ((4, None), (3, None), "Roll the Casualty Checks"),
            ((10, "7"), (11, "3"), "Choose a Story Arc"),
        ],
    )
    def test_who_waits_for_whom(self, walked, own, other, expected):  # R39
        for colour, (step, rival) in (("blue", own), ("red", other)):
            walked.battle.sides.filter(colour=colour).update(step=step, rival=rival, answers=[])
        # Without the questions: nothing has led to where these sides stand.
        [item] = inbox_for(walked.ada)
        assert (f"({item.title})" if item.idle else item.title) == expected


class TestTheBadge:
    def test_it_counts_what_the_player_is_waited_for(self, table):
        reported(in_play(planned(table)), table.ada)
        building.open_register(actor=table.ada, owner=table.ada)
        numbers = [badge_of(inbox_for(user)).number for user in (table.ada, table.ben, table.eve)]
        assert numbers == [1, 1, 0]

    def test_its_tag_changes_with_each_act_and_not_without(self, fought):
        fought.ada_organizes()
        tags = [badge_of(inbox_for(fought.ada)).tag for _ in range(2)]
        fought.answer("blue", ["corps", "heavy"])
        tags.append(badge_of(inbox_for(fought.ada)).tag)
        assert (tags[0] == tags[1], tags[1] == tags[2]) == (True, False)


def test_as_many_queries_whatever_waits(table):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            badge_of(inbox_for(table.ada))
        return sum("catalogue_cataloguestate" not in query["sql"] for query in queries.captured_queries)

    planned(table)
    assert count() == 6
    happen(table.alpha, UnitReassigned(unit="2", rule="R46"))
    building.open_register(actor=table.ada, owner=table.ada)
    for name in ("Second", "Third", "Fourth"):
        table.alpha = enlisted(table.campaign, table.ada, name)
        table.bravo = enlisted(table.campaign, table.ben, f"Against {name}")
        reported(in_play(planned(table)), table.ben)
    Enlistment.objects.update(awaits_consent=True)
    Membership.objects.filter(user=table.ada).update(role=Membership.Role.ORGANIZER)
    assert (count(), len(inbox_for(table.ada))) == (6, 14)
