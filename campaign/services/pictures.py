"""Pictures of battles, and the one of a campaign."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from campaign.access import campaign_role, is_player, may_remove_picture
from campaign.models import Battle, BattlePicture, Campaign
from campaign.services.locks import check_organizer, lock_campaign
from rules.refusal import refuse
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures

#: More is an album, and no page of a chronicle.
MOST_OF_A_BATTLE = 12


def add_to_battle(
    *, actor: User, battle: Battle, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """A picture of a battle; `picture_id` is the primary key it shall have, so that a form which comes twice adds one.

    Refuses who does not play in the campaign, a battle that was called off, more than MOST_OF_A_BATTLE, and what
    `uploads` refuses: a file that is too big or no picture, and one that nobody described.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        campaign = lock_campaign(battle.campaign)
        if not is_player(actor, campaign):
            raise refuse("", gettext("Only players of the campaign add pictures."))
        if Battle.objects.filter(pk=battle.pk, status=Battle.Status.CANCELLED).exists():
            raise refuse("", gettext("This battle was called off."))
        there = {each.picture_id: each.picture for each in _of(battle)}
        if picture_id in there:
            return pictures.same(there[picture_id], actor=actor, drawn=image, alt=alt)
        if len(there) >= MOST_OF_A_BATTLE:
            said = gettext("A battle has %(most)d pictures at most. Remove one first.")
            raise refuse("", said % {"most": MOST_OF_A_BATTLE}, "file")
        picture = pictures.keep(actor=actor, drawn=image, alt=alt, picture_id=picture_id)
        BattlePicture.objects.create(battle=battle, picture=picture)
        return picture


@transaction.atomic
def remove_from_battle(*, actor: User, battle: Battle, picture_id: UUID) -> None:
    """Remove a picture of a battle. One that is gone already stays gone.

    Refuses anybody but who sent it, as long as they play, and the organisers.
    """
    campaign = lock_campaign(battle.campaign)
    found = _of(battle).filter(picture=picture_id).first()
    if found is None:
        return
    if not may_remove_picture(campaign_role(actor, campaign), found.picture):
        raise refuse("", gettext("Only who sent it and the organisers remove a picture."))
    pictures.remove(picture=found.picture)


def show_of_campaign(
    *, actor: User, campaign: Campaign, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """Let a campaign have this picture, in place of the one it has. The same one twice changes nothing.

    Refuses who does not organise it, and what `uploads` refuses.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        return pictures.show(
            actor=actor, on=_locked_for(actor, campaign), drawn=image, alt=alt, picture_id=picture_id
        )  # fmt: skip


@transaction.atomic
def remove_of_campaign(*, actor: User, campaign: Campaign) -> None:
    """Let a campaign have no picture. Doing it again changes nothing. Refuses who does not organise it."""
    pictures.take_off(on=_locked_for(actor, campaign))


def _locked_for(actor: User, campaign: Campaign) -> Campaign:
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser decides on the picture of a campaign."))
    return campaign


def _of(battle: Battle) -> QuerySet[BattlePicture]:
    return BattlePicture.objects.filter(battle=battle).select_related("picture")
