"""The campaign data of a person, for them to download."""

from typing import Any

from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Side
from campaign.battles.pages.table import own_hands
from campaign.chronicle.models import Story
from campaign.models import Activity, Admission, Enlistment, Invitation, Membership
from campaign.star_map.models import HolderChange
from campaign.story_arcs.models import ArcVersion
from uploads.models import Picture


def campaigns_of(user: User) -> dict[str, Any]:
    """Return what a person did in campaigns and what is recorded of their Registers there: one query for each part."""
    members = Membership.objects.filter(user=user, campaign__solo=None)
    acts = Activity.objects.filter(actor=user).order_by("at")
    done = Activity.objects.filter(on_behalf_of=user).order_by("at")
    invitations = Invitation.objects.filter(created_by=user).order_by("created_at")
    sides = Side.objects.filter(register__owner=user).order_by("battle__created_at", "pk").values(
        "battle__campaign__name", "battle__number", "register__name", "colour", "army", "report",
        "victory_points", "tally__defeated", "tally__contesting", "tally__marked", "tally__tokens",
        "tally__victory_points", "tally__activated", "tally__scores",
    )  # fmt: skip
    arcs = ArcVersion.objects.filter(by=user).order_by("published_at")
    systems = HolderChange.objects.filter(by=user).order_by("at")
    stories = Story.objects.filter(author=user, withdrawn_at=None).order_by("written_at")
    return {
        "member of": list(members.values("campaign__name", "role")),
        "Registers in campaigns": list(
            Enlistment.objects.filter(register__owner=user).values("campaign__name", "register__name", "status")
        ),
        "did": list(acts.values("campaign__name", "kind", "battle__number", "facts", "at")),
        "done for them": list(done.values("campaign__name", "kind", "battle__number", "facts", "at")),
        "invited": list(invitations.values("campaign__name", "role", "created_at", "expires_at", "revoked_at")),
        "battles": list(sides),
        "Command Hands": list(own_hands(user)),
        "Story Arcs": list(arcs.values("number", "content", "published_at")),
        "wrote": list(stories.values("campaign__name", "battle__number", "title", "byline", "text", "written_at")),
        "star map": list(systems.values("system__campaign__name", "system__name", "team__name", "faction", "at")),
        "pictures": _pictures(user),
        "came in by": list(Admission.objects.filter(user=user).values("invitation__campaign__name", "at")),
    }


def _pictures(user: User) -> list[dict[str, Any]]:
    in_campaigns = Q(campaign__isnull=False) | Q(of_battle__isnull=False)
    rows = Picture.objects.filter(in_campaigns, sent_by=user).order_by("sent_at")
    names = ("pk", "alt", "sent_at", "campaign", "of_battle__battle__campaign")
    return [
        {"alt": alt, "sent": sent, "address": reverse("chronicle:photo", args=[battles or own, pk, "full"])}
        for pk, alt, sent, own, battles in rows.values_list(*names)
    ]
