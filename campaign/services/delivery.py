"""Sending a campaign's dispatches to its Discord channel. Only the worker of the queue does this, no page."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaign import discord
from campaign.dispatches import message_of, trial_message
from campaign.models import Battle, Dispatch, Webhook
from config.secret_key import unseal


def deliver(dispatch_id: UUID | str) -> None:
    """Send a dispatch that is on its way; one that is settled, or whose webhook is gone, is left alone.

    One of a battle that was reopened waits: `webhooks.tell_of` has it delivered when that closes again.
    Discord's answer decides: it arrived; it will never arrive (and where Discord knows no such webhook, that one is
    switched off); or, raising `discord.TryLater`, it shall be tried again. No row is locked while Discord is asked,
    so a worker that is killed after the answer and before this is written down sends the message once more.
    """
    dispatch = Dispatch.objects.select_related("campaign__webhook", "battle__campaign").get(pk=dispatch_id)
    if dispatch.status != Dispatch.Status.WAITING:
        return
    webhook = Webhook.objects.filter(campaign=dispatch.campaign_id, off_at__isnull=True).first()
    address = unseal(webhook.sealed) if webhook else None
    if webhook is None or address is None:
        _settle(dispatch, Dispatch.Status.FAILED, "no-webhook" if webhook is None else "sealed")
        return
    if dispatch.battle and dispatch.battle.status != Battle.Status.CLOSED:
        return
    text = _text(dispatch, webhook)
    try:
        if text:
            discord.send(address, text)
    except discord.Gone as gone:
        _switch_off(webhook, int(gone.trouble))
        _settle(dispatch, Dispatch.Status.FAILED, gone.trouble)
    except discord.Refused as refused:
        _settle(dispatch, Dispatch.Status.FAILED, refused.trouble)
    except discord.TryLater as later:
        _note(dispatch, later.trouble)
        raise
    else:
        _settle(dispatch, Dispatch.Status.SENT if text else Dispatch.Status.NOTHING)


def give_up(dispatch_id: UUID | str) -> None:
    """Try a dispatch no more; why the last try failed stays written there."""
    Dispatch.objects.filter(pk=dispatch_id, status=Dispatch.Status.WAITING).update(
        status=Dispatch.Status.FAILED, settled_at=timezone.now()
    )


def _text(dispatch: Dispatch, webhook: Webhook) -> str:
    if dispatch.battle is None:
        page = reverse("campaign:detail", args=[dispatch.campaign_id])
        return trial_message(dispatch.campaign.name, f"{webhook.site}{page}")
    return message_of(dispatch.battle, webhook.told, f"{webhook.site}{dispatch.battle.get_absolute_url()}")


def _settle(dispatch: Dispatch, status: Dispatch.Status, trouble: str = "") -> None:
    """Of two workers that have the same one, after one was thought dead, the first has the last word."""
    Dispatch.objects.filter(pk=dispatch.pk, status=Dispatch.Status.WAITING).update(
        status=status, trouble=trouble, settled_at=timezone.now()
    )


def _note(dispatch: Dispatch, trouble: str) -> None:
    Dispatch.objects.filter(pk=dispatch.pk, status=Dispatch.Status.WAITING).update(trouble=trouble)


@transaction.atomic
def _switch_off(webhook: Webhook, status: int) -> None:
    """Switch it off, unless an organiser has set another one while Discord was asked."""
    same = Webhook.objects.select_for_update().filter(pk=webhook.pk, sealed=webhook.sealed)
    same.update(off_at=timezone.now(), off_status=status)
