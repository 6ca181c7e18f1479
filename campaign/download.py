"""What campaigns keep about a person, for that person to take away."""

from __future__ import annotations

from typing import Any

from accounts.models import User

from .hands import own_hands
from .models import Event, Invitation


def campaigns_of(user: User) -> dict[str, Any]:
    """Where they are a member, what they did there that is written down, and how they came in or let others in."""
    acts = Event.objects.filter(actor=user).order_by("at")
    made = Invitation.objects.filter(created_by=user).order_by("created_at")
    return {
        "member of": list(user.memberships.values("campaign__name", "role")),
        "did": list(acts.values("campaign__name", "kind", "battle__number", "facts", "at")),
        "invited": list(made.values("campaign__name", "role", "created_at", "expires_at", "revoked_at")),
        "Command Hands": own_hands(user),
        "came in by": list(user.admissions.values("invitation__campaign__name", "at")),
    }
