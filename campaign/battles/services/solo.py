"""Battles of a Register outside campaigns, against guests."""

from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.models import Battle
from campaign.battles.services.planning import BattlePlan, plan_battles
from campaign.battles.state_machine import OVER
from campaign.models import Campaign, Membership
from core.db.rows import update
from registers.models import Register
from rules.core.violations import refuse


@transaction.atomic
def plan_solo_battle(*, actor: User, register_id: UUID, **plan: Any) -> Battle:
    """Plan a battle of a Register of `actor` that is in no campaign; `plan` are the values of a `BattlePlan`. The first
    one creates the hidden campaign of its solo battles, which `actor` organizes. Refuses a Register of somebody else or
    in a campaign, and what `plan_battle` refuses: the opponent can only be a guest (R17).
    """
    register = Register.objects.filter(pk=register_id, owner=actor, discarded=False).first()
    if register is None:
        raise refuse("", gettext("This Register belongs to somebody else."), "own")
    solo = _lock(register.pk) or Campaign.everything.get_or_create(solo=register)[0]
    if hasattr(register, "enlistment"):
        text = gettext("%(register)s is in a campaign. Plan the battle there.") % {"register": register}
        raise refuse("", text, "own")
    update(solo, state=Campaign.State.OPEN, closed_at=None, campaign_rules=register.campaign_rules)
    solo.memberships.exclude(user=actor).delete()  # of the player whose Register it was
    Membership.objects.get_or_create(campaign=solo, user=actor, defaults={"role": Membership.Role.ORGANIZER})
    [battle] = plan_battles(actor=actor, campaign=solo, plans=[BattlePlan(**plan)])
    return battle


def close_solo(*, register_id: UUID) -> None:
    """Close the solo battles of a Register that joins a campaign: they can be read, and nobody corrects them any more.
    Refuses while one of them is not over (R11).
    """
    if (solo := _lock(register_id)) is None:
        return
    if battle := solo.battles.exclude(status__in=OVER).first():
        text = gettext("This Register is in solo %(battle)s. Finish or cancel that battle first.")
        raise refuse("R11", text % {"battle": battle})
    update(solo, state=Campaign.State.CLOSED, closed_at=solo.closed_at or timezone.now())


def _lock(register_id: UUID) -> Campaign | None:
    """Lock the solo battles of a Register, also before the first one, and return their campaign."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [register_id.int % 2**63])
    return Campaign.everything.select_for_update(of=("self",), no_key=True).filter(solo=register_id).first()
