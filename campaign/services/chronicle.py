"""Writing down what happened in a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from accounts.models import User
from campaign.models import Battle, Campaign, Event, Kind
from config.together import Changes


def record(
    *,
    actor: User | None,
    campaign: Campaign,
    kind: Kind,
    battle: Battle | None = None,
    acting_for: User | None = None,
    together: Changes | None = None,
    **facts: Any,
) -> None:
    """A line of the chronicle, in the transaction of whatever it tells: at once, or with the changes that are yet to
    be written `together`. `facts` are plain JSON values.
    """
    line = Event(campaign=campaign, battle=battle, kind=kind, actor=actor, acting_for=acting_for, facts=facts)
    if together is None:
        line.save()
    else:
        together.insert(line)


def record_each(
    *, actor: User | None, kind: Kind, together: Changes, lines: Iterable[tuple[Campaign, Mapping[str, Any]]]
) -> None:
    """A line for each of these `facts`, in the chronicle of its campaign and in their order."""
    together.insert(
        *(Event(campaign=campaign, kind=kind, actor=actor, facts=dict(facts)) for campaign, facts in lines)
    )
