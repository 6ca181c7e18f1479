"""Sending one dispatch: what Discord's answer makes of it and of the webhook."""

from __future__ import annotations

import pytest
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from campaign import discord
from campaign.models import Dispatch, Webhook
from campaign.services import webhooks
from tests.campaign.battles.amending import annulled
from tests.campaign.battles.closing import closed, last, take_back
from tests.campaign.listening import PATH, silence
from tests.campaign.webhooks import SITE, campaign, channel, cora, dispatch, tell, trial

__all__ = ["campaign", "channel", "cora", "dispatch"]

SENT, NOTHING, FAILED, WAITING = "sent", "nothing", "failed", "waiting"


def state(dispatch: Dispatch) -> tuple[str, str, bool]:
    """Status, trouble, and whether it is settled."""
    dispatch.refresh_from_db()
    return dispatch.status, dispatch.trouble, dispatch.settled_at is not None


def test_it_arrives(dispatch, channel, campaign):
    webhooks.deliver(str(dispatch.pk))
    assert state(dispatch) == (SENT, "", True)
    said = "This is a test: the battles of **Outer Rim Winter** will be told here."
    assert [message["content"].splitlines() for message in channel.heard] == [
        [said, f"<{SITE}/campaigns/{campaign.pk}/>"]
    ]


def test_it_arrives_once(dispatch, channel):
    webhooks.deliver(dispatch.pk)
    webhooks.deliver(dispatch.pk)
    assert len(channel.heard) == 1


def test_a_battle(fought, channel):
    tell(fought.battle.campaign, fought.ada_organises(), channel.address, "casualties")
    battle = closed(fought)
    webhooks.deliver(battle.dispatch.pk)
    assert state(battle.dispatch) == (SENT, "", True)
    assert [message["content"].splitlines() for message in channel.heard] == [
        [
            "**Battle 1** of First Blood: **Ashen Patrol** against **Dune Wardens**",
            "__Fallen__",
            r"• Rebel Troopers \(no\. 2\), Dune Wardens",
            f"<{SITE}{battle.get_absolute_url()}>",
        ]
    ]


def test_a_battle_of_which_nothing_is_told(fought, channel):
    tell(fought.battle.campaign, fought.ada_organises(), channel.address, "arcs")
    battle = closed(fought)
    webhooks.deliver(battle.dispatch.pk)
    assert (state(battle.dispatch), channel.heard) == ((NOTHING, "", True), [])


def test_a_battle_that_was_reopened_is_told_once_it_is_closed_again(fought, channel):
    tell(fought.battle.campaign, fought.ada_organises(), channel.address)
    battle = closed(fought)
    take_back(fought, "blue")
    webhooks.deliver(battle.dispatch.pk)
    assert (state(battle.dispatch), channel.heard) == ((WAITING, "", False), [])
    last(fought)
    for job in ProcrastinateJob.objects.filter(task_name="deliver"):
        webhooks.deliver(job.args["dispatch"])
    assert (state(battle.dispatch), len(channel.heard)) == ((SENT, "", True), 1)


def test_of_a_battle_that_counts_for_nobody_nothing_is_told(fought, channel):
    tell(fought.battle.campaign, fought.ada_organises(), channel.address)
    battle = closed(fought)
    annulled(fought)
    assert state(battle.dispatch) == (NOTHING, "", True)
    webhooks.deliver(battle.dispatch.pk)
    assert (state(battle.dispatch), channel.heard) == ((NOTHING, "", True), [])


@pytest.mark.parametrize("status", [401, 403, 404])
def test_discord_knows_no_such_webhook(dispatch, channel, campaign, status):
    channel.answer(status)
    webhooks.deliver(dispatch.pk)
    assert state(dispatch) == (FAILED, str(status), True)
    webhook = Webhook.objects.get()
    assert (webhook.off_status, webhook.off_at is not None) == (status, True)


def test_another_webhook_that_was_set_meanwhile_stays_on(dispatch, channel, campaign, cora, monkeypatch):
    def gone(address: str, text: str) -> None:
        tell(campaign, cora, address.replace("1234567890", "9876543210"))
        raise discord.Gone("404")

    monkeypatch.setattr(discord, "send", gone)
    webhooks.deliver(dispatch.pk)
    assert (state(dispatch), Webhook.objects.get().off_at) == ((FAILED, "404", True), None)


def test_a_message_that_discord_does_not_take(dispatch, channel):
    channel.answer(400)
    webhooks.deliver(dispatch.pk)
    assert (state(dispatch), Webhook.objects.get().off_at) == ((FAILED, "400", True), None)


@pytest.mark.parametrize("status", [429, 500])
def test_it_shall_be_tried_again(dispatch, channel, status):
    channel.answer(status)
    with pytest.raises(discord.TryLater):
        webhooks.deliver(dispatch.pk)
    assert state(dispatch) == (WAITING, str(status), False)
    webhooks.deliver(dispatch.pk)
    assert state(dispatch) == (SENT, "", True)


def test_one_who_never_answers(campaign, cora, settings):
    settings.WEBHOOK_TIMEOUT = (5, 0.05)
    with silence() as address:
        settings.WEBHOOK_ORIGINS = [address.removesuffix(PATH)]
        tell(campaign, cora, address)
        dispatch = trial(campaign, cora)
        with pytest.raises(discord.TryLater):
            webhooks.deliver(dispatch.pk)
    assert state(dispatch) == (WAITING, "silent", False)


def test_a_webhook_that_was_removed(dispatch, channel, campaign, cora):
    webhooks.remove_webhook(actor=cora, campaign=campaign)
    webhooks.deliver(dispatch.pk)
    assert (state(dispatch), channel.heard) == ((FAILED, "no-webhook", True), [])


def test_a_webhook_that_is_off(dispatch, channel):
    Webhook.objects.update(off_at=timezone.now(), off_status=404)
    webhooks.deliver(dispatch.pk)
    assert (state(dispatch), channel.heard) == ((FAILED, "no-webhook", True), [])


def test_a_webhook_whose_seal_nobody_can_open(dispatch, channel, settings):
    settings.SECRET_KEY = "another"
    webhooks.deliver(dispatch.pk)
    assert (state(dispatch), channel.heard) == ((FAILED, "sealed", True), [])


def test_giving_up_keeps_the_reason(dispatch, channel):
    channel.answer(503)
    with pytest.raises(discord.TryLater):
        webhooks.deliver(dispatch.pk)
    webhooks.give_up(dispatch.pk)
    assert state(dispatch) == (FAILED, "503", True)


def test_nobody_gives_up_what_has_arrived(dispatch):
    webhooks.deliver(dispatch.pk)
    webhooks.give_up(dispatch.pk)
    assert state(dispatch) == (SENT, "", True)
