"""The people of a campaign and the ways in, as its people page shows them: a query for each kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, QuerySet
from django.utils import timezone

from rules.language import gettext

from .models import Campaign, Invitation, Membership


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a campaign, with the names of their Registers there."""

    membership: Membership
    registers: Sequence[str]


@dataclass(frozen=True, slots=True)
class Way:
    """An invitation, how many came in by it, and why it leads nowhere any more (empty while it does)."""

    invitation: Invitation
    uses: int
    end: Invitation.End


def people_of(campaign: Campaign) -> list[Person]:
    """Everybody in it, those who came first at the top: one query."""
    own = campaign.registers.filter(discarded=False, owner=OuterRef("user")).order_by("name").values("name")
    members = campaign.memberships.select_related("user").annotate(registers=ArraySubquery(own))
    return [
        Person(each, [name or gettext("Unnamed Register") for name in each.registers]) for each in members
    ]


def ways_into(campaign: Campaign) -> list[Way]:
    """Its invitations, newest first: one query."""
    return [_way(each) for each in _counted(campaign)]


def way(campaign: Campaign, invitation_id: object) -> Way | None:
    """One of its invitations: one query."""
    found = _counted(campaign).filter(pk=invitation_id).first()
    return _way(found) if found else None


def _counted(campaign: Campaign) -> QuerySet[Invitation]:
    # The model's own order does not hold for a query that counts.
    invitations = campaign.invitations.select_related("created_by", "stands_for").annotate(
        uses=Count("admissions")
    )
    return invitations.order_by("-created_at")


def _way(invitation: Invitation) -> Way:
    return Way(invitation, invitation.uses, invitation.end(now=timezone.now(), uses=invitation.uses))
