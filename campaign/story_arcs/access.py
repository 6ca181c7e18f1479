"""Which custom Story Arcs a user may edit."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from campaign.access import CampaignRole, role_in
from campaign.story_arcs.models import CustomArc


def custom_arc_for(user: User, pk: UUID, arc: UUID) -> CustomArc:
    """Return a custom Story Arc of a campaign that the user organizes. Raises Http404 otherwise."""
    found = CustomArc.objects.select_related("campaign", "picture").filter(pk=arc, campaign=pk)
    own = found.annotate(role=role_in(user, "campaign")).first()
    if own is None or not CampaignRole(user, own.role, pk).is_organizer:
        raise Http404("No such Story Arc")
    return own
