"""The lock of a campaign: people, roles, terms, invitations, Registers and arcs come and go one after another.

Lock order: a Story Arc that is written in the campaign, the campaign, then its Registers by primary key.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import User
from campaign.access import is_organiser
from campaign.models import Campaign
from registers.models import Register
from registers.services import ledger
from rules.refusal import refuse


def lock(campaign: Campaign | Q) -> Campaign:
    """The campaign, or the one that meets a condition which nobody changes, as it is now, locked until the transaction
    ends. Rows that only refer to it are not held up.
    """
    which = campaign if isinstance(campaign, Q) else Q(pk=campaign.pk)
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(which)


def lock_for_organiser(actor: User, campaign: Campaign, text: str, about: str = "") -> Campaign:
    """The campaign as by `lock`. Refuses with `text`, `about` a field, anyone who does not organize it: asked once the
    lock is held, because until then somebody may be taking the role away.
    """
    locked = lock(campaign)
    if not is_organiser(actor, locked):
        raise refuse("", text, about)
    return locked


def lock_registers_for_organiser(
    actor: User, campaign: Campaign, registers: QuerySet[Register], text: str
) -> list[Register]:
    """The campaign as by `lock_for_organiser`, and then these of its Registers as by `ledger.lock_all`."""
    lock_for_organiser(actor, campaign, text)
    return ledger.lock_all(registers)
