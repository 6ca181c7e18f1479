"""Announcements, comments, and notices."""

from html import unescape

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext

from campaign.battles.models.battle import Battle
from campaign.discussion.mentions import announcement_html, comment_html
from campaign.models.campaign import Campaign
from core.db.uuid_key import UUIDModel

#: Characters of an announcement on the campaign page.
EXCERPT = 90


class Announcement(UUIDModel):
    """An announcement by an organizer; `text` is Markdown. Pinned ones come first. `mentioned` are the names of members
    in it, as they were typed. `version` counts changes. A removed announcement keeps its row without any text, so that
    a form sent late does not restore it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="announcements")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    title = models.CharField(max_length=120, blank=True)
    text = models.TextField(blank=True)
    pinned = models.BooleanField(default=False)
    mentioned = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    written_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pinned", "-written_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True) & ~Q(title="") & ~Q(text="")
                | Q(removed_at__isnull=False, title="", text=""),
                name="announcement_says_something_or_is_removed",
            )
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("discussion:announcement", args=[self.pk])

    @property
    def html(self) -> SafeString:
        """Its Markdown as HTML, with the names of mentioned members in bold."""
        return announcement_html(self.text, self.mentioned)

    @property
    def excerpt(self) -> str:
        """The beginning of its text."""
        return Truncator(unescape(strip_tags(self.html))).chars(EXCERPT)


class Comment(UUIDModel):
    """A comment by a member on an announcement or a battle; `text` is plain text. `mentioned`, `version` and
    `removed_at` are as in `Announcement`.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="comments")
    announcement = models.ForeignKey(Announcement, models.CASCADE, null=True, blank=True, related_name="comments")
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, blank=True, related_name="comments")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    mentioned = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    written_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-written_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(announcement__isnull=True, battle__isnull=False)
                | Q(announcement__isnull=False, battle__isnull=True),
                name="comment_is_about_one_thing",
            ),
            models.CheckConstraint(
                condition=Q(removed_at__isnull=True) & ~Q(text="") | Q(removed_at__isnull=False, text=""),
                name="comment_says_something_or_is_removed",
            ),
        ]

    def __str__(self) -> str:
        return self.text[:40]

    def get_absolute_url(self) -> str:
        """Return its place on the page of comments."""
        page = reverse("discussion:battle", args=[self.battle_id]) if self.battle_id else self.about.get_absolute_url()
        return f"{page}#comment-{self.pk}"

    @property
    def html(self) -> SafeString:
        """Its text as HTML, with the names of mentioned members highlighted."""
        return comment_html(self.text, self.mentioned)

    @property
    def about(self) -> Announcement | Battle:
        """The announcement or the battle that it is about. Raises ValueError if the row has neither."""
        about = self.announcement or self.battle
        if about is None:
            raise ValueError(f"Comment {self.pk} is about nothing")
        return about


class Notice(UUIDModel):
    """A notice for `user`, until they have seen it: `by` mentioned them in a text, or reminds them of a battle."""

    class Kind(models.TextChoices):
        MENTION = "mention"
        REMINDER = "reminder"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="campaign_notices")
    kind = models.CharField(max_length=8, choices=Kind)
    announcement = models.ForeignKey(Announcement, models.CASCADE, null=True, blank=True, related_name="notices")
    comment = models.ForeignKey(Comment, models.CASCADE, null=True, blank=True, related_name="notices")
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, blank=True, related_name="notices")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-at", "pk"]
        indexes = [models.Index(fields=["user"], condition=Q(seen_at__isnull=True), name="unseen_notices_of_a_user")]

    def __str__(self) -> str:
        return gettext("%(by)s to %(user)s") % {"by": self.by, "user": self.user}

    @property
    def target(self) -> str:
        """The address of what it is about: the campaign page once an announcement was deleted."""
        about = self.comment or self.announcement or self.battle
        announcement = about.announcement if isinstance(about, Comment) else self.announcement
        gone = about is None or (announcement is not None and announcement.removed_at is not None)
        return self.campaign.get_absolute_url() if gone else about.get_absolute_url()
