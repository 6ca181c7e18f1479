"""Tell members that somebody mentioned or reminded them, by a notice in their inbox."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.models import Battle
from campaign.discussion.access import unseen_notices
from campaign.discussion.mentions import mentioned_in
from campaign.discussion.models import Announcement, Comment, Notice
from notifications.models import Kind
from notifications.services import people

#: A person is reminded of a battle once in this time.
REMINDED_FOR = timedelta(days=1)


def notify(*, actor: User, users: Iterable[User], about: Announcement | Comment) -> None:
    """Tell these members that `actor` mentioned them, in the transaction of the text itself: by a notice in their
    inbox, and by mail and push as they have chosen. Each person is told once about each text; the actor, and people
    who cannot sign in, are not told.
    """
    which = {"comment": about} if isinstance(about, Comment) else {"announcement": about}
    told = set(Notice.objects.filter(**which).values_list("user", flat=True))
    new = {user.pk: user for user in users if user.is_active and user.pk not in {actor.pk, *told}}
    if not new:
        return
    Notice.objects.bulk_create(
        Notice(user=user, kind=Notice.Kind.MENTION, by=actor, campaign_id=about.campaign_id, **which)
        for user in new.values()
    )
    title = gettext("%(actor)s mentioned you in %(campaign)s") % {"actor": actor, "campaign": about.campaign}
    people.notify(new, Kind.MENTION, title, about.text, about.get_absolute_url(), f"mention {about.pk}")


def save_with_mentions(actor: User, about: Announcement | Comment) -> list[int]:
    """Save a text with its mentions, tell the members that it mentions, and return their keys."""
    members = User.objects.filter(campaign_memberships__campaign=about.campaign_id)
    found = mentioned_in(about.text, members)
    about.mentioned = sorted(found)
    about.save()
    notify(actor=actor, users=found.values(), about=about)
    return [user.pk for user in found.values()]


def remind_in_inbox(*, actor: User, battle: Battle, user: User) -> bool:
    """Remind a person of a battle, in the caller's transaction; False if they were reminded within REMINDED_FOR."""
    recent = Notice.objects.filter(user=user, battle=battle, kind=Notice.Kind.REMINDER)
    if recent.filter(at__gt=timezone.now() - REMINDED_FOR).exists():
        return False
    unseen_notices(user).filter(battle=battle).update(seen_at=timezone.now())
    Notice.objects.create(user=user, kind=Notice.Kind.REMINDER, by=actor, campaign_id=battle.campaign_id, battle=battle)
    return True


def mark_seen(user: User, **about: Any) -> None:
    """Mark the notices of a user as seen; `about` says which, as fields of Notice."""
    unseen_notices(user).filter(**about).update(seen_at=timezone.now())
