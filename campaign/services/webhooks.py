"""Tell a campaign's Discord channel what happens."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign import discord, tasks
from campaign.battles.models import Battle
from campaign.discord import message_of, trial_message
from campaign.models import Campaign, Dispatch, Webhook
from campaign.services.locks import lock_organized
from core.encryption import decrypt, encrypt
from rules.core.violations import refuse

EXAMPLE = "https://discord.com/api/webhooks/1234567890/AbC-dEf"
#: For so long a test is waited for before another is sent.
PATIENCE = timedelta(minutes=1)


@transaction.atomic
def set_webhook(
    *, actor: User, campaign: Campaign, address: str, told: Collection[str], site: str
) -> Webhook:
    """Tell the campaign's battles to the webhook with this address, or (an empty one) to the one that is set. `told`
    are the kinds of `Webhook.KINDS`; `site` is where the site is, for links. An address switches on again what Discord
    had refused. Refuses who does not organise the campaign, an address that is not Discord's, none where none is set,
    and no kind at all.
    """
    campaign = lock_organized(actor, campaign, _only_organisers())
    address = address.strip()
    number = discord.number_of(address)
    webhook = Webhook.objects.filter(campaign=campaign).first()
    if address and number is None:
        said = gettext("A webhook of Discord looks like {example}, and nothing comes after it.")
        raise refuse("", said.format(example=EXAMPLE), "address")
    if not address and webhook is None:
        raise refuse("", gettext("Enter the address of the webhook."), "address")
    kinds = {kind: kind in told for kind in Webhook.KINDS}
    if not any(kinds.values()):
        raise refuse("", gettext("Tick what is told, or remove the webhook."), "told")
    webhook = webhook or Webhook(campaign=campaign)
    for kind, on in kinds.items():
        setattr(webhook, kind, on)
    webhook.site = site
    if number is not None:
        webhook.sealed, webhook.hint = encrypt(address), number[:4]
        webhook.set_by, webhook.set_at = actor, timezone.now()
        webhook.off_at = webhook.off_status = None
    webhook.save()
    return webhook


@transaction.atomic
def remove_webhook(*, actor: User, campaign: Campaign) -> None:
    """Delete the webhook of a campaign; messages not sent yet are dropped. Doing it again changes nothing. Refuses
    anyone but an organizer of the campaign.
    """
    campaign = lock_organized(actor, campaign, _only_organisers())
    Webhook.objects.filter(campaign=campaign).delete()


@transaction.atomic
def send_trial(*, actor: User, campaign: Campaign, dispatch_id: UUID) -> Dispatch:
    """Send a test to the campaign's channel. While one has just been sent, it is not sent again. `dispatch_id` is the
    primary key it shall have, so that a form which comes twice sends one. Refuses who does not organise the campaign,
    and one without a webhook that is on.
    """
    campaign = lock_organized(actor, campaign, _only_organisers())
    if not Webhook.objects.filter(campaign=campaign, off_at__isnull=True).exists():
        raise refuse("", gettext("There is no webhook to send a test to."), "address")
    on_its_way = Dispatch.objects.filter(
        campaign=campaign,
        battle__isnull=True,
        status=Dispatch.Status.WAITING,
        created_at__gt=timezone.now() - PATIENCE,
    )
    if earlier := on_its_way.first():
        return earlier
    dispatch, new = Dispatch.objects.get_or_create(pk=dispatch_id, defaults={"campaign": campaign})
    if new:
        _deliver(dispatch)
    return dispatch


def tell_of(battle: Battle) -> None:
    """Queue the dispatch of a locked battle that closes, in the same transaction, if the campaign's webhook is on. A
    dispatch that is still waiting is queued again each time the battle closes: the earlier job may have found the
    battle reopened.
    """
    if not Webhook.objects.filter(campaign=battle.campaign_id, off_at=None).exists():
        return
    dispatch, _ = Dispatch.objects.get_or_create(battle=battle, defaults={"campaign_id": battle.campaign_id})
    if dispatch.status == Dispatch.Status.WAITING:
        _deliver(dispatch)


def tell_nothing_of(battle: Battle) -> None:
    """Settle the waiting dispatch of a battle that no longer counts: nobody was told of it yet."""
    Dispatch.objects.filter(battle=battle, status=Dispatch.Status.WAITING).update(
        status=Dispatch.Status.NOTHING, trouble="", settled_at=timezone.now()
    )


def _deliver(dispatch: Dispatch) -> None:
    """Queue a dispatch. The queue's lock keeps two workers from sending the same one at once."""
    tasks.deliver.configure(lock=f"dispatch-{dispatch.pk}").defer(dispatch=str(dispatch.pk))


def _only_organisers() -> str:
    return gettext("Only an organiser decides what Discord is told.")


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
    address = decrypt(webhook.sealed) if webhook else None
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
        # Not where an organiser has set another one while Discord was asked.
        same = Webhook.objects.filter(pk=webhook.pk, sealed=webhook.sealed)
        same.update(off_at=timezone.now(), off_status=int(gone.trouble))
        _settle(dispatch, Dispatch.Status.FAILED, gone.trouble)
    except discord.Refused as refused:
        _settle(dispatch, Dispatch.Status.FAILED, refused.trouble)
    except discord.TryLater as later:
        Dispatch.objects.filter(pk=dispatch.pk, status=Dispatch.Status.WAITING).update(trouble=later.trouble)
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
