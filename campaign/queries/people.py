"""The members and invitations of a campaign for its people page, one query for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef
from django.utils import timezone

from campaign.access import players_of
from campaign.models import Campaign, Invitation, Membership
from rules.core.translation import gettext
from rules.register.upgrade_slots import faction_name


@dataclass(frozen=True, slots=True)
class Person:
    """A member of a campaign, with the names of their Registers in it."""

    membership: Membership
    registers: Sequence[str]


@dataclass(frozen=True, slots=True)
class InvitedRegister:
    """A Register as somebody with an invitation sees it: its name, its Faction's slug, and the Faction in words."""

    name: str
    faction: str
    faction_name: str


@dataclass(frozen=True, slots=True)
class InvitedPlayer:
    """A player of a campaign as somebody with an invitation sees them."""

    name: str
    registers: Sequence[InvitedRegister]


@dataclass(frozen=True, slots=True)
class InvitationLine:
    """An invitation, how many people joined by it, and why it no longer works (empty while it does)."""

    invitation: Invitation
    uses: int
    end: Invitation.End


def people_of(campaign: Campaign) -> list[Person]:
    """Return the members in the order in which they joined, in one query."""
    own = campaign.registers.filter(discarded=False, owner=OuterRef("user")).order_by("name").values("name")
    members = campaign.memberships.select_related("user").annotate(registers=ArraySubquery(own))
    return [Person(each, [name or gettext("Unnamed Register") for name in each.registers]) for each in members]


def players_for_invited(campaign: Campaign) -> list[InvitedPlayer]:
    """Return who plays in a campaign, with their ready Registers, in the order in which they joined: two queries.

    Anyone with an open invitation reads this. It has names only: no viewers, and nothing of what a Register holds.
    """
    ready = campaign.registers.filter(discarded=False, commissioned=True).order_by("name")
    registers: dict[int | None, list[InvitedRegister]] = {}
    for register in ready.only("name", "faction", "owner"):
        line = InvitedRegister(str(register), register.faction, faction_name(register.faction))
        registers.setdefault(register.owner_id, []).append(line)
    players = players_of(campaign).select_related("user")
    return [InvitedPlayer(each.user.carried_name, registers.get(each.user_id, [])) for each in players]


def invitation_lines(campaign: Campaign, **only: object) -> list[InvitationLine]:
    """Return the campaign's invitations (filtered by `only`), newest first, in one query."""
    # Django ignores the model's own ordering in a query that counts.
    invitations = campaign.invitations.filter(**only).select_related("created_by", "placeholder")
    counted = invitations.annotate(uses=Count("admissions")).order_by("-created_at")
    now = timezone.now()
    return [InvitationLine(each, each.uses, each.end(now=now, uses=each.uses)) for each in counted]


def invitation_line(campaign: Campaign, invitation_id: object) -> InvitationLine | None:
    """Return one of the campaign's invitations, in one query."""
    return next(iter(invitation_lines(campaign, pk=invitation_id)), None)
