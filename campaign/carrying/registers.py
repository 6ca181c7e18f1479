"""Registers: their ledgers, of which all rows are the sum, and what players wrote and showed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import F, Prefetch, Q, QuerySet

from campaign.models import Enlistment
from registers.models import Dossier, Entry, Register
from registers.services.carrying import bring_ledgers
from rules.force import Force
from rules.terms import from_data

from .arrival import Arrival, when
from .scope import Scope, moment, plain

ENTRY = (
    "position", "place", "act", "battle", "step", "effects", "answers", "rolled_by_hand", "reason", "digest",
)  # fmt: skip
#: So many Registers are read at once, with what players wrote and showed of them.
AT_ONCE = 50


def carried(campaign: UUID) -> QuerySet[Register]:
    """The Registers that serve in the campaign of this key or have fought in it."""
    fought = Q(sides__battle__campaign=campaign)
    keys = Register.objects.filter(Q(enlistment__campaign=campaign) | fought).values("pk")
    return Register.objects.filter(pk__in=keys).order_by("created_at", "pk")


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with its whole ledger; one ledger is in memory at a time."""
    for register, entries in _with_ledgers(scope):
        enlistment = _enlistment(scope, register)
        yield {
            "id": str(register.pk),
            "owner": scope.person(register.owner_id),
            "created_at": moment(register.created_at),
            "serves": enlistment is not None,
            "awaits_consent": bool(enlistment and enlistment.awaits_consent),
            "terms": register.terms.as_data(),
            "arcs_taken_in": register.arcs_taken_in,
            "biography": register.biography,
            "digest": register.digest,
            "dossiers": _dossiers(scope, register),
            "ledger": [_entry(scope, entry) for entry in entries],
        }


def _with_ledgers(scope: Scope) -> Iterator[tuple[Register, list[Entry]]]:
    """All ledgers are one query, read as they are written; Registers come in the same order."""
    told = Dossier.objects.exclude(biography="", picture=None).select_related("picture").order_by("order")
    registers = (
        carried(scope.campaign.pk).select_related("enlistment").prefetch_related(Prefetch("dossiers", told))
    )
    entries = _entries(scope)
    entry = next(entries, None)
    for register in registers.iterator(chunk_size=AT_ONCE):
        ledger = []
        while entry and entry.register_id == register.pk:
            ledger.append(entry)
            entry = next(entries, None)
        yield register, ledger


def _entries(scope: Scope) -> Iterator[Entry]:
    everything = Entry.objects.filter(register__in=carried(scope.campaign.pk).values("pk"))
    entries = everything.annotate(instead_of=F("undoes__position"))
    return entries.order_by("register__created_at", "register_id", "position").iterator(chunk_size=200)


def _enlistment(scope: Scope, register: Register) -> Enlistment | None:
    """In this campaign: one that has fought in it may serve in another by now."""
    found: Enlistment | None = getattr(register, "enlistment", None)
    return found if found and found.campaign_id == scope.campaign.pk else None


def _dossiers(scope: Scope, register: Register) -> list[dict[str, Any]]:
    """What the ledger does not say of its Dossiers, if there is anything."""
    return [
        {"key": each.key, "biography": each.biography, "picture": scope.picture(each.picture)}
        for each in register.dossiers.all()
    ]


def _entry(scope: Scope, entry: Any) -> dict[str, Any]:
    scope.answerers(entry.answers)
    return {
        **plain(entry, *ENTRY),
        "undoes": entry.instead_of,
        "actor": scope.person(entry.actor_id),
        "acting_for": scope.person(entry.acting_for_id),
        "created_at": moment(entry.created_at),
    }


def bring(arrival: Arrival) -> None:
    """Make the Registers, in which nothing has happened yet."""
    registers = arrival.data["registers"]
    arrival.registers = {said["id"]: _new(arrival, said) for said in registers}
    serving = [(arrival.registers[said["id"]], said) for said in registers if said["serves"]]
    enlistments = [
        Enlistment(campaign=arrival.campaign, register=register, awaits_consent=said["awaits_consent"])
        for register, said in serving
    ]
    arrival.changes.insert(*arrival.registers.values())
    arrival.changes.insert(*enlistments)


def _new(arrival: Arrival, said: Mapping[str, Any]) -> Register:
    return Register(
        pk=UUID(said["id"]),
        owner=arrival.person(said["owner"]),
        created_at=when(said["created_at"]),
        terms=from_data(said["terms"]),
        arcs_taken_in=said["arcs_taken_in"],
        biography=said["biography"],
    )


def bring_happenings(arrival: Arrival) -> dict[Register, Force]:
    """Let the Registers, once they are written, be the sums of their ledgers; returns those."""
    came = [(arrival.registers[said["id"]], said) for said in arrival.data["registers"]]
    forces = bring_ledgers(
        {register: [_made(arrival, each) for each in said["ledger"]] for register, said in came}
    )
    told = {(register.pk, each["key"]): each for register, said in came for each in said["dossiers"]}
    theirs = Dossier.objects.filter(register__in={register for register, _ in told})
    dossiers = [each for each in theirs if (each.register_id, each.key) in told]
    for each in dossiers:
        said = told[each.register_id, each.key]
        each.biography, each.picture = said["biography"], arrival.pictures.get(said["picture"])
    arrival.changes.update(dossiers, "biography", "picture")
    arrival.changes.write()
    return forces


def _made(arrival: Arrival, said: Mapping[str, Any]) -> tuple[Entry, int | None]:
    """An entry that is not written yet, and the position of the one it undoes."""
    entry = Entry(
        pk=next(arrival.keys[Entry]),
        **{name: said[name] for name in ENTRY if name != "digest"},
        actor=arrival.person(said["actor"]),
        acting_for=arrival.person(said["acting_for"]),
        created_at=when(said["created_at"]),
    )
    entry.answers = arrival.answers(entry.answers, entry.battle)
    return entry, said["undoes"]
