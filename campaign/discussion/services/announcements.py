"""Add, change and remove announcements."""

from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.discussion.models import Announcement
from campaign.discussion.services.notices import save_with_mentions
from campaign.models import ActivityKind, Campaign, Subject
from campaign.models.activity import ANNOUNCEMENT_REMOVED
from campaign.services.activity import log_activity
from campaign.services.locks import lock_organized
from campaign.services.texts import text_violations
from campaign.services.webhooks import post
from core.plain_text import one_line, plain_text
from notifications.discord import escaped, quoted
from notifications.models import Kind
from notifications.services import people
from rules.core.violations import raise_if_any, refuse

LONGEST = {"title": 120, "text": 5_000}


@transaction.atomic
def announce(
    *,
    actor: User,
    campaign: Campaign,
    title: str,
    text: str,
    pinned: bool = False,
    announcement_id: UUID | None = None,
    version: int = 1,
) -> Announcement:
    """Add an announcement to the campaign page; `text` is Markdown. `announcement_id` is its primary key, so that a
    form sent twice creates one; with different text, the second form changes it (`version`: see `change`). Members who
    are mentioned get a notice, the others a notification if they want one. Refuses anyone but an organizer, a key of
    another campaign, and everything that `text_violations` names.
    """
    campaign = _lock(actor, campaign)
    words = _words(title, text, pinned=pinned)
    raise_if_any(text_violations(words, LONGEST))
    announcement, new = Announcement.objects.get_or_create(
        pk=announcement_id or uuid4(), defaults={"campaign": campaign, "author": actor, **words}
    )
    if announcement.campaign_id != campaign.pk:
        raise refuse("", gettext("This form has already added an announcement. Start a new one."))
    if new:
        mentioned = save_with_mentions(actor, announcement)
        members = campaign.memberships.exclude(user__in=[actor.pk, *mentioned]).values_list("user", flat=True)
        line = f"{campaign}: {announcement.title}"
        url = announcement.get_absolute_url()
        people.notify(members, Kind.ANNOUNCEMENT, line, announcement.text, url, f"announcement {announcement.pk}")
        lines = [f"**{escaped(announcement.title)}** ({escaped(str(campaign))})", quoted(announcement.text)]
        post(campaign, Subject.ANNOUNCEMENT, lines, url, key=announcement.pk)
        return announcement
    return _changed(actor, announcement, version, words)


@transaction.atomic
def change(
    *, actor: User, announcement_id: UUID, version: int, title: str, text: str, pinned: bool = False
) -> Announcement:
    """Change an announcement. Identical text changes nothing. `version` is that of the announcement when the form was
    drawn. Members who are mentioned for the first time get a notice. Refuses anyone but an organizer, an announcement
    that was removed or has changed since then, and everything that `text_violations` names.
    """
    announcement = _lock_announcement(actor, announcement_id)
    return _changed(actor, announcement, version, _words(title, text, pinned=pinned))


@transaction.atomic
def remove(*, actor: User, announcement_id: UUID) -> None:
    """Remove an announcement and its text. Repeating it changes nothing. Refuses anyone but an organizer."""
    announcement = _lock_announcement(actor, announcement_id)
    if announcement.removed_at:
        return
    title = announcement.title
    announcement.title = announcement.text = ""
    announcement.mentioned = []
    announcement.removed_at = timezone.now()
    announcement.save()
    log_activity(
        actor=actor, campaign=announcement.campaign, kind=ActivityKind.DISCUSSION, what=ANNOUNCEMENT_REMOVED,
        user=announcement.author_id, title=title,
    )  # fmt: skip


def _words(title: str, text: str, *, pinned: bool) -> dict[str, Any]:
    """Return the fields of an announcement as they are stored."""
    return {"title": one_line(title), "text": plain_text(text), "pinned": pinned}


def _changed(actor: User, announcement: Announcement, version: int, words: dict[str, Any]) -> Announcement:
    if announcement.removed_at:
        raise refuse("", gettext("This announcement was deleted."))
    if words == {name: getattr(announcement, name) for name in words}:
        return announcement
    if announcement.version != version:
        text = gettext("The announcement was changed on another page. Compare both versions, then save again.")
        raise refuse("", text)
    raise_if_any(text_violations(words, LONGEST))
    for name, value in words.items():
        setattr(announcement, name, value)
    announcement.version += 1
    announcement.changed_at = timezone.now()
    save_with_mentions(actor, announcement)
    return announcement


def _lock(actor: User, campaign: Campaign) -> Campaign:
    return lock_organized(
        actor, campaign, gettext("Only organizers can write announcements."), until=Campaign.State.CLOSED
    )


def _lock_announcement(actor: User, announcement_id: UUID) -> Announcement:
    campaign = _lock(actor, Campaign.objects.get(announcements=announcement_id))
    announcement = Announcement.objects.select_for_update(of=("self",)).get(pk=announcement_id)
    announcement.campaign = campaign
    return announcement
