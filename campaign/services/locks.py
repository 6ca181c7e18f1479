"""One lock for each kind of thing: a campaign, or battles with their Registers. `registers.ledger.session` has that of
Registers alone.

Lock order: a Story Arc that is written in the campaign, the campaign, battles, Registers; several of a kind by primary
key. Services ask who may act once they hold the lock, because until then somebody may be taking a role away.
"""

from __future__ import annotations

from django.db.models import Q

from accounts.models import User
from campaign.models import Campaign
from members.access import is_organizer
from rules.core.violations import refuse


def lock_campaign(campaign: Campaign | Q) -> Campaign:
    """Lock a campaign until the transaction ends, and return it as it is now. A condition instead of the campaign must
    be one that nobody changes. Rows that only refer to the campaign are not held up. Raises Campaign.DoesNotExist.
    """
    which = campaign if isinstance(campaign, Q) else Q(pk=campaign.pk)
    return Campaign.objects.select_for_update(of=("self",), no_key=True).get(which)


def lock_organized(actor: User, campaign: Campaign | Q, text: str, about: str = "") -> Campaign:
    """Lock a campaign as `lock_campaign` does. Refuses with `text`, `about` a field, who does not organize it."""
    locked = lock_campaign(campaign)
    if not is_organizer(actor, locked):
        raise refuse("", text, about)
    return locked
