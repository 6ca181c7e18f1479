"""The campaign itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from campaign.models import Campaign
from config.together import Row, columns, made, made_if_any
from rules.terms import from_data
from uploads.models import Picture

from .arrival import Arrival, when
from .scope import Scope, moment, plain

FIELDS = ("name", "about", "terms_version")


def asked(campaign: UUID) -> QuerySet[Campaign, Any]:
    """What finds the campaign of this key with its picture, for `found`."""
    return Campaign.objects.filter(pk=campaign).values(*columns(Campaign), *columns(Picture, "picture__"))


def found(rows: Sequence[Row]) -> Campaign:
    """The campaign. Raises Campaign.DoesNotExist where it is gone."""
    if not rows:
        raise Campaign.DoesNotExist
    campaign = made(Campaign, rows[0])
    campaign.picture = made_if_any(Picture, rows[0], "picture__")
    return campaign


def written(scope: Scope) -> dict[str, Any]:
    """The campaign's own values."""
    campaign = scope.campaign
    return {
        "id": str(campaign.pk),
        **plain(campaign, *FIELDS),
        "terms": campaign.terms.as_data(),
        "created_at": moment(campaign.created_at),
        "picture": scope.picture(campaign.picture),
    }


def bring(arrival: Arrival) -> None:
    """Make the campaign. Its pictures are there."""
    said = arrival.data["campaign"]
    arrival.campaign = Campaign(
        pk=UUID(said["id"]),
        **{name: said[name] for name in FIELDS},
        terms=from_data(said["terms"]),
        created_at=when(said["created_at"]),
        picture=arrival.pictures.get(said["picture"]),
    )
    arrival.changes.insert(arrival.campaign)
