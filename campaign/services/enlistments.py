"""Withdraw a Register from its campaign for a while, retire it, and bring it back."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from campaign.access import campaign_role, leads_register
from campaign.battles.models import Battle
from campaign.battles.services import planning
from campaign.battles.services.locks import lock_battles
from campaign.battles.state_machine import BEFORE_PLAY, OVER
from campaign.models import ActivityKind, Campaign, Enlistment
from campaign.services.activity import record
from campaign.services.locks import lock_campaign
from registers.ledger.session import on_behalf_of
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any, refuse

#: Reasons with which planned battles are canceled.
_REASONS = {
    Enlistment.Status.WITHDRAWN: lambda register: gettext("{register} was withdrawn.", register=register),
    Enlistment.Status.RETIRED: lambda register: gettext("{register} was retired.", register=register),
}


@transaction.atomic
def change_status(
    *, actor: User, campaign: Campaign, register_id: UUID, status: str, planned: Collection[UUID] = ()
) -> Enlistment:
    """Withdraw a Register from the campaign (it pauses), retire it (its part ends), or let it play again.

    `status` is one of Enlistment.Status. Withdrawn and retired Registers leave the standings and cannot be planned;
    their history, ledger and stories stay, and they stay in this campaign. `planned` are the primary keys of the
    planned battles that the actor agreed to cancel. The same status again changes nothing. Refuses anyone but the
    Register's player and the organizers, a Register that is not in the campaign or was deleted, a Register in a battle
    that has begun and is not over (R11), and one with a planned battle that is not among `planned`.
    """
    locked = lock_campaign(campaign)
    serving = locked.enlistments.filter(register__discarded=False).select_related("register__owner")
    enlistment = serving.filter(register=register_id).first()
    if enlistment is None:
        raise refuse("", gettext("This Register is not in the campaign."))
    register = enlistment.register
    if not leads_register(campaign_role(actor, locked), register):
        raise refuse("", gettext("Only its player and the organizers can withdraw or retire a Register."))
    if enlistment.status == status:
        return enlistment
    if status != Enlistment.Status.PLAYING:
        battles, _session = lock_battles(open_battles_of(register_id))
        raise_if_any(_battle_violations(enlistment, battles, planned))
        for battle in battles:
            planning.cancel(actor=actor, battle_id=battle.pk, reason=_REASONS[Enlistment.Status(status)](register))
    enlistment.status = status
    enlistment.save(update_fields=["status"])
    record(
        actor=actor, campaign=locked, kind=ActivityKind.STATUS, on_behalf_of=on_behalf_of(actor, register),
        register=str(register_id), status=str(status),
    )  # fmt: skip
    return enlistment


def open_battles_of(register_id: UUID) -> Q:
    """Return the condition for battles of a Register that are planned or have begun, and are not over."""
    return Q(sides__register=register_id) & ~Q(status__in=OVER)


def _battle_violations(
    enlistment: Enlistment, battles: Collection[Battle], planned: Collection[UUID]
) -> list[Violation]:
    register = enlistment.register
    begun = [battle for battle in battles if battle.status not in BEFORE_PLAY]
    found = [
        Violation("R11", gettext("{register} is in {battle}. Finish the battle first.", register=register, battle=each))
        for each in begun
    ]
    if not begun and any(battle.pk not in planned for battle in battles):
        text = gettext("A battle was planned a moment ago. Check the list of battles, then confirm again.")
        found.append(Violation("", text))
    return found
