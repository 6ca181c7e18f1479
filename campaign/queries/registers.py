"""The Registers of a campaign."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import User
from campaign.models import Campaign
from core.db.prepared import Prepared
from core.names import name_order
from registers.campaign_side import Frozen
from registers.models import Register


def registers_of(campaign: Campaign, *, and_own_of: User | None = None) -> QuerySet[Register]:
    """Return the commissioned Registers of a campaign; nobody sees the drafts of others. With `and_own_of`,
    also this user's drafts, and their Registers that are in no campaign and have no `enlistment`.
    """
    return _registers(campaign.pk, and_own_of and and_own_of.pk)


@Prepared
def _registers(campaign: UUID, owner: int | None) -> QuerySet[Register]:
    wanted = Q(enlistment__campaign__pk=campaign, commissioned=True)
    if owner is not None:
        own = Q(owner__pk=owner)
        wanted |= Q(enlistment__campaign__pk=campaign) & own | Q(enlistment=None) & own
    return (
        Register.objects.filter(wanted, discarded=False)
        .select_related("owner", "enlistment", "team_place__team")
        .defer("biography")
    )


def by_standing(registers: Iterable[Register]) -> list[Register]:
    """Return Registers with the highest Reputation first, then by name. Drafts come last."""
    return sorted(registers, key=lambda each: (not each.commissioned, -each.reputation, *by_name(each)))


def by_name(register: Register) -> tuple[object, ...]:
    """Return the key that sorts Registers by name, and those of one name as they were built."""
    return name_order(register.name), register.created_at


def frozen(register: Register) -> Frozen:
    """Return why the campaign of a Register lets nobody change it or its texts now: one query."""
    campaign = next(iter(_campaign_of(register.pk)), None)
    return Frozen(campaign.refusal(), campaign.refusal(Campaign.State.CLOSED)) if campaign else Frozen()


@Prepared
def _campaign_of(register: UUID) -> QuerySet[Campaign]:
    return Campaign.everything.filter(enlistments__register__pk=register)


def playing_in(registers: Iterable[Register]) -> list[Register]:
    """Return those of `registers_of` that play, by standing: they were neither withdrawn nor retired."""
    return [register for register in by_standing(registers) if register.enlistment.plays]
