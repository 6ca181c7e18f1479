"""What needs an organizer: which lines, since when, because of whom, counted where, and reminders."""

from datetime import timedelta
from typing import Any

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaign.battles.models import Battle
from campaign.battles.services import reports
from campaign.discussion.models import Notice
from campaign.models import Activity, Campaign, Enlistment
from campaign.organizer_tasks.queries import tasks_of
from campaign.organizer_tasks.services import remind_players
from dashboard.inbox import inbox_for
from registers.models import LedgerEntry, Register
from rules.core.violations import RuleViolation
from tests.campaign.factories import address, against_guest, army_chosen, in_play, planned, reported
from tests.registers.views.reading import queries_of, text_of

TITLE = "Battle 1: Ashen Patrol against Dune Wardens"


def ago(**time: int) -> Any:
    return timezone.now() - timedelta(**time)


def pass_time(**time: int) -> None:
    """Let everything in the campaign have happened so long ago."""
    with pgtrigger.ignore("campaign.Activity:append_only", "registers.LedgerEntry:append_only"):
        for model, field in (
            (Activity, "at"), (LedgerEntry, "created_at"), (Battle, "created_at"), (Campaign, "created_at"),
        ):  # fmt: skip
            for row in model.objects.all():
                model.objects.filter(pk=row.pk).update(**{field: getattr(row, field) - timedelta(**time)})


def lines(table, **words: int) -> list[tuple[str, str, list[str], bool]]:
    """The group of each task, its title, whom it waits for, and whether it counts."""
    return [
        (group["slug"], task.title, [user.username for user in task.due], task.counts)
        for group in tasks_of(table.campaign, **words)
        for task in group["tasks"]
    ]


def checks(user: User) -> list[str]:
    """The lines of the inbox that lead to the tasks of a campaign."""
    return [item.note for item in inbox_for(user) if item.title == "Check Outer Rim Winter"]


def test_nothing(table):
    assert (lines(table), checks(table.cora)) == ([], [])


def test_armies_are_due_two_days_before_a_battle(table):
    battle = planned(table)
    for days, expected in ((3, []), (2, [("armies", TITLE, ["ada", "ben"], False)])):
        Battle.objects.update(date=timezone.localdate() + timedelta(days=days))
        assert (lines(table), checks(table.cora)) == (expected, [])
    pass_time(days=2)
    assert lines(table) == [("armies", TITLE, ["ada", "ben"], True)]
    assert checks(table.cora) == ["1 organizer task"]
    army_chosen(battle)
    assert lines(table) == []


def test_a_battle_whose_day_is_over(table):
    planned(table)
    Battle.objects.update(date=timezone.localdate() - timedelta(days=1))
    assert lines(table) == [("overdue", TITLE, ["ada", "ben"], True)]
    assert checks(table.ada) == []  # for players, it is a task of their own


def test_a_battle_in_play_for_more_than_a_week(table):
    in_play(planned(table))
    pass_time(days=6)
    assert lines(table) == []
    pass_time(days=2)
    assert lines(table) == [("overdue", TITLE, ["ada", "ben"], True)]


def test_reports(table):
    battle = reported(in_play(planned(table)), table.ada)
    assert lines(table) == [("reports", TITLE, ["ben"], False)]
    pass_time(days=2)
    assert lines(table) == [("reports", TITLE, ["ben"], True)]
    reports.dispute(actor=table.ben, battle_id=battle.pk, version=battle.version, reason="No.")
    assert lines(table) == [("reports", TITLE, [], True)]
    assert checks(table.cora) == []  # the inbox has the dispute already


def test_a_sequence_is_stuck_after_two_days(table):
    battle = reported(in_play(planned(table)), table.ada)
    reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=None)
    assert lines(table) == []
    pass_time(days=3)
    assert lines(table) == [("sequences", TITLE, ["ada", "ben"], True)]
    with pgtrigger.ignore("registers.LedgerEntry:append_only"):
        last = table.alpha.entries.order_by("position").last()
        LedgerEntry.objects.filter(pk=last.pk).update(created_at=timezone.now())
    assert lines(table) == [("sequences", TITLE, ["ben"], True)]
    pass_time(days=6)
    with pgtrigger.ignore("registers.LedgerEntry:append_only"):
        LedgerEntry.objects.update(created_at=timezone.now())
    assert lines(table) == [("overdue", TITLE, ["ada", "ben"], True)]


