"""Sending one notification: what Discord's answer makes of it and of the webhook."""

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from campaign.battles.services.notifications import deliver
from campaign.models import Notification, Webhook
from campaign.services import webhooks
from notifications import discord, web_requests
from notifications.services.delivery import give_up
from tests.campaign.battles.amending import annulled
from tests.campaign.battles.closing import closed, last, undo
from tests.campaign.webhooks import SITE, campaign, channel, cora, notification, tell, trial
from tests.notifications.listening import PATH, silence

__all__ = ["campaign", "channel", "cora", "notification"]

SENT, NOTHING, FAILED, WAITING = "sent", "nothing", "failed", "waiting"


def state(notification: Notification) -> tuple[str, str, bool]:
    """Status, trouble, and whether it is settled."""
    notification.refresh_from_db()
    return notification.status, notification.error, notification.settled_at is not None


def test_it_arrives(notification, channel, campaign):
    deliver("campaign.Notification", str(notification.pk))
    assert state(notification) == (SENT, "", True)
    sentence = "Test message: Musterbook will post news of **Outer Rim Winter** here."
    assert [message["content"].splitlines() for message in channel.heard] == [
        [sentence, f"<{SITE}/campaigns/{campaign.pk}/>"]
    ]


def test_it_arrives_once(notification, channel):
    deliver("campaign.Notification", notification.pk)
    deliver("campaign.Notification", notification.pk)
    assert len(channel.heard) == 1


def test_a_battle(fought, channel):
    tell(fought.battle.campaign, fought.ada_organizes(), channel.address, "casualties")
    battle = closed(fought)
    deliver("campaign.Notification", battle.notifications.get().pk)
    assert state(battle.notifications.get()) == (SENT, "", True)
    assert [message["content"].splitlines() for message in channel.heard] == [
        [
            "**Battle 1** of First Blood: **Ashen Patrol** against **Dune Wardens**",
            "__Fallen__",
            r"• Rebel Troopers \(no\. 2\), Dune Wardens",
            f"<{SITE}{battle.get_absolute_url()}>",
        ]
    ]


def test_a_battle_of_which_nothing_is_told(fought, channel):
    tell(fought.battle.campaign, fought.ada_organizes(), channel.address, "arcs")
    battle = closed(fought)
    deliver("campaign.Notification", battle.notifications.get().pk)
    assert (state(battle.notifications.get()), channel.heard) == ((NOTHING, "", True), [])


def test_a_battle_that_was_reopened_is_told_once_it_is_closed_again(fought, channel):
    tell(fought.battle.campaign, fought.ada_organizes(), channel.address)
    battle = closed(fought)
    undo(fought, "blue")
    deliver("campaign.Notification", battle.notifications.get().pk)
    assert (state(battle.notifications.get()), channel.heard) == ((WAITING, "", False), [])
    last(fought)
    for job in ProcrastinateJob.objects.filter(task_name="deliver"):
        deliver("campaign.Notification", job.args["notification"])
    assert (state(battle.notifications.get()), len(channel.heard)) == ((SENT, "", True), 1)


def test_of_a_battle_that_counts_for_nobody_nothing_is_told(fought, channel):
    tell(fought.battle.campaign, fought.ada_organizes(), channel.address)
    battle = closed(fought)
    annulled(fought)
    assert state(battle.notifications.get()) == (NOTHING, "", True)
    deliver("campaign.Notification", battle.notifications.get().pk)
    assert (state(battle.notifications.get()), channel.heard) == ((NOTHING, "", True), [])


@pytest.mark.parametrize("status", [401, 403, 404])
def test_discord_knows_no_such_webhook(notification, channel, campaign, status):
    channel.answer(status)
    deliver("campaign.Notification", notification.pk)
    assert state(notification) == (FAILED, str(status), True)
    webhook = Webhook.objects.get()
    assert (webhook.off_status, webhook.off_at is not None) == (status, True)


def test_another_webhook_that_was_set_meanwhile_stays_on(notification, channel, campaign, cora, monkeypatch):
    def gone(address: str, text: str) -> None:
        tell(campaign, cora, address.replace("1234567890", "9876543210"))
        raise web_requests.Gone("404")

    monkeypatch.setattr(discord, "send", gone)
    deliver("campaign.Notification", notification.pk)
    assert (state(notification), Webhook.objects.get().off_at) == ((FAILED, "404", True), None)


def test_a_message_that_discord_does_not_take(notification, channel):
    channel.answer(400)
    deliver("campaign.Notification", notification.pk)
    assert (state(notification), Webhook.objects.get().off_at) == ((FAILED, "400", True), None)


@pytest.mark.parametrize("status", [429, 500])
def test_it_shall_be_tried_again(notification, channel, status):
    channel.answer(status)
    with pytest.raises(web_requests.TryLater):
        deliver("campaign.Notification", notification.pk)
    assert state(notification) == (WAITING, str(status), False)
    deliver("campaign.Notification", notification.pk)
    assert state(notification) == (SENT, "", True)


def test_one_who_never_answers(campaign, cora, settings):
    settings.WEBHOOK_TIMEOUT = (5, 0.05)
    with silence() as address:
        settings.WEBHOOK_ORIGINS = [address.removesuffix(PATH)]
        tell(campaign, cora, address)
        notification = trial(campaign, cora)
        with pytest.raises(web_requests.TryLater):
            deliver("campaign.Notification", notification.pk)
    assert state(notification) == (WAITING, "silent", False)


def test_a_webhook_that_was_removed(notification, channel, campaign, cora):
    webhooks.remove_webhook(actor=cora, campaign=campaign)
    deliver("campaign.Notification", notification.pk)
    assert (state(notification), channel.heard) == ((FAILED, "no-webhook", True), [])


def test_a_webhook_that_is_off(notification, channel):
    Webhook.objects.update(off_at=timezone.now(), off_status=404)
    deliver("campaign.Notification", notification.pk)
    assert (state(notification), channel.heard) == ((FAILED, "no-webhook", True), [])


def test_a_webhook_whose_seal_nobody_can_open(notification, channel, settings):
    settings.SECRET_KEY = "another"
    deliver("campaign.Notification", notification.pk)
    assert (state(notification), channel.heard) == ((FAILED, "sealed", True), [])


def test_giving_up_keeps_the_reason(notification, channel):
    channel.answer(503)
    with pytest.raises(web_requests.TryLater):
        deliver("campaign.Notification", notification.pk)
    give_up("campaign.Notification", notification.pk)
    assert state(notification) == (FAILED, "503", True)


def test_nobody_gives_up_what_has_arrived(notification):
    deliver("campaign.Notification", notification.pk)
    give_up("campaign.Notification", notification.pk)
    assert state(notification) == (SENT, "", True)
