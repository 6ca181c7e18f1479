"""Reminders: the evening before a battle, of a report that waits, and by hand."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.utils import timezone

from campaign.battles.services import planning
from campaign.discussion.models import Notice
from campaign.models import Campaign
from campaign.reminders import due
from campaign.reminders.services import remind, send_due, task_of
from campaign.schedule.models import Pairing, Round
from notifications.models import Kind, PersonalNotification
from notifications.services import people
from rules.core.violations import RuleViolation
from tests.campaign.factories import armies_chosen, army_chosen, in_play, planned, reported

DAY = date(2026, 11, 26)


@pytest.fixture
def table(table):
    """Everybody has a mail address."""
    for user in (table.cora, table.ada, table.ben):
        EmailAddress.objects.create(user=user, email=f"{user}@example.org", verified=True)
    return table


def sent(kind: str) -> list[tuple[str, str, str]]:
    found = PersonalNotification.objects.filter(kind=kind).order_by("user__username")
    return list(found.values_list("user__username", "title", "body"))


class TestABattleTomorrow:
    def test_in_the_evening_before_on_its_own_clock(self, table):
        planned(table, date=DAY, time=time(19), time_zone="America/New_York", place="Hall B")
        found = [send_due(datetime(2026, 11, 25, hour, tzinfo=UTC)) for hour in (21, 22, 23)]
        assert found == [0, 2, 0]  # 17:00 there, and once
        body = "26 November 2026, 19:00 America/New York, Hall B.\nNo army yet: Ashen Patrol, Dune Wardens."
        title = "Battle tomorrow: Ashen Patrol against Dune Wardens"
        assert sent(Kind.REMINDER) == [("ada", title, body), ("ben", title, body)]

    def test_again_if_it_moves(self, table):
        battle = planned(table, date=DAY)
        assert send_due(datetime(2026, 11, 25, 20, tzinfo=UTC)) == 2
        moved = DAY + timedelta(days=7)
        planning.replan(actor=table.ada, battle_id=battle.pk, version=0, size=600, date=moved)
        assert send_due(datetime(2026, 12, 2, 20, tzinfo=UTC)) == 2

    def test_not_of_one_that_is_canceled_or_of_the_demo(self, table):
        battle = planned(table, date=DAY)
        Campaign.objects.update(guest=table.eve)
        evening = datetime(2026, 11, 25, 20, tzinfo=UTC)
        assert send_due(evening) == 0
        Campaign.objects.update(guest=None)
        planning.cancel(actor=table.ada, battle_id=battle.pk)
        assert send_due(evening) == 0


def test_a_round_that_is_due_tomorrow_if_its_battle_is_on_another_day(table):
    battle = planned(table, date=DAY + timedelta(days=3))
    due = Round.objects.create(campaign=table.campaign, number=2, due=DAY, size=600, state=Round.State.CREATED)
    Pairing.objects.create(round=due, place=1, blue=table.alpha, red=table.bravo, battle=battle)
    assert [send_due(datetime(2026, 11, 25, hour, tzinfo=UTC)) for hour in (12, 20, 21)] == [0, 2, 0]
    title = "Round 2 is due tomorrow: Ashen Patrol against Dune Wardens"
    body = "The battle is planned for 29 November 2026."
    assert sent(Kind.ROUND) == [("ada", title, body), ("ben", title, body)]


def test_a_report_that_waits(table):
    reported(in_play(planned(table, date=DAY)), table.ada)
    now = timezone.now()
    assert [send_due(now + timedelta(days=days)) for days in (1, 3, 4)] == [0, 1, 0]
    assert ("ben", "Confirm the report: Ashen Patrol against Dune Wardens") in [row[:2] for row in sent(Kind.CONFIRM)]


def test_the_command_says_how_many(table, capsys, monkeypatch):
    reported(in_play(planned(table)), table.ada)
    monkeypatch.setattr(due, "PATIENCE", timedelta(0))
    for _ in range(2):
        call_command("remind")
    assert capsys.readouterr().out == "People reminded: 1\nPeople reminded: 0\n"


class TestByHand:
    def test_once_a_day_in_the_inbox_and_as_they_have_chosen(self, table):
        battle = planned(table)
        people.choose(actor=table.ada, mail=[], push=[])
        for user in (table.ada, table.ben):
            remind(actor=table.cora, battle=battle, user=user)
            with pytest.raises(RuleViolation, match=f"{user} was reminded within the last day"):
                remind(actor=table.cora, battle=battle, user=user)
        assert set(Notice.objects.values_list("user__username", "battle")) == {("ada", battle.pk), ("ben", battle.pk)}
        body = "cora asks you: choose your army."
        assert sent(Kind.REMINDER) == [("ben", "Battle 1: Ashen Patrol against Dune Wardens", body)]

    def test_who_may_and_whom(self, table):
        battle = planned(table)
        for actor, user, why in (
            (table.mia, table.ben, "Only its players and the organizers"),
            (table.ada, table.ada, "ada has nothing to do"),
            (table.cora, table.mia, "mia has nothing to do"),
        ):
            with pytest.raises(RuleViolation, match=why):
                remind(actor=actor, battle=battle, user=user)

    def test_what_each_has_to_do(self, table):
        battle, found = planned(table), []
        for step in (lambda: None, lambda: armies_chosen(battle), lambda: army_chosen(battle)):
            step()
            battle.refresh_from_db()
            found.append((task_of(battle, table.ada), task_of(battle, table.ben)))
        assert found == [
            ("choose your army", "choose your army"),
            ("choose your Agenda", ""),
            ("start the battle", "start the battle"),
        ]
