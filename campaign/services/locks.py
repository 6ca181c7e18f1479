"""The lock of a campaign: people, roles, terms, invitations, Registers and arcs come and go one after another.

Lock order: a Story Arc that is written in the campaign, the campaign, then its Registers by primary key.
"""

from __future__ import annotations

from accounts.models import User
from campaign.access import is_organiser
from campaign.models import Campaign
from rules.refusal import refuse


def lock(campaign: Campaign) -> Campaign:
    """The campaign as it is now, locked until the transaction ends. Rows that only refer to it are not held up."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)


def lock_for_organiser(actor: User, campaign: Campaign, text: str, about: str = "") -> Campaign:
    """The campaign, locked. Only then is it asked who organises: another may be taking that role away.

    Refuses with `text`, `about` a field, who does not organise it.
    """
    locked = lock(campaign)
    if not is_organiser(actor, locked):
        raise refuse("", text, about)
    return locked
