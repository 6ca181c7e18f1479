"""Announcements and comments as pages show them."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import ngettext

from campaign.access import CampaignRole
from campaign.battles.models import Battle
from campaign.discussion.access import may_edit, may_remove
from campaign.discussion.mentions import announcement_html, comment_html
from campaign.discussion.models import Announcement, Comment
from campaign.models import Campaign

#: How many announcements the campaign page shows, and how many comments the page of a battle.
ON_CAMPAIGN_PAGE = 2
#: Characters of an announcement on the campaign page.
EXCERPT = 90
#: Columns of an announcement on the campaign page.
FRONT = ("pk", "title", "text", "mentioned", "pinned")
ON_BATTLE_PAGE = 3


@dataclass(frozen=True, slots=True)
class AnnouncementLine:
    """An announcement as it is shown, and the number of its comments."""

    announcement: Announcement
    html: SafeString
    comments: int

    @property
    def end(self) -> str:
        """The number of its comments in words; empty without any."""
        words = ngettext("%(number)d comment", "%(number)d comments", self.comments)
        return words % {"number": self.comments} if self.comments else ""


@dataclass(frozen=True, slots=True)
class FrontAnnouncement:
    """An announcement on the campaign page, with the beginning of its text."""

    title: str
    excerpt: str
    href: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class CommentLine:
    """A comment as it is shown, and what the reader may do with it."""

    comment: Comment
    html: SafeString
    may_edit: bool
    may_remove: bool


def announcements_of(campaign: Campaign) -> QuerySet[Any]:
    """Return the announcements of a campaign for `announcement_lines`: pinned ones first, then the newest."""
    found = campaign.announcements.filter(removed_at=None).select_related("author")
    # Django drops a model's default ordering from an annotated query that groups.
    counted = found.annotate(number=Count("comments", filter=Q(comments__removed_at=None)))
    return counted.order_by("-pinned", "-written_at", "pk")


def announcement_lines(announcements: Iterable[Any]) -> list[AnnouncementLine]:
    """Return announcements of `announcements_of` as lines."""
    return [AnnouncementLine(each, announcement_html(each.text, each.mentioned), each.number) for each in announcements]


def front_lines(campaign: Campaign) -> list[FrontAnnouncement]:
    """Return the first announcements of a campaign, one more than its page shows: one query."""
    rows = campaign.announcements.filter(removed_at=None).values(*FRONT)[: ON_CAMPAIGN_PAGE + 1]
    return [
        FrontAnnouncement(
            row["title"],
            Truncator(unescape(strip_tags(announcement_html(row["text"], row["mentioned"])))).chars(EXCERPT),
            reverse("discussion:announcement", args=[row["pk"]]),
            row["pinned"],
        )
        for row in rows
    ]


def comments_on(about: Announcement | Battle) -> QuerySet[Comment]:
    """Return the comments on an announcement or a battle for `comment_lines`, newest first."""
    return about.comments.filter(removed_at=None).select_related("author")


def comment_lines(role: CampaignRole, comments: Iterable[Comment]) -> list[CommentLine]:
    """Return comments as lines for a reader with this role."""
    return [
        CommentLine(each, comment_html(each.text, each.mentioned), may_edit(role, each), may_remove(role, each))
        for each in comments
    ]
