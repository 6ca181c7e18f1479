"""Opening the chronicle of a campaign to everybody who has its link, and closing it."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.chronicle import CLOSED, OPENED, RENEWED
from campaign.models import Campaign, Kind, PublicLink
from campaign.models.invitation import new_token
from campaign.services.chronicle import record, record_each
from campaign.services.locks import check_organizer, lock_campaign


@transaction.atomic
def open_chronicle(*, actor: User, campaign: Campaign) -> PublicLink:
    """Let everybody who has the link read the chronicle. Where it is open already the link stays as it is.

    Refuses who does not organise the campaign.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, _only_organisers())
    link, new = PublicLink.objects.get_or_create(
        campaign=campaign, defaults={"made_by": actor, "made_at": timezone.now()}
    )
    if new:
        record(actor=actor, campaign=campaign, kind=Kind.PUBLIC, what=OPENED)
    return link


@transaction.atomic
def renew(*, actor: User, campaign: Campaign, token: str) -> PublicLink | None:
    """Give the chronicle another link in place of the one with `token`, which leads nowhere from now on.

    One that is another already stays, so that a form which comes twice renews it once. None where it is not open.
    Refuses who does not organise the campaign.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, _only_organisers())
    link = PublicLink.objects.filter(campaign=campaign).first()
    if link and link.token == token:
        link.token, link.made_by, link.made_at = new_token(), actor, timezone.now()
        link.save()
        record(actor=actor, campaign=campaign, kind=Kind.PUBLIC, what=RENEWED)
    return link


@transaction.atomic
def close_chronicle(*, actor: User, campaign: Campaign) -> None:
    """Let nobody read the chronicle by its link any more. Doing it again changes nothing.

    Refuses who does not organise the campaign.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, _only_organisers())
    close_all(actor=actor, links=PublicLink.objects.filter(campaign=campaign).select_related("campaign"))


def close_all(*, actor: User, links: Iterable[PublicLink]) -> None:
    """Close the chronicles of locked campaigns: these links lead nowhere any more."""
    links = list(links)
    PublicLink.objects.filter(pk__in=[link.pk for link in links]).delete()
    record_each(actor=actor, kind=Kind.PUBLIC, lines=((link.campaign, {"what": CLOSED}) for link in links))


def _only_organisers() -> str:
    return gettext("Only an organiser decides who reads the chronicle.")
