"""A campaign whose webhook is a listener of the test's own, and a worker that runs until nothing is left to do."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from campaign.models import Campaign, Notification, Webhook
from campaign.services import campaigns, webhooks
from tests.notifications.listening import Listener, listening
from tests.registers.factories import make_player

SITE = "https://musterbook.example"


@pytest.fixture
def channel(settings) -> Iterator[Listener]:
    """What stands where Discord would."""
    with listening() as listener:
        settings.WEBHOOK_ORIGINS = [listener.origin]
        yield listener


@pytest.fixture
def cora(db) -> User:
    return make_player("cora")


@pytest.fixture
def campaign(cora) -> Campaign:
    """A campaign that cora organizes, and nothing in it."""
    return campaigns.create_campaign(actor=cora, name="Outer Rim Winter")


@pytest.fixture
def notification(campaign, cora, channel) -> Notification:
    """A test that is on its way."""
    tell(campaign, cora, channel.address)
    return trial(campaign, cora)


@pytest.fixture
def no_jobs() -> Iterator[None]:
    """Tests that commit leave no jobs behind: emptying the tables passes those of the queue by."""
    yield
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE procrastinate_jobs, procrastinate_workers CASCADE")


def tell(campaign: Campaign, actor: User, address: str, *args: str) -> Webhook:
    """Set the campaign's webhook; without `args` it is told everything."""
    return webhooks.set_webhook(actor=actor, campaign=campaign, address=address, kinds=args or Webhook.KINDS, site=SITE)


def trial(campaign: Campaign, actor: User) -> Notification:
    """Put a test into the queue."""
    return webhooks.send_test(actor=actor, campaign=campaign, notification_id=uuid4())


def work(*, at_once: int = 1) -> None:
    """Do everything that is due, so many jobs at once; what comes due meanwhile is done as well if it is one.

    In a thread of its own: a browser test that ran before leaves its event loop in this one. Periodic jobs stay out:
    building the sandboxes of the demo takes seconds.
    """
    connector = app.connector.get_worker_connector()
    periodic = patch.dict(app.periodic_defaults, max_delay=-1)
    with periodic, app.replace_connector(connector), ThreadPoolExecutor(1) as thread:
        thread.submit(
            app.run_worker, wait=False, concurrency=at_once, install_signal_handlers=False, listen_notify=False
        ).result()


def jobs(**wanted: Any) -> list[tuple[str, int]]:
    """Status and tries of the jobs that deliver."""
    found = ProcrastinateJob.objects.filter(task_name="deliver", **wanted).order_by("pk")
    return list(found.values_list("status", "attempts"))
