"""Registers: their ledgers, of which all rows are the sum, and what players wrote and showed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from campaign.models import Enlistment
from registers.models import Dossier, Entry, Register
from registers.services.carrying import bring_ledger
from rules.terms import from_data

from .arrival import Arrival, dated, when
from .scope import Scope, moment, plain

ENTRY = (
    "position", "place", "act", "battle", "step", "effects", "answers", "rolled_by_hand", "reason", "digest",
)  # fmt: skip


def carried(scope: Scope) -> QuerySet[Register]:
    """The Registers that serve in the campaign or have fought in it."""
    fought = Q(sides__battle__campaign=scope.campaign)
    keys = Register.objects.filter(Q(enlistment__campaign=scope.campaign) | fought).values("pk")
    return Register.objects.filter(pk__in=keys).order_by("created_at", "pk")


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with its whole ledger; one is in memory at a time."""
    waiting = dict(scope.campaign.enlistments.values_list("register", "awaits_consent"))
    for register in carried(scope):
        yield {
            "id": str(register.pk),
            "owner": scope.person(register.owner_id),
            "created_at": moment(register.created_at),
            "serves": register.pk in waiting,
            "awaits_consent": waiting.get(register.pk, False),
            "terms": register.terms.as_data(),
            "arcs_taken_in": register.arcs_taken_in,
            "biography": register.biography,
            "digest": register.digest,
            "dossiers": _dossiers(scope, register),
            "ledger": [_entry(scope, entry) for entry in _entries(register)],
        }


def _dossiers(scope: Scope, register: Register) -> list[dict[str, Any]]:
    """What the ledger does not say of its Dossiers, if there is anything."""
    own = Dossier.objects.filter(register=register).select_related("picture")
    told = own.exclude(biography="", picture=None).order_by("order")
    return [
        {"key": each.key, "biography": each.biography, "picture": scope.picture(each.picture)}
        for each in told
    ]


def _entries(register: Register) -> Iterator[Entry]:
    own = Entry.objects.filter(register=register)
    entries = own.annotate(instead_of=F("undoes__position")).order_by("position")
    return entries.iterator(chunk_size=200)


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
    """Make the Registers, each the sum of its ledger."""
    for said in arrival.data["registers"]:
        register = Register.objects.create(
            pk=UUID(said["id"]),
            owner=arrival.person(said["owner"]),
            terms=from_data(said["terms"]),
            arcs_taken_in=said["arcs_taken_in"],
            biography=said["biography"],
        )
        entries = [_made(arrival, each) for each in said["ledger"]]
        arrival.forces[register] = bring_ledger(register=register, entries=entries)
        for each in said["dossiers"]:
            Dossier.objects.filter(register=register, key=each["key"]).update(
                biography=each["biography"], picture=arrival.pictures.get(each["picture"])
            )
        dated(register, created_at=said["created_at"])
        if said["serves"]:
            Enlistment.objects.create(
                campaign=arrival.campaign, register=register, awaits_consent=said["awaits_consent"]
            )


def _made(arrival: Arrival, said: Mapping[str, Any]) -> tuple[Entry, int | None]:
    """An entry that is not written yet, and the position of the one it undoes."""
    entry = Entry(
        **{name: said[name] for name in ENTRY if name != "digest"},
        actor=arrival.person(said["actor"]),
        acting_for=arrival.person(said["acting_for"]),
        created_at=when(said["created_at"]),
    )
    entry.answers = arrival.answers(entry.answers, entry.battle)
    return entry, said["undoes"]
