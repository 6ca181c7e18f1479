"""The systems of a campaign's star map with what changes their holders, and the bonuses that were awarded."""

from typing import Any

from django.db.models import Prefetch

from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.registers import carried
from campaign.archive.parts.scope import Scope, moment
from campaign.star_map.models import BonusAward, HolderChange, System, SystemBattle
from registers.models import LedgerEntry

SYSTEM = ("id", "number", "name", "x", "y", "bonus_supply", "bonus_experience")
CHANGE = ("team", "faction", "battle", "by")
OF_BATTLE = ("battle", "automatic")


def written(scope: Scope) -> list[dict[str, Any]]:
    """Return each system. Awards to Registers that are not in the file are left out."""
    entries = LedgerEntry.objects.filter(register__in=carried(scope.campaign)).order_by("register", "position")
    systems = scope.campaign.systems.prefetch_related(
        "lanes", "changes", "battles", Prefetch("bonus_awards__entries", entries)
    )
    return [
        {
            **scope.values(system, *SYSTEM),
            "lanes": [str(other.pk) for other in system.lanes.all()],
            "changes": [
                {**scope.values(change, *CHANGE), "changed_at": moment(change.at)} for change in system.changes.all()
            ],
            "battles": [scope.values(each, *OF_BATTLE) for each in system.battles.all()],
            "bonuses": [
                {
                    "turn": bonus.turn,
                    "awards": [
                        {"register": str(entry.register_id), "position": entry.position}
                        for entry in bonus.entries.all()
                    ],
                }
                for bonus in system.bonus_awards.all()
            ],
        }
        for system in systems
    ]


def bring(arrival: Arrival) -> None:
    """Create the systems without the bonuses that were awarded."""
    rows = arrival.data.get("systems", [])
    arrival.systems = {
        row["id"]: System(campaign=arrival.campaign, **arrival.values(System, row, *SYSTEM)) for row in rows
    }
    System.objects.bulk_create(arrival.systems.values())
    through = System.lanes.through
    through._default_manager.bulk_create(
        through(from_system_id=arrival.systems[row["id"]].pk, to_system_id=arrival.systems[lane].pk)
        for row in rows
        for lane in row["lanes"]
    )
    of = [(arrival.systems[row["id"]], row) for row in rows]
    HolderChange.objects.bulk_create(
        HolderChange(system=system, at=when(each["changed_at"]), **arrival.values(HolderChange, each, *CHANGE))
        for system, row in of
        for each in row["changes"]
    )
    SystemBattle.objects.bulk_create(
        SystemBattle(system=system, **arrival.values(SystemBattle, each, *OF_BATTLE))
        for system, row in of
        for each in row["battles"]
    )


def bring_bonuses(arrival: Arrival) -> None:
    """Create the bonuses that were awarded. Their entries are in the ledgers already."""
    rows = [(row, bonus) for row in arrival.data.get("systems", []) for bonus in row["bonuses"]]
    awards = [BonusAward(system=arrival.systems[row["id"]], turn=bonus["turn"]) for row, bonus in rows]
    BonusAward.objects.bulk_create(awards)
    entries = arrival.entries((each["register"], each["position"]) for _, bonus in rows for each in bonus["awards"])
    through = BonusAward.entries.through
    through._default_manager.bulk_create(
        through(bonusaward_id=award.pk, ledgerentry_id=entries[each["register"], each["position"]].pk)
        for award, (_, bonus) in zip(awards, rows, strict=True)
        for each in bonus["awards"]
    )
