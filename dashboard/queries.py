"""The Registers and campaigns on a player's home page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign, Membership
from campaign.queries.registers import RegisterLine, register_lines


@dataclass(frozen=True, slots=True)
class Home:
    """A player's home page without their tasks (`dashboard.inbox`)."""

    registers: Sequence[RegisterLine]
    campaigns: Sequence[Campaign]


def home(user: User) -> Home:
    """Return the Registers and campaigns of a player."""
    lines = register_lines(user.registers.filter(discarded=False).select_related("owner", "enlistment__campaign"))
    # Not campaigns_of(user): staff see all campaigns, and its rows would count only the user's own membership.
    mine = Campaign.objects.filter(pk__in=user.campaign_memberships.values("campaign"))
    # Separate counts: one join would return members times battles as rows.
    counted = mine.annotate(players=_number_of(Membership), fought=_number_of(Battle))
    return Home(lines, list(counted.order_by("name", "pk")))


def _number_of(model: type[Membership | Battle]) -> Coalesce:
    rows = model.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(rows.annotate(number=Count("pk")).values("number")), 0)
