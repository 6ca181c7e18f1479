"""Remind the players who hold up a battle."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign
from campaign.organizer_tasks.queries import battle_task, with_progress
from campaign.reminders.services import remind
from campaign.services.locks import lock_organized
from core.form_errors import refusals_in
from rules.core.violations import Violation, refuse


@transaction.atomic
def remind_players(
    *, actor: User, campaign: Campaign, battle_id: UUID
) -> tuple[Battle, Sequence[User], Sequence[Violation]]:
    """Remind everybody whom a battle waits for, and return it, who was reminded, and why others were not.
    Refuses anyone but an organizer, a battle of another campaign, and one that waits for no player who can sign in.
    """
    campaign = lock_organized(actor, campaign, gettext("Only organizers can remind players."))
    battle = next(iter(with_progress(campaign.battles.filter(pk=battle_id).select_related("campaign"))), None)
    task = battle_task(battle) if battle else None
    due = [user for user in task.due if user.pk != actor.pk] if task else []
    if not battle or not due:
        raise refuse("", gettext("Nobody needs a reminder about this battle now. Reload the page."))
    told: list[User] = []
    violations: list[Violation] = []
    for user in due:
        with refusals_in(violations):
            remind(actor=actor, battle=battle, user=user)
            told.append(user)
    return battle, told, violations
