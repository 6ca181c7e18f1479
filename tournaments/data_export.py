"""What events keep about a person, for their data export."""

from typing import Any

from accounts.models import User
from tournaments import models

ENTRY = (
    "event__name", "number", "name", "state", "club", "paid", "warnings", "fixed_table", "army_points",
    "registered_at", "checked_in_on", "vote__number",
)  # fmt: skip
LIST = (
    "entry__event__name", "number", "faction", "battle_force", "points", "loadout_points", "units", "command_hand",
    "battle_deck", "typed_deck", "violations", "source_text", "submitted_at", "accepted_reason",
)  # fmt: skip
CALL = ("event__name", "round_number", "table", "question", "state", "called_at", "ruling", "ruled_at")
APPEAL = ("event__name", "round_number", "table", "question", "appeal_ruling", "overruled", "appeal_ruled_at")


def events_of(user: User) -> dict[str, Any]:
    """Return what a person did in events as a player and as a leader, without links: one query for each part."""
    entries = models.Entry.objects.filter(user=user).order_by("registered_at", "pk")
    lists = models.SubmittedList.objects.filter(entry__user=user).order_by("submitted_at", "pk")
    claims = models.Entry.objects.filter(claimant=user).order_by("pk")
    invitations = models.Invitation.objects.filter(created_by=user).order_by("created_at")
    leagues = models.League.objects.filter(owner=user)
    acts = models.LogLine.objects.filter(actor=user).order_by("at", "pk")
    return {
        "entries": list(entries.values(*ENTRY)),
        "trophies": list(entries.filter(event__state=models.Event.State.FINISHED).values("event__name", "trophies")),
        "army lists": list(lists.values(*LIST)),
        "asked to take over": list(claims.values("event__name", "number")),
        "judge calls": list(models.JudgeCall.objects.filter(caller__user=user).values(*CALL)),
        "rulings": list(models.JudgeCall.objects.filter(judge=user).values(*CALL)),
        "rulings on appeals": list(models.JudgeCall.objects.filter(appeal_judge=user).values(*APPEAL)),
        "terrain checks": list(
            models.TerrainCheck.objects.filter(checked_by=user).values("event__name", "table", "checked_at")
        ),
        "leagues": list(leagues.values("name", "about", "points", "participation_points", "best", "created_at")),
        "roles": list(models.Membership.objects.filter(user=user).values("event__name", "role")),
        "invited": list(invitations.values("event__name", "role", "created_at", "expires_at", "revoked_at")),
        "joined by": list(models.Admission.objects.filter(user=user).values("invitation__event__name", "at")),
        "did": list(acts.values("event__name", "kind", "reason", "facts", "at")),
    }
