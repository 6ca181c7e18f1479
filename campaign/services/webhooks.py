"""Set a campaign's Discord webhook, and queue notifications about its battles."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.models import Campaign, Notification, Subject, Webhook
from campaign.models.notification import NEEDS
from campaign.services.locks import lock_organized
from core.encryption import decrypt, encrypt
from notifications.discord import LONGEST, length, webhook_number
from notifications.services import delivery
from notifications.signed_webhook import is_allowed, key_of
from rules.core.violations import refuse

ONLY_ORGANIZERS = gettext_noop("Only an organizer can change Discord notifications.")
EXAMPLE = "https://discord.com/api/webhooks/1234567890/AbC-dEf"
#: How long a test may take before another can be sent.
PATIENCE = timedelta(minutes=1)


@transaction.atomic
def set_webhook(*, actor: User, campaign: Campaign, address: str, kinds: Collection[str], site: str) -> Webhook:
    """Set the campaign's webhook to this address, or change the settings of the current one if the address is empty.
    `kinds` are those of `Webhook.KINDS`; `site` is the address of the site, for links. Setting an address switches a
    webhook on again that Discord had refused. Refuses an actor who does not organize the campaign, an address that is
    neither Discord's nor allowed by the host, an empty address if none is set, and an empty `kinds`.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    address = address.strip()
    number = webhook_number(address)
    webhook = Webhook.objects.filter(campaign=campaign).first()
    if address and number is None and not is_allowed(address):
        text = gettext("A Discord webhook looks like %(example)s, with nothing after it.")
        raise refuse("", text % {"example": EXAMPLE}, "address")
    if not address and webhook is None:
        raise refuse("", gettext("Enter the webhook URL."), "address")
    chosen = {kind: kind in kinds for kind in Webhook.KINDS}
    if not any(chosen.values()):
        raise refuse("", gettext("Choose what to send, or remove the webhook."), "kinds")
    webhook = webhook or Webhook(campaign=campaign)
    for kind, on in chosen.items():
        setattr(webhook, kind, on)
    webhook.site = site
    if address:
        webhook.encrypted_address, webhook.hint = encrypt(address), (number or "")[:4]
        webhook.set_by, webhook.set_at = actor, timezone.now()
        webhook.off_at = webhook.off_status = None
    webhook.save()
    return webhook


def signing_key(webhook: Webhook) -> str:
    """Return the key that signs the messages to a webhook; empty for one of Discord."""
    address = decrypt(webhook.encrypted_address) if webhook.is_signed else None
    return key_of(webhook.pk, address) if address else ""


@transaction.atomic
def remove_webhook(*, actor: User, campaign: Campaign) -> None:
    """Delete the webhook with its unsent messages; doing it again changes nothing. Refuses anyone but an organizer."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    Webhook.objects.filter(campaign=campaign).delete()


@transaction.atomic
def send_test(*, actor: User, campaign: Campaign, notification_id: UUID) -> Notification:
    """Send a test to the campaign's channel, unless one to the same address waits. `notification_id` is its primary
    key, so that a form sent twice sends one. Refuses anyone but an organizer of the campaign, and a campaign without a
    webhook that is on.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS), until=Campaign.State.CLOSED)
    webhook = Webhook.objects.filter(campaign=campaign, off_at__isnull=True).first()
    if webhook is None:
        raise refuse("", gettext("No webhook is set. Save one first."), "address")
    on_its_way = Notification.objects.filter(
        campaign=campaign,
        battle__isnull=True,
        status=Notification.Status.WAITING,
        created_at__gt=max(timezone.now() - PATIENCE, webhook.set_at),
    )
    if earlier := on_its_way.first():
        return earlier
    notification, new = Notification.objects.get_or_create(pk=notification_id, defaults={"campaign": campaign})
    if new:
        delivery.queue(notification)
    return notification


def post(campaign: Campaign, about: Subject, lines: Sequence[str], path: str, *, key: object) -> None:
    """Queue a message of these lines and the address of a page to the campaign's channel, in the same transaction, if
    its webhook asks for that. `lines` are Markdown: names must be `escaped`. One with this `key` is sent once.
    """
    webhook = Webhook.objects.filter(campaign=campaign, off_at=None).first()
    if campaign.guest_id or webhook is None or not webhook.kinds & set(NEEDS[about]):
        return
    number = uuid5(campaign.pk, f"{about} {key}")
    if Notification.objects.filter(pk=number).exists():
        return
    address = f"\n<{webhook.site}{path}>"
    kept = list(lines)
    while length("\n".join([*kept, "…"]) + address) > LONGEST and len(kept) > 1:
        kept.pop()
    text = "\n".join(kept if len(kept) == len(lines) else [*kept, "…"])
    if length(text + address) > LONGEST:
        text = f"{text[: LONGEST // 2]}…"
    delivery.queue(Notification.objects.create(pk=number, campaign=campaign, about=about, text=text + address))
