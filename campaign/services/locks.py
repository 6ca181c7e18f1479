"""The lock of a campaign: people, roles, terms, invitations, Registers and arcs come and go one after another.

Lock order: a Story Arc that is written in the campaign, the campaign, then its Registers by primary key.
"""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from campaign.access import is_organiser, know_role
from campaign.models import Campaign
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
