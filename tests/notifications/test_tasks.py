"""The queue under faults: a real worker, a server that stands in Discord's place, and a clock of the test's own."""

import os
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateEvent, ProcrastinateJob
from procrastinate.exceptions import AlreadyEnqueued

from campaign.battles.services import notifications
from campaign.models import Campaign, Membership, Notification, Webhook
from notifications import tasks
from ops import tasks as ops_tasks
from ops.paths import BASE_DIR
from tests.campaign.webhooks import campaign, channel, cora, jobs, no_jobs, notification, tell, trial, work
from tests.notifications.listening import PATH, nobody, silence
from tests.registers.factories import make_player

__all__ = ["campaign", "channel", "cora", "no_jobs", "notification"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_jobs")]

NOW = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def long_ago(monkeypatch):
    """The next try is reckoned from a day long past: it is due at once, and nobody has to wait."""
    monkeypatch.setattr(tasks.timezone, "now", lambda: NOW)


def waits() -> list[int]:
    """Seconds from each failure to the next try."""
    events = ProcrastinateEvent.objects.filter(type="scheduled").order_by("pk")
    return [int((event.at - NOW).total_seconds()) for event in events]


def state(notification: Notification) -> tuple[str, str]:
    notification.refresh_from_db()
    return notification.status, notification.error


def test_a_message_arrives(notification, channel):
    work()
    assert (len(channel.heard), state(notification), jobs()) == (1, ("sent", ""), [("succeeded", 1)])


def test_two_failures_then_it_arrives(notification, channel, long_ago):
    channel.answer(500)
    channel.answer(502)
    work()
    assert (len(channel.heard), state(notification), jobs()) == (3, ("sent", ""), [("succeeded", 3)])
    assert waits() == [4, 16]


def test_too_many_messages_wait_as_long_as_discord_asks(notification, channel, long_ago):
    channel.answer(429, Retry_After="120")
    work()
    assert (state(notification), waits()) == (("sent", ""), [121])


def test_but_never_less_than_the_back_off(notification, channel, long_ago):
    channel.answer(429, Retry_After="0.3")
    work()
    assert (state(notification), waits()) == (("sent", ""), [4])


def test_a_try_that_is_not_due_yet_is_not_made(notification, channel, monkeypatch):
    monkeypatch.setattr(tasks, "BACK_OFF", 3600)  # however slow the machine is
    channel.answer(500)
    work()
    work()
    assert (len(channel.heard), state(notification), jobs()) == (1, ("waiting", "500"), [("todo", 1)])


def test_nobody_is_there_for_a_day(campaign, cora, settings, long_ago):
    address = nobody()
    settings.WEBHOOK_ORIGINS = [address.removesuffix(PATH)]
    tell(campaign, cora, address)
    notification = trial(campaign, cora)
    work()
    assert (state(notification), jobs()) == (("failed", "unreachable"), [("failed", 8)])
    assert waits() == [4, 16, 64, 256, 1024, 4096, 16384]
    assert Webhook.objects.get().off_at is None


def test_one_who_never_answers_holds_up_no_others(notification, channel, cora, settings):
    settings.WEBHOOK_TIMEOUT = (5, 0.5)
    other = Campaign.objects.create(name="Inner Core")
    Membership.objects.create(campaign=other, user=cora, role=Membership.Role.ORGANIZER)
    with silence() as address:
        settings.WEBHOOK_ORIGINS += [address.removesuffix(PATH)]
        tell(notification.campaign, cora, address)
        tell(other, cora, channel.address)
        second = trial(other, cora)
        work(at_once=4)
    assert (state(notification), state(second)) == (("waiting", "silent"), ("sent", ""))
    assert jobs() == [("todo", 1), ("succeeded", 1)]


def test_a_webhook_that_is_gone_is_asked_once(notification, channel, long_ago):
    channel.answer(404)
    work()
    assert (len(channel.heard), state(notification), jobs()) == (1, ("failed", "404"), [("succeeded", 1)])
    assert Webhook.objects.get().off_status == 404


def test_whatever_goes_wrong_is_tried_again_and_given_up_in_the_end(notification, monkeypatch, long_ago):
    def broken(model: str, notification: str) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(notifications, "deliver", broken)
    work()
    assert (state(notification), jobs()) == (("failed", ""), [("failed", 8)])


def test_the_queue_holds_no_secrets(notification, channel):
    channel.answer(404)
    work()
    kept = str(list(ProcrastinateJob.objects.values())) + str(list(Notification.objects.values()))
    assert PATH.rpartition("/")[2] not in kept


def test_what_a_worker_had_in_hand_when_it_was_killed(notification, channel):
    with connection.cursor() as cursor:  # as a kill leaves it: in hand, of a worker that is silent
        cursor.execute("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (%s) RETURNING id", [NOW])
        [worker] = cursor.fetchone()
        cursor.execute("UPDATE procrastinate_jobs SET status = 'doing', worker_id = %s", [worker])
    ops_tasks.take_up_stalled.defer(timestamp=0)
    work()
    assert (len(channel.heard), state(notification), jobs()) == (1, ("sent", ""), [("succeeded", 2)])


WORKER = """
import sys
from django.conf import settings
from django.core.management import execute_from_command_line

settings.WEBHOOK_ORIGINS = sys.argv[1:]
execute_from_command_line(["manage.py", "procrastinate", "worker"])
"""


@pytest.mark.nightly
def test_a_worker_that_is_killed_while_discord_is_silent(campaign, cora, channel, settings):
    """The whole of it, with a worker of its own: nothing is lost, and the next one delivers it."""
    with silence() as address:
        origin = address.removesuffix(PATH)
        settings.WEBHOOK_ORIGINS += [origin]
        tell(campaign, cora, address)
        notification = trial(campaign, cora)
        there = connection.connection.info
        database = f"postgresql://{there.user}@/{there.dbname}?host={there.host}&port={there.port}"
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, origin],
            env=os.environ
            | {"DATABASE_URL": database, "PGPASSWORD": there.password, "DJANGO_SETTINGS_MODULE": "config.settings"},
            cwd=BASE_DIR,
        )
        while jobs() != [("doing", 0)]:
            assert worker.poll() is None
        worker.kill()
        worker.wait()
    assert (state(notification), jobs()) == (("waiting", ""), [("doing", 0)])
    tell(campaign, cora, channel.address)
    with connection.cursor() as cursor:  # a minute later
        cursor.execute("UPDATE procrastinate_workers SET last_heartbeat = %s", [NOW])
    with suppress(AlreadyEnqueued):  # the worker that was killed has put it into the queue itself, if it was time
        ops_tasks.take_up_stalled.defer(timestamp=0)
    work()
    assert (len(channel.heard), state(notification), jobs()) == (1, ("sent", ""), [("succeeded", 2)])


