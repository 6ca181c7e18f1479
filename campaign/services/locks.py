"""The lock of a campaign: people, roles, terms, invitations, Registers and arcs come and go one after another.

Lock order: a Story Arc that is written in the campaign, the campaign, then its Registers by primary key.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet, Subquery

from accounts.models import User
from campaign.access import is_organiser, know_role
from campaign.models import Campaign, Membership
from registers.models import Register
from registers.services import ledger
from rules.refusal import refuse


def lock(campaign: Campaign | Q) -> Campaign:
    """The campaign, or the one that meets a condition which nobody changes, as it is now, locked until the transaction
    ends. Rows that only refer to it are not held up.
    """
    which = campaign if isinstance(campaign, Q) else Q(pk=campaign.pk)
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(which)


def lock_as(actor: User, campaign: Campaign) -> Campaign:
    """The same, with the `role` of `actor` in it, which nobody changes any more: `access.is_organiser` and `is_player`
    know it. It is asked once the lock is held, since another may be taking it away until then.
    """
    locked = lock(campaign)
    locked.role = locked.memberships.filter(user=actor).values_list("role", flat=True).first()
    know_role(actor, locked, locked.role)
    return locked


def lock_for_organiser(actor: User, campaign: Campaign, text: str, about: str = "") -> Campaign:
    """The campaign as by `lock_as`. Refuses with `text`, `about` a field, who does not organise it."""
    locked = lock_as(actor, campaign)
    if not is_organiser(actor, locked):
        raise refuse("", text, about)
    return locked


def lock_registers_for_organiser(
    actor: User, campaign: Campaign, registers: QuerySet[Register], text: str
) -> list[Register]:
    """The campaign as by `lock_for_organiser`, and then these of its Registers as by `ledger.lock_all`. The role of the
    actor is asked along with the Registers: by then nobody changes it any more."""
    locked = lock(campaign)
    role = Membership.objects.filter(user=actor, campaign=campaign).values("role")
    found = ledger.lock_all(registers.annotate(role=Subquery(role)))
    if found:
        know_role(actor, locked, found[0].role)  # type: ignore[attr-defined]
    if not is_organiser(actor, locked):
        raise refuse("", text)
    return found
