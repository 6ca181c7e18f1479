"""The Registers, campaigns and events on a player's home page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign, Membership
from campaign.queries.registers import RegisterLine, register_lines
from tournaments.queries.inbox import OwnEvent, next_step


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event with the player's next step there."""

    name: str
    step: str
    href: str


@dataclass(frozen=True, slots=True)
class Home:
    """A player's home page without their tasks (`dashboard.inbox`)."""

    registers: Sequence[RegisterLine]
    campaigns: Sequence[Campaign]
    events: Sequence[EventRow]


def home(user: User, events: Iterable[OwnEvent]) -> Home:
    """Return the Registers and campaigns of a player, and their events (`tournaments.queries.inbox.own_events`)."""
    lines = register_lines(user.registers.filter(discarded=False).select_related("owner", "enlistment__campaign"))
    # Not campaigns_of(user): staff see all campaigns, and its rows would count only the user's own membership.
    mine = Campaign.objects.filter(pk__in=user.campaign_memberships.values("campaign"))
    # Separate counts: one join would return members times battles as rows.
    counted = mine.annotate(players=_number_of(Membership), fought=_number_of(Battle))
    now = timezone.now()
    rows = [EventRow(own.event.name, next_step(own, now), own.href) for own in events]
    return Home(lines, list(counted.order_by("name", "pk")), rows)


def _number_of(model: type[Membership | Battle]) -> Coalesce:
    rows = model.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(rows.annotate(number=Count("pk")).values("number")), 0)
