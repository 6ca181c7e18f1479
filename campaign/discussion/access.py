"""Which announcements and comments a user may read and change. Anything else is a 404."""

from datetime import timedelta
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from campaign.access import CampaignRole, found_for
from campaign.discussion.models import Announcement, Comment, Notice
from campaign.models import CampaignState

#: How long authors may edit a comment. They may delete it at any time.
EDITABLE_FOR = timedelta(minutes=15)


def announcement_for(user: User, pk: UUID) -> tuple[Announcement, CampaignRole]:
    """Return the announcement with its campaign and author, and the user's role, in one query. Raises Http404 for
    anyone who is no member, and for removed announcements.
    """
    return found_for(user, Announcement.objects.select_related("campaign", "author").filter(pk=pk, removed_at=None))


def organized_announcement_for(user: User, pk: UUID) -> Announcement:
    """Return the announcement, if the user organizes its campaign: also one that was removed, because the form may be
    posted twice. Raises Http404 otherwise. Refuses an archived campaign.
    """
    announcements = Announcement.objects.select_related("campaign").filter(pk=pk)
    announcement, role = found_for(user, announcements, until=CampaignState.CLOSED)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    return announcement


def comment_for(user: User, pk: UUID) -> tuple[Comment, CampaignRole]:
    """Return a comment that the user may edit or remove, and the user's role: its author while they are a member, or an
    organizer. Comments that were removed are returned, too, because the form may be posted twice. Raises Http404
    otherwise. Refuses an archived campaign.
    """
    found = Comment.objects.select_related("campaign", "announcement", "battle", "author").filter(pk=pk)
    comment, role = found_for(user, found, until=CampaignState.CLOSED)
    if not may_remove(role, comment):
        raise Http404("Not a comment of this user")
    return comment, role


def may_edit(role: CampaignRole, comment: Comment) -> bool:
    """Return whether the user may edit a comment: its author, as a member, for EDITABLE_FOR after writing it."""
    own = role.is_member and comment.author_id == role.user.pk
    return own and comment.removed_at is None and timezone.now() - comment.written_at <= EDITABLE_FOR


def may_remove(role: CampaignRole, comment: Comment) -> bool:
    """Return whether the user may remove a comment: its author while they are a member, or an organizer."""
    return role.is_organizer or (role.is_member and comment.author_id == role.user.pk)


def unseen_notices(user: User) -> QuerySet[Notice]:
    """Return the notices that a user has not seen."""
    return Notice.objects.filter(user=user, seen_at=None)
