"""Registers: their ledgers, from which all their rows follow, and what players wrote and uploaded for them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.scope import Scope, moment
from campaign.models import Campaign, Enlistment
from registers.models import Dossier, LedgerEntry, Register
from registers.painting.models import PaintedUnit
from registers.services.importing import bring_ledgers
from rules.register.state import RegisterState

REGISTER = ("id", "owner", "created_at", "campaign_rules", "adopted_arcs", "biography")
ENTRY = (
    "position", "place", "act", "battle", "step", "effects", "answers", "rolled_by_hand", "reason", "actor",
    "on_behalf_of", "created_at",
)  # fmt: skip
#: How many Registers are read at a time, with their ledgers.
AT_ONCE = 10
#: The related rows that are read with a Register.
PARTS = (
    Prefetch(
        "dossiers", Dossier.objects.exclude(biography="", picture=None).select_related("picture").order_by("order")
    ),
    Prefetch("painted_units", PaintedUnit.objects.order_by("key")),
    Prefetch("entries", LedgerEntry.objects.order_by("position")),
)


def carried(campaign: Campaign) -> QuerySet[Register]:
    """Return the Registers that are in a campaign or have fought in it."""
    known = Q(enlistment__campaign=campaign) | Q(sides__battle__campaign=campaign)
    return Register.objects.filter(pk__in=Register.objects.filter(known).values("pk"))


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Yield each Register with its whole ledger."""
    registers = carried(scope.campaign).select_related("enlistment").prefetch_related(*PARTS)
    for register in registers.order_by("created_at", "pk").iterator(chunk_size=AT_ONCE):
        # A Register that fought in this campaign may be in another one now.
        enlistment: Enlistment | None = getattr(register, "enlistment", None)
        serves = enlistment is not None and enlistment.campaign_id == scope.campaign.pk
        positions = {entry.pk: entry.position for entry in register.entries.all()}
        yield {
            **scope.values(register, *REGISTER),
            "serves": serves,
            "awaits_consent": bool(serves and enlistment and enlistment.awaits_consent),
            "status": enlistment.status if serves and enlistment else Enlistment.Status.PLAYING,
            "digest": register.digest,
            "dossiers": [scope.values(each, "key", "biography", "picture") for each in register.dossiers.all()],
            "painted": [{"key": each.key, "painted_at": moment(each.at)} for each in register.painted_units.all()],
            "ledger": [_entry(scope, each, positions) for each in register.entries.all()],
        }


def _entry(scope: Scope, entry: LedgerEntry, positions: Mapping[int, int]) -> dict[str, Any]:
    scope.answerers(entry.answers)
    return {**scope.values(entry, *ENTRY, "digest"), "undoes": positions[entry.undoes_id] if entry.undoes_id else None}


def bring(arrival: Arrival) -> None:
    """Create the Registers without entries."""
    enlistments = []
    for row in arrival.data["registers"]:
        register = Register(**arrival.values(Register, row, *REGISTER))
        arrival.registers[row["id"]] = register
        if row["serves"]:
            place = {name: row[name] for name in ("awaits_consent", "status")}
            enlistments.append(Enlistment(campaign=arrival.campaign, register=register, **place))
    Register.objects.bulk_create(arrival.registers.values())
    Enlistment.objects.bulk_create(enlistments)
    PaintedUnit.objects.bulk_create(
        PaintedUnit(register=arrival.registers[row["id"]], key=each["key"], at=when(each["painted_at"]))
        for row in arrival.data["registers"]
        for each in row.get("painted", ())
    )


def bring_happenings(arrival: Arrival) -> dict[Register, RegisterState]:
    """Create the ledgers, bring all rows of the Registers up to date with them, and return the states."""
    came = [(arrival.registers[row["id"]], row) for row in arrival.data["registers"]]
    dossiers = {}  # values of Dossiers that are not in the ledger
    for register, row in came:
        for each in row["dossiers"]:
            picture = arrival.pictures.get(each["picture"])
            own = {"key": each["key"], "biography": each["biography"], "picture_id": picture and picture.pk}
            dossiers[register.pk, each["key"]] = {"register_id": register.pk, **own}
    ledgers = {register: [_entry_from(arrival, each) for each in row["ledger"]] for register, row in came}
    return bring_ledgers(ledgers, list(dossiers.values()))


def _entry_from(arrival: Arrival, row: Mapping[str, Any]) -> tuple[LedgerEntry, int | None]:
    entry = LedgerEntry(**arrival.values(LedgerEntry, row, *ENTRY))
    entry.answers = arrival.answers(entry.answers, entry.battle)
    return entry, row["undoes"]
