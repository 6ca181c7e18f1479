"""The map of the Turning Point Mission of a custom Story Arc: a picture."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from accounts.models import User
from campaign.story_arcs.services.story_arcs import lock_arc
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures


def set_mission_map(*, actor: User, arc_id: UUID, sent: bytes, alt: str, picture_id: UUID | None = None) -> Picture:
    """Give the mission of an arc this map, in place of its own; it counts for all versions at once.

    The same picture again changes nothing. Refuses anyone but an organizer of the campaign that writes the arc, and
    what `uploads` refuses.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        arc, _campaign = lock_arc(actor, arc_id)
        return pictures.show(actor=actor, on=arc, drawn=image, alt=alt, picture_id=picture_id)


@transaction.atomic
def remove_mission_map(*, actor: User, arc_id: UUID) -> None:
    """Remove the map, if there is one. Refuses anyone but an organizer of the campaign that writes the arc."""
    arc, _campaign = lock_arc(actor, arc_id)
    pictures.take_off(on=arc)
