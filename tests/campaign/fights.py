"""Battles that are over, as pictures see them."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from campaign.battles.models import Battle
from registers.models import Register
from rules.register.effects import ReputationGained
from tests.campaign.factories import Table, planned
from tests.registers.ledgers import append, lock


def over(table: Table, winner: str = "", status: str = "closed", **words: Any) -> Battle:
    """A battle between alpha (blue) and bravo (red), or as `words` have it, that has ended so."""
    battle = planned(table, **words)
    closed_at = timezone.now() if status == "closed" else None
    Battle.objects.filter(pk=battle.pk).update(status=status, winner=winner, closed_at=closed_at)
    battle.sides.update(open=False)
    battle.refresh_from_db()
    return battle


def gain_reputation(register: Register, amount: int, battle: Battle | None = None) -> Any:
    """Reputation of a Register, in a battle or between battles."""
    with transaction.atomic():
        [locked] = lock(register.pk)
        return append(
            actor=register.owner,
            register=locked,
            act="gains" if battle else "edit",
            battle=str(battle.pk) if battle else "",
            effects=[ReputationGained(amount=amount, rule="R48")],
        )
