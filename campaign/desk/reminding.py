"""Remind the players who hold up a battle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.models import Battle
from campaign.desk.battle_tasks import battle_task, with_progress
from campaign.discussion.services.notices import remind_in_inbox
from campaign.models import Campaign
from campaign.services.locks import lock_organized
from rules.core.violations import refuse


@dataclass(frozen=True, slots=True)
class Reminded:
    """The players who were reminded of a battle, and those who had been reminded a short time before."""

    battle: Battle
    now: Sequence[User]
    before: Sequence[User]


def remind(*, actor: User, battle: Battle, user: User) -> bool:
    """Remind a player of a battle, in the transaction of the caller. Return False if they were reminded already."""
    return remind_in_inbox(actor=actor, battle=battle, user=user)


@transaction.atomic
def remind_players(*, actor: User, campaign: Campaign, battle_id: UUID) -> Reminded:
    """Remind everybody whom a battle waits for. Repeating it reminds nobody again. Refuses anyone but an organizer, a
    battle of another campaign, and one that waits for no player who can sign in.
    """
    campaign = lock_organized(actor, campaign, gettext("Only organizers can remind players."))
    battle = with_progress(campaign.battles.filter(pk=battle_id)).first()
    task = battle_task(battle) if battle else None
    due = [user for user in task.due if user.pk != actor.pk] if task else []
    if not battle or not due:
        raise refuse("", gettext("Nobody needs a reminder about this battle now. Reload the page."))
    told = {user.pk: remind(actor=actor, battle=battle, user=user) for user in due}
    return Reminded(
        battle, [user for user in due if told[user.pk]], [user for user in due if not told[user.pk]]
    )  # fmt: skip