def test_registers_and_players(table):
    Enlistment.objects.filter(register=table.bravo).update(awaits_consent=True)
    Register.objects.filter(pk=table.alpha.pk).update(combat_potential=1)
    assert lines(table) == [
        ("approvals", "Dune Wardens", [], True), ("potential", "Ashen Patrol", [], True),
    ]  # fmt: skip
    assert checks(table.cora) == ["1 organizer task"]  # the Register to approve has a line of its own


def test_players_without_a_recent_battle(table):
    battle = in_play(against_guest(table))
    pass_time(weeks=5)
    Battle.objects.filter(pk=battle.pk).update(status="closed", date=timezone.localdate() - timedelta(weeks=3))
    assert lines(table) == [("absent", "ben", [], True), ("absent", "mia", [], True)]
    assert checks(table.cora) == ["2 organizer tasks"]
    assert [title for _group, title, *_rest in lines(table, weeks=2)] == ["ben", "mia", "ada"]


class TestReminders:
    @pytest.fixture
    def overdue(self, table) -> Battle:
        battle = planned(table)
        Battle.objects.update(date=timezone.localdate() - timedelta(days=1))
        return battle

    def test_once_a_day_in_the_inbox(self, as_cora, table, overdue):
        remind = address(table, "organizer_tasks:remind")
        for sentence in ("Reminder about Battle 1 sent to ada and ben.", "ada was reminded within the last day."):
            page = as_cora.post(remind, {"battle": overdue.pk}, follow=True)
            assert sentence in text_of(page)
        titles = [item.title for item in inbox_for(table.ada)]
        assert titles.count("cora reminds you of battle 1") == 1
        Notice.objects.update(at=ago(days=2))
        as_cora.post(remind, {"battle": overdue.pk})
        assert [item.title for item in inbox_for(table.ada)] == titles
        Battle.objects.update(status="cancelled")
        assert inbox_for(table.ada) == []

    def test_refusals(self, as_cora, table, overdue):
        with pytest.raises(RuleViolation, match="Only organizers can remind players"):
            remind_players(actor=table.ada, campaign=table.campaign, battle_id=overdue.pk)
        other = Campaign.objects.create(name="Elsewhere")
        other.memberships.create(user=table.cora, role="organizer")
        for campaign in (other, table.campaign):
            with pytest.raises(RuleViolation, match="Nobody needs a reminder"):
                remind_players(actor=table.cora, campaign=campaign, battle_id=overdue.pk)
            Battle.objects.update(date=timezone.localdate() + timedelta(days=9))
        assert "Choose a battle." in text_of(as_cora.post(address(table, "organizer_tasks:remind"), {}, follow=True))
        assert not Notice.objects.exists()


def test_the_page(as_cora, table):
    planned(table)
    Battle.objects.update(date=timezone.localdate() - timedelta(days=1))
    page = address(table, "organizer_tasks:tasks")
    text = text_of(as_cora.get(page))
    assert f"Overdue battles 1 {TITLE} ada and ben: planned for" in text
    assert "Players appear after 4 weeks without a battle." in text
    assert "after 6 weeks" in text_of(as_cora.get(f"{page}?weeks=6"))
    refused = as_cora.get(f"{page}?weeks=soon")
    assert (refused.status_code, "Enter a number of weeks from 1 to 52." in text_of(refused)) == (422, True)
    first = as_cora.get(page, headers={"HX-Request": "true", "HX-Target": "organizer-tasks"})
    assert text_of(first).startswith(f"Organizer tasks 1 All tasks {TITLE}")
    Battle.objects.update(date=timezone.localdate())  # the badge counts it tomorrow; here it is a task already
    first = as_cora.get(page, headers={"HX-Request": "true", "HX-Target": "organizer-tasks"})
    assert text_of(first).startswith(f"Organizer tasks 1 All tasks {TITLE}")
    assert 'hx-target="#organizer-tasks"' in as_cora.get(table.campaign.get_absolute_url()).content.decode()


def test_as_many_queries_for_one_battle_as_for_three(table):
    client = Client()
    client.force_login(table.cora)
    page = address(table, "organizer_tasks:tasks")
    counts = []
    for number in (1, 2):
        for _ in range(number):
            battle = against_guest(table)
            battle.sides.update(open=False)
        Battle.objects.update(date=timezone.localdate() - timedelta(days=1))
        counts.append((queries_of(client, page), queries_of(client, reverse("dashboard:badge"))))
    assert counts[0] == counts[1]
    assert counts[0][0] <= 15
