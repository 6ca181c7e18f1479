"""Locks for a campaign, or for battles with their Registers. `registers.ledger.session` locks single Registers.

Lock order: a custom Story Arc of the campaign, the campaign, battles, Registers; several of a kind by primary key.
Services check rights only once they hold the lock, because until then somebody may be taking a role away.
"""

from django.db.models import Q

from accounts.models import User
from campaign.access import check_state
from campaign.models import Campaign, CampaignState
from members.roles import is_organizer
from rules.core.violations import refuse


def lock_campaign(campaign: Campaign | Q, *, until: str = CampaignState.OPEN) -> Campaign:
    """Lock a campaign until the transaction ends, and return it as it is now. A condition instead of the campaign must
    be one that nobody changes. Rows that only refer to the campaign are not held up. Refuses a campaign that was
    deleted or is past the state `until`: what belongs to the game is possible until it is closed, texts, pictures and
    people until it is archived. Raises Campaign.DoesNotExist.
    """
    which = campaign if isinstance(campaign, Q) else Q(pk=campaign.pk)
    locked = Campaign.everything.select_for_update(of=("self",), no_key=True).get(which)
    check_state(locked, until)
    return locked


def lock_organized(
    actor: User, campaign: Campaign | Q, text: str, about: str = "", *, until: str = CampaignState.OPEN
) -> Campaign:
    """Lock a campaign as `lock_campaign` does. Refuses anyone but an organizer, with `text` at the field `about`."""
    locked = lock_campaign(campaign, until=until)
    if not is_organizer(actor, locked):
        raise refuse("", text, about)
    return locked
