"""What campaigns keep about a person, for that person to take away."""

from __future__ import annotations

from typing import Any

from accounts.models import User

from .hands import own_hands
from .models import ArcVersion, Event, Invitation, Side


def campaigns_of(user: User) -> dict[str, Any]:
    """Where they are a member, what they did there that is written down, and how they came in or let others in."""
    acts = Event.objects.filter(actor=user).order_by("at")
    written = ArcVersion.objects.filter(by=user).order_by("published_at")
    made = Invitation.objects.filter(created_by=user).order_by("created_at")
    return {
        "member of": list(user.memberships.values("campaign__name", "role")),
        "did": list(acts.values("campaign__name", "kind", "battle__number", "facts", "at")),
        "invited": list(made.values("campaign__name", "role", "created_at", "expires_at", "revoked_at")),
        "battles": _battles(user),
        "Command Hands": own_hands(user),
        "Story Arcs": list(written.values("number", "content", "published_at")),
        "came in by": list(user.admissions.values("invitation__campaign__name", "at")),
    }


def _battles(user: User) -> list[dict[str, Any]]:
    """What their Registers mustered, what lay at the table and what was reported of them, as the rows have it."""
    sides = Side.objects.filter(register__owner=user).order_by("battle__created_at", "pk")
    return list(
        sides.values(
            "battle__campaign__name", "battle__number", "register__name", "colour", "army", "report",
            "victory_points", "tally__defeated", "tally__contesting", "tally__marked", "tally__tokens",
        )
    )  # fmt: skip
