"""Give Registers of a campaign awards, and undo them."""

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from campaign.models import Campaign
from campaign.services.locks import lock_organized
from registers.ledger import session as ledger_session
from registers.models import LedgerEntry, Register
from registers.services import awards as awarding
from rules.core.violations import refuse


@transaction.atomic
def give_awards(
    *, actor: User, campaign: Campaign, awards: Mapping[UUID, awarding.RegisterAward], reason: str
) -> Sequence[Register]:
    """Give Registers of the campaign their awards, all or none. Refuses anyone but an organizer, a Register that is not
    in the campaign, and everything that `registers.services.awards.give` refuses.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can give awards."))
    serving = ledger_session.lock_registers(campaign.registers.filter(pk__in=awards))
    if len(serving) != len(awards):
        raise refuse("", gettext("This Register is not in the campaign."))
    return awarding.give(actor=actor, registers=sorted(serving, key=str), awards=awards, reason=reason)


@transaction.atomic
def undo_awards(*, actor: User, campaign: Campaign, entries: Collection[int], reason: str) -> int:
    """Undo awards, all or none: `entries` are their primary keys in the ledgers. Return how many. Awards that are
    undone already stay undone. Refuses anyone but an organizer, an entry of a Register outside the campaign, and
    everything that `awards.undo_awards` refuses.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can give awards."))
    theirs = LedgerEntry.objects.filter(pk__in=entries).values("register")
    serving = ledger_session.lock_registers(campaign.registers.filter(pk__in=theirs))
    session = ledger_session.LedgerSession(sorted(serving, key=str))
    awards = {
        pk: [entry for entry in session.entries(register) if entry.pk in entries]
        for pk, register in session.registers.items()
    }
    taken = sum(map(len, awards.values()))
    if not taken or taken != len(set(entries)):
        raise refuse("", gettext("This Register is not in the campaign."))
    awarding.undo_awards(actor=actor, session=session, awards=awards, reason=reason)
    return taken
