"""Who may change a story and which photos a member or a stranger sees."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from campaign.access import CampaignRole, role_in
from campaign.battles.models import Battle
from campaign.chronicle.models import Story
from campaign.models import Campaign
from uploads.models import Picture


def story_for(user: User, pk: UUID) -> Story:
    """A story that this user may change: its author, while they play, and the organizers. Raises Http404 otherwise.
    Nobody gets one that was withdrawn.
    """
    stories = Story.objects.select_related("campaign", "battle", "author").filter(pk=pk, withdrawn_at=None)
    story = stories.annotate(role=role_in(user, "campaign")).first()
    if story is None or not may_change_story(CampaignRole(user, story.role, story.campaign_id), story):
        raise Http404("No such piece")
    return story


def may_change_story(role: CampaignRole, story: Story) -> bool:
    """Whether this user may change and withdraw a story: its author while they play, and the organizers."""
    return role.is_organizer or (role.is_player and story.author_id == role.user.pk)


def may_remove_photo(role: CampaignRole, picture: Picture) -> bool:
    """Whether this user may remove a picture of a battle: who uploaded it, while they play, and the organizers."""
    return role.is_organizer or (role.is_player and picture.sent_by_id == role.user.pk)


def photos_of(campaign: Campaign) -> QuerySet[Picture]:
    """The pictures that the members of a campaign see: its own and those of its battles."""
    return Picture.objects.filter(Q(campaign=campaign) | Q(of_battle__battle__campaign=campaign))


def public_photos_of(campaign: Campaign) -> QuerySet[Picture]:
    """The pictures that anyone with the link of the chronicle sees: of its battles only those that are closed."""
    told = Q(of_battle__battle__campaign=campaign, of_battle__battle__status=Battle.Status.CLOSED)
    return Picture.objects.filter(Q(campaign=campaign) | told)
