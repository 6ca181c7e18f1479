"""Set the bonus for painted armies, and award it."""

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.achievements.models import PaintedBonus, PaintingRules
from campaign.achievements.queries import awarded_before, painted_armies, painting_bonus_of
from campaign.models import Campaign
from campaign.services.locks import lock_organized
from registers.ledger.session import lock_registers
from registers.models import LedgerEntry, Register
from registers.services.awards import RegisterAward, give
from rules.adjustments.awards import MOST, Gift
from rules.core.violations import refuse

ONLY_ORGANIZERS = gettext_noop("Only organizers can change the bonus for painted armies and award it.")


@transaction.atomic
def set_bonus(*, actor: User, campaign: Campaign, supply_points: int) -> None:
    """Set the SP that a Register gets for a battle with a fully painted army, 0 for none. Refuses anyone but an
    organizer, and a number that no award could give.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if not 0 <= supply_points <= MOST:
        raise refuse("", gettext("Enter a whole number from 0 to %(most)s.") % {"most": MOST}, "supply_points")
    PaintingRules.objects.update_or_create(campaign=campaign, defaults={"supply_points": supply_points})


@transaction.atomic
def award_bonus(*, actor: User, campaign: Campaign, side_id: int) -> None:
    """Award the bonus for the painted army of a side, by the awards service. Awarding it again changes nothing, unless
    the award was undone. Refuses anyone but an organizer, a campaign without a bonus, an army that is not fully painted
    or of a battle that is not closed, and everything that the awards service refuses.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if not (bonus := painting_bonus_of(campaign)):
        raise refuse("", gettext("This campaign has no bonus for painted armies. Set one first."))
    side = next((each["side"] for each in painted_armies(campaign) if each["side"].pk == side_id), None)
    if side is None:
        raise refuse("", gettext("This army is no longer fully painted, or its battle is open again."))
    if awarded_before(side):
        return
    [register] = lock_registers(Register.objects.filter(pk=side.own_register.pk))
    awards = {register.pk: RegisterAward(Gift(supply_points=bonus), register.position)}
    reason = gettext("Painted army in %(battle)s") % {"battle": side.battle}
    [given] = give(actor=actor, registers=[register], awards=awards, reason=reason)
    entry = LedgerEntry.objects.get(register=given, position=given.position)
    PaintedBonus.objects.update_or_create(side=side, defaults={"entry": entry})
