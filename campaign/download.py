"""What campaigns keep about a person, for that person to download."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from uploads.models import Picture

from .models import Admission, ArcVersion, Event, Invitation, Membership, Side, Writing
from .table import own_hands


def campaigns_of(user: User) -> dict[str, Any]:
    """Return what a person did in campaigns and what is recorded of their Registers there: one query for each part."""
    return {
        "member of": list(Membership.objects.filter(user=user).values("campaign__name", "role")),
        "did": _acts(user),
        "invited": _invitations(user),
        "battles": _battles(user),
        "Command Hands": list(own_hands(user)),
        "Story Arcs": _story_arcs(user),
        "wrote": _stories(user),
        "pictures": _pictures(user),
        "came in by": list(Admission.objects.filter(user=user).values("invitation__campaign__name", "at")),
    }


def _acts(user: User) -> list[dict[str, Any]]:
    acts = Event.objects.filter(actor=user).order_by("at")
    return list(acts.values("campaign__name", "kind", "battle__number", "facts", "at"))


def _invitations(user: User) -> list[dict[str, Any]]:
    made = Invitation.objects.filter(created_by=user).order_by("created_at")
    return list(made.values("campaign__name", "role", "created_at", "expires_at", "revoked_at"))


def _battles(user: User) -> list[dict[str, Any]]:
    """Their armies, what happened at the table, and what was reported of them, as the rows have it."""
    sides = Side.objects.filter(register__owner=user).order_by("battle__created_at", "pk")
    return list(
        sides.values(
            "battle__campaign__name", "battle__number", "register__name", "colour", "army", "report",
            "victory_points", "tally__defeated", "tally__contesting", "tally__marked", "tally__tokens",
        )
    )  # fmt: skip


def _story_arcs(user: User) -> list[dict[str, Any]]:
    published = ArcVersion.objects.filter(by=user).order_by("published_at")
    return list(published.values("number", "content", "published_at"))


def _stories(user: User) -> list[dict[str, Any]]:
    stories = Writing.objects.filter(author=user, withdrawn_at=None).order_by("written_at")
    return list(stories.values("campaign__name", "battle__number", "title", "byline", "text", "written_at"))


def _pictures(user: User) -> list[dict[str, Any]]:
    """Their pictures of campaigns and battles, each with its address."""
    in_campaigns = Q(campaign__isnull=False) | Q(of_battle__isnull=False)
    rows = (
        Picture.objects.filter(in_campaigns, sent_by=user)
        .order_by("sent_at")
        .values("pk", "alt", "sent_at", "campaign", "of_battle__battle__campaign")
    )
    return [
        {
            "alt": row["alt"],
            "sent": row["sent_at"],
            "address": reverse(
                "campaign:picture",
                args=[row["of_battle__battle__campaign"] or row["campaign"], row["pk"], "full"],
            ),
        }
        for row in rows
    ]
