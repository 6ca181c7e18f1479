"""Lock battles and their Registers, always in the same order."""

from uuid import UUID

from django.db.models import Prefetch, Q, prefetch_related_objects

from campaign.access import check_state
from campaign.battles.models import Battle, Side
from registers.ledger.session import LedgerSession, lock_registers
from registers.models import Register


def lock_battle(battle: UUID | Q) -> tuple[Battle, list[Side], LedgerSession]:
    """Lock one battle as `lock_battles` does, and return its sides too. Raises Battle.DoesNotExist."""
    found, session = lock_battles(battle if isinstance(battle, Q) else Q(pk=battle))
    if not found:
        raise Battle.DoesNotExist
    return found[0], list(found[0].sides.all()), session


def lock_battles(which: Q) -> tuple[list[Battle], LedgerSession]:
    """Lock battles and then their Registers, both in primary-key order, until the transaction ends. Refuses battles of
    a campaign that is not open (`Campaign.refusal`).

    Returns the battles in that order, with campaign and sides (blue first) as they are under the locks, and a session
    on their Registers. A Register that fights in several of the battles is the same object in all of them.
    """
    battles = list(Battle.objects.filter(which).select_for_update(of=("self",)).order_by("pk"))
    fighting = Side.objects.filter(battle__in=battles).values("register")
    session = LedgerSession(lock_registers(Register.objects.filter(pk__in=fighting)))
    prefetch_related_objects(battles, "campaign", Prefetch("sides", Side.objects.order_by("colour")))
    for campaign in {battle.campaign for battle in battles}:
        check_state(campaign)
    for battle in battles:
        for side in battle.sides.all():
            side.register = session.registers[side.register_id] if side.register_id else None
    return battles, session
