"""Registers: their ledgers, of which all rows are the sum, and what players wrote and showed of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, OuterRef, Q, QuerySet, When

from campaign.models import Enlistment
from config.together import Row, as_json, columns, made, made_if_any
from registers.models import Dossier, Entry, Register
from registers.services.carrying import bring_ledgers
from rules.force import Force
from rules.terms import from_data
from uploads.models import Picture

from .arrival import Arrival, when
from .scope import Scope, moment, plain

ENTRY = (
    "position", "place", "act", "battle", "step", "effects", "answers", "rolled_by_hand", "reason", "digest",
)  # fmt: skip
REGISTER = ("id", "owner_id", "created_at", "digest", "terms", "arcs_taken_in", "biography")
ENLISTMENT = ("enlistment__campaign_id", "enlistment__awaits_consent")
#: So many entries are read at once.
AT_ONCE = 200


def carried(campaign: UUID) -> QuerySet[Register]:
    """The Registers that serve in the campaign of this key or have fought in it."""
    fought = Q(sides__battle__campaign=campaign)
    keys = Register.objects.filter(Q(enlistment__campaign=campaign) | fought).values("pk")
    return Register.objects.filter(pk__in=keys).order_by("created_at", "pk")


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Each with its whole ledger; one ledger is in memory at a time."""
    for _key, rows in groupby(_with_ledgers(scope.campaign.pk), itemgetter("pk")):
        first = next(rows)
        own = first["own"]
        register = made(Register, own)
        # In this campaign: one that has fought in it may serve in another by now.
        serves = own["enlistment__campaign_id"] == str(scope.campaign.pk)
        yield {
            "id": str(register.pk),
            "owner": scope.person(register.owner_id),
            "created_at": moment(register.created_at),
            "serves": serves,
            "awaits_consent": serves and own["enlistment__awaits_consent"],
            "terms": register.terms.as_data(),
            "arcs_taken_in": register.arcs_taken_in,
            "biography": register.biography,
            "digest": register.digest,
            "dossiers": [_dossier(scope, each) for each in own["told"]],
            "ledger": [_entry(scope, row) for row in chain([first], rows) if row["entries__id"]],
        }


def _with_ledgers(campaign: UUID) -> Iterator[dict[str, Any]]:
    """Every entry, and along with the first of each Register what is known of that (`own`): one query, read as it is
    written."""
    told = (
        Dossier.objects.filter(register=OuterRef("pk")).exclude(biography="", picture=None).order_by("order")
    )
    own = as_json(
        *REGISTER,
        *ENLISTMENT,
        told=ArraySubquery(told.values(row=as_json("key", "biography", *columns(Picture, "picture__")))),
    )
    entries = carried(campaign).order_by("created_at", "pk", "entries__position")
    return entries.values(
        "pk",
        *columns(Entry, "entries__"),
        "entries__undoes__position",
        own=Case(When(Q(entries__position=1) | Q(entries=None), then=own)),  # positions begin at 1
    ).iterator(chunk_size=AT_ONCE)


def _dossier(scope: Scope, said: Row) -> dict[str, Any]:
    """What the ledger does not say of a Dossier."""
    picture = scope.picture(made_if_any(Picture, said, "picture__"))
    return {"key": said["key"], "biography": said["biography"], "picture": picture}


def _entry(scope: Scope, row: Row) -> dict[str, Any]:
    entry = made(Entry, row, "entries__")
    scope.answerers(entry.answers)
    return {
        **plain(entry, *ENTRY),
        "undoes": row["entries__undoes__position"],
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
    told = {(register.pk, each["key"]): each for register, said in came for each in said["dossiers"]}
    return bring_ledgers(
        {register: [_made(arrival, each) for each in said["ledger"]] for register, said in came},
        [_told(arrival, register, said) for (register, _), said in told.items()],
    )


def _told(arrival: Arrival, register: UUID, said: Mapping[str, Any]) -> dict[str, Any]:
    """What the ledger of a Register does not say of a Dossier, as a row."""
    picture = arrival.pictures.get(said["picture"])
    own = {name: said[name] for name in ("key", "biography")}
    return {"register_id": register, **own, "picture_id": picture and picture.pk}


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
