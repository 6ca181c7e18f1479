"""Which stories a user may change, and which photos members and readers of the public link see."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from campaign.access import CampaignRole, found_for
from campaign.battles.models import Battle
from campaign.chronicle.models import Story
from campaign.models import Campaign
from uploads.models import Picture


def story_for(user: User, pk: UUID) -> Story:
    """Return a story that its author (a player) or an organizer may change. Raises Http404 for any other. Refuses an
    archived campaign.
    """
    stories = Story.objects.select_related("campaign", "battle", "author").filter(pk=pk, withdrawn_at=None)
    story, role = found_for(user, stories, until=Campaign.State.CLOSED)
    if not may_change_story(role, story):
        raise Http404("Not a story of this user")
    return story


def may_change_story(role: CampaignRole, story: Story) -> bool:
    """Return whether the user may change and withdraw a story: its author while they play, or an organizer."""
    return role.is_organizer or (role.is_player and story.author_id == role.user.pk)


def may_remove_photo(role: CampaignRole, picture: Picture) -> bool:
    """Return whether the user may remove a picture of a battle: its uploader while they play, or an organizer."""
    return role.is_organizer or (role.is_player and picture.sent_by_id == role.user.pk)


def photos_of(campaign: Campaign) -> QuerySet[Picture]:
    """Return the pictures that members of a campaign see: the campaign's own and those of its battles."""
    return Picture.objects.filter(Q(campaign=campaign) | Q(of_battle__battle__campaign=campaign))


def public_photos_of(campaign: Campaign) -> QuerySet[Picture]:
    """Return the pictures that anyone with the public link sees: the campaign's own and those of closed battles."""
    of_closed_battles = Q(of_battle__battle__campaign=campaign, of_battle__battle__status=Battle.Status.CLOSED)
    return Picture.objects.filter(Q(campaign=campaign) | of_closed_battles)
