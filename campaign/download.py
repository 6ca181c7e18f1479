"""What campaigns keep about a person, for that person to take away."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from uploads.models import Picture

from .hands import own_hands
from .models import ArcVersion, Event, Invitation, Side


def campaigns_of(user: User) -> dict[str, Any]:
    """Where they are a member, what they did there that is written down, and how they came in or let others in."""
    acts = Event.objects.filter(actor=user).order_by("at")
    arcs = ArcVersion.objects.filter(by=user).order_by("published_at")
    written = user.writings.filter(withdrawn_at=None).order_by("written_at")
    made = Invitation.objects.filter(created_by=user).order_by("created_at")
    return {
        "member of": list(user.memberships.values("campaign__name", "role")),
        "did": list(acts.values("campaign__name", "kind", "battle__number", "facts", "at")),
        "invited": list(made.values("campaign__name", "role", "created_at", "expires_at", "revoked_at")),
        "battles": _battles(user),
        "Command Hands": own_hands(user),
        "Story Arcs": list(arcs.values("number", "content", "published_at")),
        "wrote": list(
            written.values("campaign__name", "battle__number", "title", "byline", "text", "written_at")
        ),
        "pictures": [
            {"alt": each.alt, "sent": each.sent_at, "address": _address_of(each)}
            for each in user.pictures.filter(Q(campaign__isnull=False) | Q(of_battle__isnull=False))
            .select_related("campaign", "of_battle__battle")
            .order_by("sent_at")
        ],
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


def _address_of(picture: Picture) -> str:
    """Where a picture of a campaign or of a battle is."""
    of_battle = getattr(picture, "of_battle", None)
    campaign = of_battle.battle.campaign_id if of_battle else picture.campaign.pk
    return reverse("campaign:picture", args=[campaign, picture.pk, "full"])
