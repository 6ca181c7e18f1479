"""What campaigns keep about a person, for that person to take away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.models import User
from config.together import Row, Together
from uploads.models import Picture

from .hands import own_hands
from .models import Admission, ArcVersion, Event, Invitation, Membership, Side, Writing


def campaigns_of(user: User) -> dict[str, Any]:
    """Where they are a member, what they did there that is written down, and how they came in or let others in."""
    found: dict[str, list[Row]] = dict(zip(_PARTS, _KEPT.ask(user=user.pk), strict=True))
    return found | {"pictures": [_shown(row) for row in found["pictures"]]}


def _acts(user: int) -> QuerySet[Event, Any]:
    acts = Event.objects.filter(actor=user).order_by("at")
    return acts.values("campaign__name", "kind", "battle__number", "facts", "at")


def _invited(user: int) -> QuerySet[Invitation, Any]:
    made = Invitation.objects.filter(created_by=user).order_by("created_at")
    return made.values("campaign__name", "role", "created_at", "expires_at", "revoked_at")


def _battles(user: int) -> QuerySet[Side, Any]:
    """What their Registers mustered, what lay at the table and what was reported of them, as the rows have it."""
    sides = Side.objects.filter(register__owner=user).order_by("battle__created_at", "pk")
    return sides.values(
        "battle__campaign__name", "battle__number", "register__name", "colour", "army", "report",
        "victory_points", "tally__defeated", "tally__contesting", "tally__marked", "tally__tokens",
    )  # fmt: skip


def _wrote(user: int) -> QuerySet[Writing, Any]:
    written = Writing.objects.filter(author=user, withdrawn_at=None).order_by("written_at")
    return written.values("campaign__name", "battle__number", "title", "byline", "text", "written_at")


def _pictures(user: int) -> QuerySet[Picture, Any]:
    theirs = Picture.objects.filter(
        Q(campaign__isnull=False) | Q(of_battle__isnull=False), sent_by=user
    ).order_by("sent_at")
    return theirs.values("pk", "alt", "sent_at", "campaign", "of_battle__battle__campaign")


_PARTS: Mapping[str, Callable[[int], QuerySet[Any, Any]]] = {
    "member of": lambda user: Membership.objects.filter(user=user).values("campaign__name", "role"),
    "did": _acts,
    "invited": _invited,
    "battles": _battles,
    "Command Hands": own_hands,
    "Story Arcs": lambda user: (
        ArcVersion.objects.filter(by=user)
        .order_by("published_at")
        .values("number", "content", "published_at")
    ),
    "wrote": _wrote,
    "pictures": _pictures,
    "came in by": lambda user: Admission.objects.filter(user=user).values("invitation__campaign__name", "at"),
}
_KEPT = Together({"user": int}, *_PARTS.values())


def _shown(row: Row) -> dict[str, Any]:
    """A picture of a campaign or of a battle, and where it is."""
    campaign = row["of_battle__battle__campaign"] or row["campaign"]
    address = reverse("campaign:picture", args=[campaign, row["pk"], "full"])
    return {"alt": row["alt"], "sent": row["sent_at"], "address": address}
