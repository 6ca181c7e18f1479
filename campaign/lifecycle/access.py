"""Who may close, archive, delete and restore a campaign."""

from uuid import UUID

from django.http import Http404

from accounts.models import User
from campaign.models import Campaign
from members.roles import is_organizer


def lifecycle_campaign_for(user: User, pk: UUID) -> Campaign:
    """Return a campaign that the user organizes, also a deleted one. Raises Http404 otherwise."""
    campaign = Campaign.everything.filter(pk=pk, solo=None).first()
    if campaign is None or not is_organizer(user, campaign):
        raise Http404("Not an organizer of this campaign")
    return campaign
