"""Speaking to a webhook of another program, against a server that stands in its place."""

import re
import time

import pytest

from campaign.battles.services.notifications import deliver
from campaign.models import Webhook
from campaign.services import webhooks
from notifications import signed_webhook
from notifications.web_requests import MessageRefused
from ops.paths import BASE_DIR
from rules.core.violations import RuleViolation
from tests.campaign.webhooks import SITE, campaign, cora, tell, trial
from tests.notifications.listening import Listener, listening

__all__ = ["campaign", "cora"]


@pytest.fixture
def program(settings):
    """Another program, at an origin that the host allows."""
    with listening() as listener:
        settings.SIGNED_WEBHOOK_ORIGINS = [listener.origin]
        yield listener


def checker():
    """The function that the docs give to receivers."""
    text = (BASE_DIR / "docs" / "webhooks.md").read_text(encoding="utf-8")
    found: dict = {}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], found)  # noqa: S102 - our own docs
    return found["is_from_musterbook"]


def test_a_receiver_can_check_what_comes_as_the_docs_say(program: Listener, campaign, cora, monkeypatch):
    sent = []
    monkeypatch.setattr(
        signed_webhook, "deliver", lambda address, **more: sent.append((address, more["headers"], more["data"]))
    )
    webhook = tell(campaign, cora, f"{program.origin}/hook?token=hush")
    assert (webhook.hint, str(webhook)) == ("", "Signed webhook")
    assert not [value for value in Webhook.objects.values().get().values() if "hush" in str(value)]
    deliver("campaign.Notification", trial(campaign, cora).pk)

    [(address, headers, body)] = sent
    key, is_from_musterbook = webhooks.signing_key(webhook), checker()
    assert address == f"{program.origin}/hook?token=hush"
    assert is_from_musterbook(key, headers, body)
    assert not is_from_musterbook(key, headers, body + b" ")
    assert not is_from_musterbook("0" * 64, headers, body)
    later = int(headers["Musterbook-Timestamp"]) - 1
    assert not is_from_musterbook(key, headers | {"Musterbook-Timestamp": str(later)}, body)
    old = int(time.time()) - 400
    forged = {"Musterbook-Timestamp": str(old), "Musterbook-Signature": signed_webhook.signature(key, old, body)}
    assert not is_from_musterbook(key, forged, body)


def test_it_arrives_with_what_discord_gets(program: Listener, campaign, cora):
    tell(campaign, cora, f"{program.origin}/hook")
    notification = trial(campaign, cora)
    deliver("campaign.Notification", notification.pk)
    notification.refresh_from_db()
    link = f"{SITE}/campaigns/{campaign.pk}/"
    assert (notification.status, program.paths) == ("sent", ["/hook"])
    assert program.heard == [
        {
            "id": str(notification.pk),
            "text": f"Test message: Musterbook will post news of Outer Rim Winter here.\n{link}",
            "markdown": f"Test message: Musterbook will post news of **Outer Rim Winter** here.\n<{link}>",
        }
    ]


def test_one_that_is_gone_is_turned_off(program: Listener, campaign, cora):
    tell(campaign, cora, f"{program.origin}/hook")
    program.answer(410)
    deliver("campaign.Notification", trial(campaign, cora).pk)
    assert Webhook.objects.get().off_status == 410


@pytest.mark.parametrize(
    "address",
    [
        "https://n8n.example.org", "https://n8n.example.org.evil.example/x", "https://n8n.example.org@evil.example/x",
        "https://n8n.example.org:8443/x", "http://n8n.example.org/x", "https://evil.example/https://n8n.example.org/x",
        "https://n8n.example.org/x#y", "https://n8n.example.org/x\ny", "https://n8n.example.org/x y",
        "https://127.0.0.1/x",
    ],
)  # fmt: skip
def test_nobody_else_is_called(address, settings, campaign, cora):
    settings.SIGNED_WEBHOOK_ORIGINS = ["https://n8n.example.org"]
    assert signed_webhook.is_allowed("https://n8n.example.org/webhook/a-B_9?x=1")
    assert not signed_webhook.is_allowed(address)
    with pytest.raises(MessageRefused):
        signed_webhook.send(address, "Hello", key="k", number="1")
    with pytest.raises(RuleViolation):
        tell(campaign, cora, address)


def test_the_key_is_of_one_campaign_and_one_address():
    keys = {signed_webhook.key_of(owner, address) for owner in (1, 2) for address in ("https://a/x", "https://a/y")}
    assert (len(keys), {len(key) for key in keys}) == (4, {64})