def test_old_jobs_are_forgotten(notification):
    work()
    young = trial(notification.campaign, make_player("ada", is_staff=True, is_superuser=True))
    work()
    long_past = datetime.now(UTC) - timedelta(days=8)
    ProcrastinateEvent._meta.base_manager.filter(job__args__notification=str(notification.pk)).update(at=long_past)
    ops_tasks.clean_up.defer(timestamp=0)
    work()
    assert [job.args for job in ProcrastinateJob.objects.filter(task_name="deliver")] == [
        {"model": "campaign.Notification", "notification": str(young.pk)}
    ]


def test_several_are_delivered_at_once(settings):
    assert settings.PROCRASTINATE_WORKER_DEFAULTS == {"concurrency": 4}


def test_they_run_by_themselves():
    assert {task.task.name: task.cron for task in app.periodic_registry.periodic_tasks.values()} == {
        "take_up_stalled": "*/5 * * * *",
        "forget_expired": "7 4 * * *",
        "clean_up": "17 4 * * *",
        "clean_uploads": "47 4 * * *",
        "prove_books": "27 3 * * *",
        "write_campaigns": "17 3 * * *",
        "delete_sandboxes": "*/10 * * * *",
        "prepare_sandboxes": "5-55/10 * * * *",
        "clean_event_files": "57 4 * * *",
        "forget_notifications": "37 4 * * *",
        "send_reminders": "11 * * * *",
        "remove_campaigns": "27 4 * * *",
        "remind_of_army_lists": "21 * * * *",
    }
