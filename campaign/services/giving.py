"""What organisers give: something to many Registers, and a Register to another player."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from accounts.models import User
from campaign.access import players_of
from campaign.life import OVER
from campaign.models import Campaign, Kind
from campaign.services.chronicle import record
from campaign.services.locks import check_organizer, lock_campaign
from registers.models import Entry, Register
from registers.services import awards as awarding
from registers.services import ledger, owning
from rules.language import gettext
from rules.refusal import refuse


@transaction.atomic
def award(
    *, actor: User, campaign: Campaign, awards: Mapping[UUID, awarding.Award], reason: str
) -> Sequence[Register]:
    """Give Registers of the campaign what each of them is to get, all or none.

    Refuses anybody but an organiser, a Register that does not serve in it, and what `awards.give` refuses.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser awards anything."))
    serving = ledger.lock_registers(campaign.registers.filter(pk__in=awards))
    if len(serving) != len(awards):
        raise refuse("", gettext("This Register does not serve in the campaign."))
    return awarding.give(actor=actor, registers=sorted(serving, key=str), awards=awards, reason=reason)


@transaction.atomic
def take_awards_back(*, actor: User, campaign: Campaign, entries: Collection[int], reason: str) -> int:
    """Take awards back, all or none: `entries` are the primary keys of theirs in the ledgers. Returns how many.

    What is taken back already stays so. Refuses anybody but an organiser, an entry of a Register that does not serve in
    the campaign, and whatever `awards.take_back` refuses.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser awards anything."))
    theirs = Entry.objects.filter(pk__in=entries).values("register")
    serving = ledger.lock_registers(campaign.registers.filter(pk__in=theirs))
    session = ledger.LedgerSession(sorted(serving, key=str))
    awards = {
        pk: [entry for entry in session.entries(register) if entry.pk in entries]
        for pk, register in session.registers.items()
    }
    taken = sum(map(len, awards.values()))
    if not taken or taken != len(set(entries)):
        raise refuse("", gettext("This Register does not serve in the campaign."))
    awarding.take_back(actor=actor, session=session, awards=awards, reason=reason)
    return taken


@transaction.atomic
def give_register(*, actor: User, campaign: Campaign, register_id: UUID, to: User) -> Register:
    """Let a Register belong to another player of the campaign. Giving it to whom it belongs changes nothing.

    Its former player keeps nothing of it. The ledger stays as it is, the chronicle tells. Refuses anybody but an
    organiser, a Register that does not serve in the campaign, somebody who does not play in it, and a Register that
    stands in a battle which is not over for both sides: armies, hands and answers of it are its player's.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser gives a Register to another player."))
    serving = ledger.lock_registers(campaign.registers.filter(pk=register_id))
    if not serving:
        raise refuse("", gettext("This Register does not serve in the campaign."))
    [register] = serving
    if register.owner_id == to.pk:
        return register
    if not players_of(campaign).filter(user=to, user__is_active=True).exists():
        raise refuse("", gettext("{user} does not play in this campaign.", user=to), "to")
    if register.sides.exclude(battle__status__in=OVER).exists():
        text = gettext("{register} stands in a battle that is not over. Finish it first.", register=register)
        raise refuse("R11", text)
    before = register.owner_id
    owning.change_owner(register=register, owner=to)
    record(
        actor=actor, campaign=campaign, kind=Kind.GIVEN, register=str(register_id), user=to.pk, before=before
    )
    return register
