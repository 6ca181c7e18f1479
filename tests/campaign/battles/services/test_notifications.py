"""What a battle tells Discord and its players on its way."""

import datetime

import pytest
from allauth.account.models import EmailAddress

from campaign.battles.queries.discord_message import text_of_notification
from campaign.battles.services import planning, reports
from campaign.models import Campaign, Notification, Webhook
from notifications.models import Kind, PersonalNotification
from notifications.services import people
from tests.campaign.factories import against_guest, in_play, planned, report_of, reported
from tests.campaign.webhooks import SITE, tell

ADDRESS = "https://discord.com/api/webhooks/1234567890/Not-for-the_eyes"
DAY = datetime.date(2026, 11, 26)
VERSUS = "Ashen Patrol against Dune Wardens"


@pytest.fixture
def table(table):
    """Both players get everything by mail."""
    for user in (table.ada, table.ben):
        EmailAddress.objects.create(user=user, email=f"{user}@example.org", verified=True)
        people.choose(actor=user, mail=Kind.values, push=[])
    return table


def told() -> list[tuple[str, str, str]]:
    """Who was told what, in order, since the last time."""
    found = list(PersonalNotification.objects.order_by("created_at").values_list("user__username", "title", "body"))
    PersonalNotification.objects.all().delete()
    return [(name, title, body.partition("\n")[0]) for name, title, body in found]


class TestPlayers:
    def test_of_a_plan(self, table):
        battle = planned(table, date=DAY, time=datetime.time(19), place="Hall B")
        assert told() == [("ben", f"Battle planned: {VERSUS}", "26 November 2026, 19:00, Hall B, 600 points.")]
        same = {"actor": table.ben, "battle_id": battle.pk, "date": DAY, "place": "Hall B"}
        planning.replan(**same, version=0, size=800, time=datetime.time(19))
        assert told() == []  # only its size has changed
        planning.replan(**same, version=1, size=800, time=datetime.time(18))
        assert told() == [("ada", f"Battle moved: {VERSUS}", "26 November 2026, 18:00, Hall B, 800 points.")]
        planning.cancel(actor=table.cora, battle_id=battle.pk, reason="The hall is closed.")
        assert sorted(told()) == [
            ("ada", f"Battle canceled: {VERSUS}", "The hall is closed."),
            ("ben", f"Battle canceled: {VERSUS}", "The hall is closed."),
        ]

    def test_of_their_turn(self, table):
        battle = in_play(planned(table))
        turns = [(name, text) for name, title, text in told() if title.startswith("Your turn")]
        assert turns == [("ada", "Choose the Agenda of Ashen Patrol."), ("ben", "Choose the Agenda of Dune Wardens.")]
        battle = reported(battle, table.ada)
        assert told() == [
            (
                "ben",
                f"Report to confirm: {VERSUS}",
                "ada reported the battle. Confirm the report, or say what is wrong.",
            )
        ]
        reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="I won.")
        assert told() == [("ada", f"Your turn: {VERSUS}", "Your report is disputed: I won.")]
        reports.report(actor=table.ada, battle_id=battle.pk, version=1, report=report_of("red"))
        told()
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=2)
        assert told()[:1] == [
            ("ada", f"Your turn: {VERSUS}", "The report is confirmed. Continue with the Post-Battle Sequence.")
        ]

    def test_not_of_the_demo(self, table):
        Campaign.objects.update(guest=table.eve)
        table.campaign.refresh_from_db()
        planned(table)
        assert told() == []


class TestDiscord:
    def test_hears_of_a_plan_and_of_a_report(self, table):
        webhook = tell(table.campaign, table.cora, ADDRESS, "planned", "confirmations")
        battle = planned(table, date=DAY, time=datetime.time(19), place="Hall B")
        [plan] = Notification.objects.all()
        there = f"<{SITE}{battle.get_absolute_url()}>"
        head = "**Battle 1** of Outer Rim Winter: **Ashen Patrol** against **Dune Wardens**"
        lines = [head, r"Planned for 26 November 2026, 19\:00, Hall B, 600 points.", there]
        assert text_of_notification(plan, webhook).splitlines() == lines
        reported(in_play(battle), table.ada)
        report = Notification.objects.get(about="confirm")
        lines = [head, "ada reported: **Ashen Patrol** won. Waiting for ben to confirm.", there]
        assert text_of_notification(report, webhook).splitlines() == lines
        plan.battle.refresh_from_db()
        assert text_of_notification(plan, webhook) == ""  # too late to say that it is planned
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=None)
        report.battle.refresh_from_db()
        assert text_of_notification(report, webhook) == ""

    def test_only_what_it_is_set_to(self, table):
        tell(table.campaign, table.cora, ADDRESS, "battles")
        reported(in_play(planned(table)), table.ada)
        assert not Notification.objects.exists()

    def test_nothing_waits_against_a_guest(self, table):
        tell(table.campaign, table.cora, ADDRESS, "confirmations")
        reported(in_play(against_guest(table)), table.ada)
        assert not Notification.objects.exists()


def test_a_webhook_that_was_there_sends_no_more_than_before():
    assert not Webhook().planned
    assert not Webhook().confirmations
