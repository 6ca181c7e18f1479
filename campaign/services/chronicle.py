"""Recording what happened in a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.models import User
from campaign.models import Battle, Campaign, Event, Kind


def record(
    *,
    actor: User | None,
    campaign: Campaign,
    kind: Kind,
    battle: Battle | None = None,
    acting_for: User | None = None,
    **facts: Any,
) -> None:
    """Add a line to the chronicle, in the transaction of the act that it tells of. `facts` are plain JSON values."""
    Event.objects.create(
        campaign=campaign, battle=battle, kind=kind, actor=actor, acting_for=acting_for, facts=facts
    )


def record_each(
    *, actor: User | None, kind: Kind, lines: Iterable[tuple[Campaign, Mapping[str, Any]]]
) -> None:
    """Add a line for each of these `facts` to the chronicle of its campaign, in their order."""
    Event.objects.bulk_create(
        Event(campaign=campaign, kind=kind, actor=actor, facts=dict(facts)) for campaign, facts in lines
    )
