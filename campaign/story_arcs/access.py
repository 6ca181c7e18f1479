"""Who may open a custom Story Arc in the editor."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404

from accounts.models import User
from campaign.access import CampaignRole, role_in
from campaign.story_arcs.models import CustomArc


def custom_arc_for(user: User, pk: UUID, arc: UUID) -> CustomArc:
    """A Story Arc that is written in a campaign which this user organizes. Raises Http404 otherwise."""
    found = CustomArc.objects.select_related("campaign").filter(pk=arc, campaign=pk)
    own = found.annotate(role=role_in(user, "campaign")).first()
    if own is None or not CampaignRole(user, own.role, pk).is_organizer:
        raise Http404("No such Story Arc")
    return own
