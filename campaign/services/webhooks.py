"""The Discord channel of a campaign: setting its webhook, and putting dispatches into the queue."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign import discord, tasks
from campaign.models import Battle, Campaign, Dispatch, Webhook
from campaign.services.locks import lock_for_organiser
from config.sealing import seal
from config.together import Changes
from rules.refusal import refuse

EXAMPLE = "https://discord.com/api/webhooks/1234567890/AbC-dEf"
#: For so long a test is waited for before another is sent.
PATIENCE = timedelta(minutes=1)


@transaction.atomic
def set_webhook(
    *, actor: User, campaign: Campaign, address: str, told: Collection[str], site: str
) -> Webhook:
    """Tell the campaign's battles to the webhook with this address, or (an empty one) to the one that is set.

    `told` are the kinds of `Webhook.KINDS`; `site` is where the site is, for links. An address switches on again
    what Discord had refused. Refuses who does not organise the campaign, an address that is not Discord's, none
    where none is set, and no kind at all.
    """
    lock_for_organiser(actor, campaign, _only_organisers())
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
        webhook.sealed, webhook.hint = seal(address), number[:4]
        webhook.set_by, webhook.set_at = actor, timezone.now()
        webhook.off_at = webhook.off_status = None
    webhook.save()
    return webhook


@transaction.atomic
def remove_webhook(*, actor: User, campaign: Campaign) -> None:
    """Forget the webhook of a campaign; what is on its way is not sent. Doing it again changes nothing.

    Refuses who does not organise the campaign.
    """
    lock_for_organiser(actor, campaign, _only_organisers())
    Webhook.objects.filter(campaign=campaign).delete()


@transaction.atomic
def send_trial(*, actor: User, campaign: Campaign, dispatch_id: UUID) -> Dispatch:
    """Send a test to the campaign's channel. While one has just been sent, it is not sent again.

    `dispatch_id` is the primary key it shall have, so that a form which comes twice sends one. Refuses who does
    not organise the campaign, and one without a webhook that is on.
    """
    lock_for_organiser(actor, campaign, _only_organisers())
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
        _deliver([dispatch.pk])
    return dispatch


def tell_of(battle: Battle, together: Changes) -> None:
    """Put the dispatch of a battle that closes into the queue, once what closes it is written `together`.

    So it is sent if the battle is closed, and not if that is rolled back. While it waits it is put there each time that
    the battle closes: the job that was there may have found it reopened. Nothing happens where nobody wants to be told.
    """
    together.returning("id", _WAITS, uuid4(), battle.pk, timezone.now(), battle.campaign_id, to=_deliver)


#: A dispatch that is not sent yet, if the campaign has a webhook that is on.
_WAITS = """
    INSERT INTO campaign_dispatch AS there (id, campaign_id, battle_id, status, trouble, created_at)
    SELECT %s, campaign_id, %s, 'waiting', '', %s FROM campaign_webhook WHERE campaign_id = %s AND off_at IS NULL
    ON CONFLICT (battle_id) DO UPDATE SET status = there.status WHERE there.status = 'waiting' RETURNING id
"""


def tell_nothing_of(battle: Battle, together: Changes) -> None:
    """Settle the dispatch of a battle that counts for nobody any more, if nobody was told of it yet: with the changes
    that are written `together`."""
    waiting = Dispatch.objects.filter(battle=battle, status=Dispatch.Status.WAITING)
    together.change(waiting, status=Dispatch.Status.NOTHING, trouble="", settled_at=timezone.now())


def _deliver(dispatches: Collection[UUID]) -> None:
    """Put dispatches into the queue. By their lock no two workers send the same one at once."""
    for key in dispatches:
        tasks.deliver.configure(lock=f"dispatch-{key}").defer(dispatch=str(key))


def _only_organisers() -> str:
    return gettext("Only an organiser decides what Discord is told.")
