"""The page where organizers say what Discord is told."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from psycopg import sql

from campaign.battles.services.notifications import deliver
from campaign.models import Notification, Webhook
from campaign.services.webhooks import signing_key
from core.encryption import decrypt, encrypt
from tests.campaign.webhooks import channel, jobs, tell, trial
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

__all__ = ["channel"]

SECRET = "Not-for-the_eyes"
ADDRESS = f"https://discord.com/api/webhooks/1234567890/{SECRET}"
KINDS = list(Webhook.KINDS)


def address(table, name: str = "campaign:webhook") -> str:
    return reverse(name, args=[table.campaign.pk])


def test_the_campaign_leads_organizers_there(as_cora, table):
    assert address(table) in html_of(as_cora.get(table.campaign.get_absolute_url()))
    as_cora.force_login(table.ada)
    assert address(table) not in html_of(as_cora.get(table.campaign.get_absolute_url()))


def test_it_is_set_and_never_shown_again(as_cora, table):
    for _ in range(2):
        answer = as_cora.post(address(table), {"address": ADDRESS, "kinds": ["battles", "arcs"]})
        assert (answer.status_code, answer.headers["Location"]) == (302, address(table))
    webhook = Webhook.objects.get()
    assert (decrypt(webhook.encrypted_address), webhook.kinds, webhook.site) == (
        ADDRESS, {"battles", "arcs"}, "http://testserver",
    )  # fmt: skip
    page = as_cora.get(address(table))
    assert "…/webhooks/1234…, set on" in text_of(page)
    assert "by cora" in text_of(page)
    assert SECRET not in html_of(page)


def test_another_program_at_an_address_that_the_host_allows(as_cora, table, settings):
    assert "Another program" not in text_of(as_cora.get(address(table)))
    settings.SIGNED_WEBHOOK_ORIGINS = ["https://n8n.example.org"]
    assert "address that begins with https://n8n.example.org." in text_of(as_cora.get(address(table)))
    as_cora.post(address(table), {"address": f"https://n8n.example.org/{SECRET}", "kinds": ["battles"]})
    Webhook.objects.update(off_at=timezone.now(), off_status=410)
    page = as_cora.get(address(table))
    assert "Signed webhook, set on" in text_of(page)
    assert f"signed with this key: {signing_key(Webhook.objects.get())}" in text_of(page)
    assert "The receiver no longer knows this webhook (410)." in text_of(page)
    assert SECRET not in html_of(page)


def test_what_is_told_is_changed_without_the_address(as_cora, table):
    tell(table.campaign, table.cora, ADDRESS)
    as_cora.post(address(table), {"address": "", "kinds": ["casualties"]})
    webhook = Webhook.objects.get()
    assert (decrypt(webhook.encrypted_address), webhook.kinds) == (ADDRESS, {"casualties"})


@pytest.mark.parametrize(
    ("typed", "kinds", "sentence"),
    [("", KINDS, "Enter the webhook URL."), ("https://evil.example/hook", KINDS, "A Discord webhook looks like")],
)
def test_a_refusal_loses_nothing(as_cora, table, typed, kinds, sentence):
    answer = as_cora.post(address(table), {"address": typed, "kinds": kinds})
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert typed in html_of(answer)
    assert not Webhook.objects.exists()


def test_a_good_address_that_is_refused_for_something_else_is_kept_sealed(as_cora, table):
    answer = as_cora.post(address(table), {"address": ADDRESS, "kinds": []})
    assert answer.status_code == 422
    assert "Choose what to send, or remove the webhook." in text_of(answer)
    assert "Your URL is stored encrypted" in text_of(answer)
    assert SECRET not in html_of(answer)
    kept = re.search(r'name="kept" value="([^"]+)"', html_of(answer))[1]
    as_cora.post(address(table), {"address": "", "kept": kept, "kinds": KINDS})
    assert decrypt(Webhook.objects.get().encrypted_address) == ADDRESS


def test_what_was_sealed_elsewhere_is_no_address(as_cora, table):
    for kept in ("nonsense", encrypt(ADDRESS), encrypt(f"{uuid4()} {ADDRESS}")):
        answer = as_cora.post(address(table), {"address": "", "kept": kept, "kinds": KINDS})
        assert "Enter the webhook URL." in text_of(answer)


def test_a_test(as_cora, table):
    tell(table.campaign, table.cora, ADDRESS)
    form = {"notification": uuid4()}
    for _ in range(2):
        assert as_cora.post(address(table, "campaign:webhook_test"), form).status_code == 302
    assert ([each.pk for each in Notification.objects.all()], len(jobs())) == ([form["notification"]], 1)
    text = text_of(as_cora.get(address(table)))
    assert "Test message queued. See the result under Latest messages." in text
    assert "waiting Send test message" in text


def test_what_came_back_from_a_test_appears_by_itself(as_cora, table, channel):
    tell(table.campaign, table.cora, channel.address)
    notification = trial(table.campaign, table.cora)
    assert 'data-poll="2"' in html_of(as_cora.get(address(table)))
    deliver("campaign.Notification", notification.pk)
    page = as_cora.get(address(table))
    assert "Discord accepted it sent" in text_of(page)
    assert 'data-poll="2"' not in html_of(page)


def test_a_test_without_a_webhook(as_cora, table):
    as_cora.post(address(table, "campaign:webhook_test"))
    assert "No webhook is set. Save one first." in text_of(as_cora.get(address(table)))


def test_one_that_discord_does_not_know(as_cora, table, channel):
    tell(table.campaign, table.cora, channel.address)
    notification = trial(table.campaign, table.cora)
    channel.answer(404)
    deliver("campaign.Notification", notification.pk)
    page = as_cora.get(address(table))
    assert "Discord no longer knows this webhook (404). Musterbook turned it off on" in text_of(page)
    assert "knows the webhook (404). Create a new one there and enter its URL. failed" in text_of(page)
    assert "Send test message" not in text_of(page)


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("unreachable", "Discord could not be reached."),
        ("silent", "Discord did not answer in time."),
        ("sealed", "The site’s secret key has changed. Enter the URL again."),
        ("302", "Discord redirects to another URL (302). Enter that one."),
        ("400", "Discord refused the message (400). Check the URL."),
        ("429", "Discord gets too many messages (429)."),
        ("503", "Discord had a problem of its own (503)."),
        ("103", "Discord answered 103. Check the URL."),
    ],
)
def test_what_went_wrong(as_cora, table, trouble, words):
    tell(table.campaign, table.cora, ADDRESS)
    Notification.objects.create(campaign=table.campaign, status="failed", error=trouble, settled_at=timezone.now())
    assert f": {words} failed" in text_of(as_cora.get(address(table)))
    Notification.objects.update(status="waiting", settled_at=None)
    assert f": {words} Musterbook keeps trying for six hours. waiting" in text_of(as_cora.get(address(table)))


def test_removing_it(as_cora, table):
    tell(table.campaign, table.cora, ADDRESS)
    for _ in range(2):
        assert as_cora.post(address(table, "campaign:webhook_remove")).status_code == 302
    assert not Webhook.objects.exists()
    assert "Send test message" not in text_of(as_cora.get(address(table)))


def test_as_many_queries_for_three_messages(as_cora, table):
    tell(table.campaign, table.cora, ADDRESS)
    Notification.objects.create(campaign=table.campaign)
    one = queries_of(as_cora, address(table))
    for _ in range(2):
        Notification.objects.create(campaign=table.campaign)
    assert queries_of(as_cora, address(table)) == one


def test_its_secret_stands_nowhere_else(as_cora, table, channel):
    """Not in the database, nor in what organizers, staff and the owner of an account are shown."""
    tell(table.campaign, table.cora, channel.address)
    notification = trial(table.campaign, table.cora)
    channel.answer(403)
    deliver("campaign.Notification", notification.pk)
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            cursor.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(name)))
            assert SECRET not in str(cursor.fetchall()), name
    table.cora.is_staff = table.cora.is_superuser = True
    table.cora.save()
    for page in (
        address(table),
        table.campaign.get_absolute_url(),
        reverse("admin:campaign_campaign_change", args=[table.campaign.pk]),
        reverse("admin:app_list", args=["campaign"]),
        reverse("accounts:download"),
    ):
        answer = as_cora.get(page)
        text = b"".join(answer) if answer.streaming else answer.content
        sealed = Webhook.objects.get().encrypted_address
        assert (answer.status_code, SECRET in text.decode(), sealed in text.decode()) == (200, False, False)
