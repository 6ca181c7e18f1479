"""Announcements and comments for the pages that list them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q, QuerySet

from campaign.access import CampaignRole
from campaign.battles.models import Battle
from campaign.discussion.access import may_edit, may_remove
from campaign.discussion.models import Announcement, Comment
from campaign.models import Campaign, CampaignState


def announcements_of(campaign: Campaign) -> QuerySet[Any]:
    """Return the announcements of a campaign, pinned ones first, then newest, with the `number` of their comments."""
    found = campaign.announcements.filter(removed_at=None).select_related("author")
    # Django drops a model's default ordering from an annotated query that groups.
    counted = found.annotate(number=Count("comments", filter=Q(comments__removed_at=None)))
    return counted.order_by("-pinned", "-written_at", "pk")


def comments_on(about: Announcement | Battle) -> QuerySet[Comment]:
    """Return the comments on an announcement or a battle, newest first."""
    return about.comments.filter(removed_at=None).select_related("author")


def comment_lines(role: CampaignRole, comments: Iterable[Comment]) -> list[tuple[Comment, bool, bool]]:
    """Return comments, and whether a reader with this role may edit and remove each now."""
    may = not role.campaign.refusal(CampaignState.CLOSED)
    return [(each, may and may_edit(role, each), may and may_remove(role, each)) for each in comments]
