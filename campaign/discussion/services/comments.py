"""Add, edit and remove comments on announcements and battles."""

from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.access import CampaignRole, campaign_role
from campaign.battles.models import Battle
from campaign.discussion.access import EDITABLE_FOR, may_edit, may_remove
from campaign.discussion.models import Announcement, Comment
from campaign.discussion.services.notices import save_with_mentions
from campaign.models import ActivityKind, Campaign
from campaign.models.activity import COMMENT_REMOVED
from campaign.services.activity import log_activity
from campaign.services.locks import lock_campaign
from core.plain_text import plain_text
from rules.core.violations import refuse

LONGEST_COMMENT = 2_000


@transaction.atomic
def add_comment(*, actor: User, about: Announcement | Battle, text: str, comment_id: UUID | None = None) -> Comment:
    """Add a comment on an announcement or a battle, and tell the members that it mentions. `comment_id` is its primary
    key, so that a form sent twice adds one. Refuses anyone who is no member, a removed announcement, a key of another
    comment, and a text that is empty or has more than LONGEST_COMMENT characters.
    """
    campaign = lock_campaign(Q(pk=about.campaign_id), until=Campaign.State.CLOSED)
    if not campaign_role(actor, campaign).is_member:
        raise refuse("", gettext("Only members of the campaign can comment."))
    if isinstance(about, Announcement) and Announcement.objects.filter(pk=about.pk).exclude(removed_at=None).exists():
        raise refuse("", gettext("This announcement was deleted."))
    text = _checked(text)
    which = {"announcement": about} if isinstance(about, Announcement) else {"battle": about}
    comment, new = Comment.objects.get_or_create(
        pk=comment_id or uuid4(), defaults={"campaign": campaign, "author": actor, "text": text, **which}
    )
    if new:
        save_with_mentions(actor, comment)
    elif (comment.author_id, comment.about) != (actor.pk, about) or comment.text != text:
        raise refuse("", gettext("This form has already added a comment. Reload the page to write another one."))
    return comment


@transaction.atomic
def edit_comment(*, actor: User, comment_id: UUID, version: int, text: str) -> Comment:
    """Change the text of a comment. Identical text changes nothing. `version` is that of the comment when the form was
    drawn. Members who are mentioned for the first time get a notice. Refuses anyone but its author within EDITABLE_FOR,
    a comment that has changed since then, and a text that `add_comment` refuses.
    """
    comment, role = _lock_for(actor, comment_id)
    if comment.author_id != actor.pk:
        raise refuse("", gettext("Only its author can edit a comment."), "text")
    if not may_edit(role, comment):
        minutes = EDITABLE_FOR.seconds // 60
        sentence = gettext("A comment can be edited for %(minutes)d minutes. Delete it and write a new one instead.")
        raise refuse("", sentence % {"minutes": minutes}, "text")
    text = _checked(text)
    if text == comment.text:
        return comment
    if comment.version != version:
        raise refuse("", gettext("This comment was changed on another page. Reload the page."), "text")
    comment.text = text
    comment.version += 1
    comment.changed_at = timezone.now()
    save_with_mentions(actor, comment)
    return comment


@transaction.atomic
def remove_comment(*, actor: User, comment_id: UUID) -> None:
    """Remove a comment and its text. Repeating it changes nothing. The activity log names the organizer who removes
    another member's comment. Refuses anyone but its author and the organizers.
    """
    comment, role = _lock_for(actor, comment_id)
    if not may_remove(role, comment):
        raise refuse("", gettext("Only its author and the organizers can delete a comment."))
    if comment.removed_at:
        return
    comment.text = ""
    comment.mentioned = []
    comment.removed_at = timezone.now()
    comment.save()
    if comment.author_id != actor.pk:
        log_activity(
            actor=actor, campaign=comment.campaign, battle=comment.battle, kind=ActivityKind.DISCUSSION,
            what=COMMENT_REMOVED, user=comment.author_id,
        )  # fmt: skip


def _checked(text: str) -> str:
    if not (text := plain_text(text)):
        raise refuse("", gettext("Enter a text."), "text")
    if len(text) > LONGEST_COMMENT:
        too_long = gettext("Use up to %(most)d characters. You typed %(letters)d.")
        raise refuse("", too_long % {"letters": len(text), "most": LONGEST_COMMENT}, "text")
    return text


def _lock_for(actor: User, comment_id: UUID) -> tuple[Comment, CampaignRole]:
    campaign = lock_campaign(Q(comments=comment_id), until=Campaign.State.CLOSED)
    comment = Comment.objects.select_for_update(of=("self",)).select_related("battle").get(pk=comment_id)
    comment.campaign = campaign
    return comment, campaign_role(actor, campaign)
