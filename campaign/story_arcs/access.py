"""Which custom Story Arcs a user may edit."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from campaign.access import found_for
from campaign.models import Campaign
from campaign.story_arcs.models import CustomArc


def custom_arc_for(user: User, pk: UUID, arc: UUID) -> CustomArc:
    """Return a custom Story Arc of a campaign that the user organizes. Raises Http404 otherwise. Refuses a campaign
    that is not open.
    """
    found = CustomArc.objects.select_related("campaign", "picture").filter(pk=arc, campaign=pk)
    own, role = found_for(user, found, until=Campaign.State.OPEN)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    return own
