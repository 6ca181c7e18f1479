"""Send reminders: those that are due, and one by hand."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models import Battle
from campaign.battles.queries.battles import side_to_choose, versus
from campaign.battles.state_machine import OVER
from campaign.discussion.services.notices import remind_in_inbox
from campaign.models import Subject
from campaign.reminders.due import reminders_due
from campaign.services.webhooks import post
from notifications.discord import escaped, quoted
from notifications.models import Kind
from notifications.services import people
from rules.core.violations import refuse


def send_due(now: datetime | None = None) -> int:
    """Send all due reminders that were not sent, each in a transaction of its own. Return how many people get one."""
    sent = 0
    for each in reminders_due(now or timezone.now()):
        with transaction.atomic():
            sent += len(people.notify(each.users, each.kind, each.title, each.body, each.url, each.key))
            post(each.campaign, Subject.REMINDER, _lines(each.title, each.body), each.url, key=each.key)
    return sent


@transaction.atomic
def remind(*, actor: User, battle: Battle, user: User) -> None:
    """Remind a person of what they have to do in a battle: by a notice in their inbox, and by mail and push as they
    have chosen. At most once a day for each person and battle.

    Refuses an actor who neither organizes nor plays in it, a person who has nothing to do in it, and a second reminder
    within a day.
    """
    if battle.campaign.guest_id:
        raise refuse("", gettext("The demo sends no reminders."))
    role = access.campaign_role(actor, battle.campaign)
    if not role.is_organizer and not battle_access.plays(role, battle):
        raise refuse("", gettext("Only its players and the organizers can send reminders of this battle."))
    task = task_of(battle, user)
    if not task or user == actor:
        raise refuse("", gettext("%(user)s has nothing to do in this battle now.") % {"user": user})
    if not remind_in_inbox(actor=actor, battle=battle, user=user):
        raise refuse("", gettext("%(user)s was reminded within the last day. Try again tomorrow.") % {"user": user})
    body = gettext("%(actor)s asks you: %(task)s.") % {"actor": actor, "task": task}
    key = f"remind {battle.pk} {timezone.now().isoformat()}"
    url = battle.get_absolute_url()
    title = gettext("%(battle)s: %(versus)s") % {"battle": battle, "versus": versus(battle)}
    people.notify([user], Kind.REMINDER, title, body, url, key)
    said = gettext("%(actor)s reminds %(user)s: %(task)s.") % {"actor": actor, "user": user, "task": task}
    post(battle.campaign, Subject.REMINDER, _lines(title, said), url, key=key)


def _lines(title: str, body: str) -> list[str]:
    return [f"**{escaped(title)}**", quoted(body)]


def task_of(battle: Battle, user: User) -> str:
    """Return what a person has to do next in a battle with its sides, in words; empty if nothing."""
    sides = list(battle.sides.all())
    own = [side for side in sides if side.register and side.register.owner_id == user.pk]
    if not own or battle.status in OVER:
        return ""
    match battle.status:
        case Battle.Status.PLANNED:
            return gettext("choose your army") if any(not side.army_chosen for side in own) else ""
        case Battle.Status.READY:
            if (due := side_to_choose(sides)) is None:
                return gettext("start the battle")
            return gettext("choose your Agenda") if due in own else ""
        case Battle.Status.IN_PLAY:
            return gettext("report the battle")
        case Battle.Status.REPORTED:
            return gettext("confirm the report") if battle.reported_by_id != user.pk else ""
        case Battle.Status.DISPUTED:
            return gettext("report the battle again") if battle.reported_by_id == user.pk else ""
    steps = [side.step for side in own if not side.done]
    return gettext("continue at step %(step)s of the Post-Battle Sequence") % {"step": min(steps)} if steps else ""
