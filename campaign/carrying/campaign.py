"""The campaign itself."""

from __future__ import annotations

from typing import Any

from .scope import Scope, moment, plain

FIELDS = ("name", "about", "terms_version")


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
