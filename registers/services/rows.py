"""Rows as a Force; `writing` is the way back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import router
from django.db.models import Model

from config.together import planned
from registers.models import (
    AgendaProgress,
    Dossier,
    DossierCommendation,
    DossierKeyword,
    DossierSetback,
    DossierUpgrade,
    Register,
    RegisterAsset,
    RegisterCommandCard,
    RequestCount,
    Status,
)
from rules import force as f
from rules.force import Force


@dataclass(frozen=True, slots=True)
class Part:
    """A list or count that hangs on a Register or Dossier: its model, owner column and value columns."""

    model: type[Model]
    owner: str
    columns: tuple[str, ...]
    order: str = "id"

    @property
    def sql(self) -> str:
        """What finds the rows of some Registers, as one JSON array in their order: each an array, its owner first."""
        table, those = self.model._meta.db_table, "register_id = ANY($1)"
        if self.owner == "dossier_id":
            those = f"dossier_id IN (SELECT id FROM {Dossier._meta.db_table} WHERE {those})"  # noqa: S608
        row = f"json_build_array({', '.join((self.owner, *self.columns))})"
        return f'(SELECT json_agg({row} ORDER BY "{self.order}") FROM {table} WHERE {those})'  # noqa: S608


ASSETS = Part(RegisterAsset, "register_id", ("asset_id",))
COMMAND_CARDS = Part(RegisterCommandCard, "register_id", ("command_card_id",))
AGENDAS = Part(AgendaProgress, "register_id", ("agenda_id", "progress"))
REQUESTS = Part(RequestCount, "register_id", ("request", "count"))
UPGRADES = Part(DossierUpgrade, "dossier_id", ("upgrade_id", "by_commendation"))
COMMENDATIONS = Part(DossierCommendation, "dossier_id", ("commendation_id",))
SETBACKS = Part(DossierSetback, "dossier_id", ("setback_id",))
KEYWORDS = Part(DossierKeyword, "dossier_id", ("keyword",))

DOSSIER_COLUMNS = (
    "status", "unit_id", "name", "faction", "affiliation", "experience", "veteran_rank", "training", "owed",
)  # fmt: skip
_DOSSIERS = Part(Dossier, "register_id", ("id", "key", *DOSSIER_COLUMNS), order="order")

_PARTS = (
    ASSETS, COMMAND_CARDS, AGENDAS, REQUESTS, _DOSSIERS, UPGRADES, COMMENDATIONS, SETBACKS, KEYWORDS,
)  # fmt: skip


# --- Reading -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What hangs on the row of a Register: the rest of its Force."""

    agendas: Mapping[str, int]
    assets: tuple[str, ...]
    dossiers: Mapping[str, f.Dossier]
    fallen: Mapping[str, f.Dossier]
    reassigned: Mapping[str, f.Dossier]
    command_cards: tuple[str, ...]
    requests: Mapping[str, int]

    @property
    def units(self) -> int:
        """How many Dossiers it has."""
        return len(self.dossiers) + len(self.fallen) + len(self.reassigned)


NOTHING = Parts(agendas={}, assets=(), dossiers={}, fallen={}, reassigned={}, command_cards=(), requests={})


def force_of(register: Register) -> Force:
    """The Force of a Register, from its rows: one query, whatever its size."""
    return forces_of([register])[register.pk]


def forces_of(registers: Collection[Register]) -> dict[UUID, Force]:
    """The Forces of several Registers by primary key: one query, however many there are."""
    parts = {pk: found for (pk, _, _), found in parts_of([register.pk for register in registers])}
    return {register.pk: force_with(register, parts.get(register.pk, NOTHING)) for register in registers}


def outline_of(register: Register) -> Force:
    """What the row of a Register says of its Force, without the Dossiers and all other lists."""
    return force_with(register, NOTHING)


def parts_of(registers: list[UUID]) -> Iterator[tuple[tuple[UUID, int, str], Parts]]:
    """The parts of Registers, each with the key, position and digest of the Register at that moment."""
    with planned(router.db_for_read(Register)) as cursor:
        cursor.execute(READ, [registers])
        [found] = cursor.fetchone()
    return parts_in(found)


def parts_in(found: Sequence[Any]) -> Iterator[tuple[tuple[UUID, int, str], Parts]]:
    """The same of what `READ` has found."""
    rows, ends = _read(found)
    dossiers = _dossiers(rows)
    for pk, position, digest in ends:
        yield (
            (UUID(pk), position, digest),
            Parts(
                agendas=dict(rows[AGENDAS][pk]),
                assets=_first(rows[ASSETS][pk]),
                dossiers=dossiers[pk, Status.SERVING],
                fallen=dossiers[pk, Status.FALLEN],
                reassigned=dossiers[pk, Status.REASSIGNED],
                command_cards=_first(rows[COMMAND_CARDS][pk]),
                requests=dict(rows[REQUESTS][pk]),
            ),
        )


_Rows = Mapping[Part, Mapping[Any, list[tuple[Any, ...]]]]
_Dossiers = Mapping[tuple[str, str], dict[str, f.Dossier]]


def _read(read: Sequence[Any]) -> tuple[_Rows, list[tuple[str, int, str]]]:
    """Each part to the values of its rows by owner, in their order, and where each ledger ends. A Register's id is a
    string in them.
    """
    *found, ends = read
    rows: dict[Part, dict[Any, list[tuple[Any, ...]]]] = {part: defaultdict(list) for part in _PARTS}
    for part, of_all in zip(_PARTS, found, strict=True):
        for owner, *values in of_all or ():
            rows[part][owner].append(tuple(values))
    return rows, ends or []


_ENDS = (
    f"(SELECT json_agg(json_build_array(id, position, digest)) FROM {Register._meta.db_table} "  # noqa: S608
    "WHERE id = ANY($1))"
)
#: What finds all of it of some Registers ($1). Written as SQL: an act reads a Register each time, and nine queries
#: through the ORM took half of its time.
READ = f"SELECT json_build_array({', '.join((*(part.sql for part in _PARTS), _ENDS))})"


def force_with(register: Register, parts: Parts) -> Force:
    """The Force of which a Register's row and these parts speak."""
    return Force(
        name=register.name,
        faction=register.faction,
        commissioned=register.commissioned,
        discarded=register.discarded,
        combat_potential=register.combat_potential,
        supply_points=register.supply_points,
        reputation=register.reputation,
        story_arc=register.story_arc_id or "",
        arcs_ended=register.arcs_ended,
        saga_complete=register.saga_complete,
        agendas=parts.agendas,
        assets=parts.assets,
        dossiers=parts.dossiers,
        fallen=parts.fallen,
        reassigned=parts.reassigned,
        paragon=register.paragon,
        trait=_trait(register),
        command_cards=parts.command_cards,
        command_cards_owed=register.command_cards_owed,
        requests=parts.requests,
        next_key=register.next_key,
        in_field=_field(register),
    )


def _dossiers(rows: _Rows) -> _Dossiers:
    """Register and status to Dossiers by key."""
    found: dict[tuple[str, str], dict[str, f.Dossier]] = defaultdict(dict)
    for register, each in rows[_DOSSIERS].items():
        for pk, key, status, card, *columns in each:
            own = dict(zip(DOSSIER_COLUMNS[2:], columns, strict=True))
            found[register, status][key] = f.Dossier(
                key=key,
                card=card,
                upgrades=_first(rows[UPGRADES][pk]),
                by_commendation=_first(row for row in rows[UPGRADES][pk] if row[1]),
                setbacks=_first(rows[SETBACKS][pk]),
                commendations=_first(rows[COMMENDATIONS][pk]),
                keywords=_first(rows[KEYWORDS][pk]),
                **own,
            )
    return found


def _first(rows: Iterable[tuple[Any, ...]]) -> tuple[str, ...]:
    return tuple(values[0] for values in rows)


def _trait(register: Register) -> f.Trait | None:
    if register.trait_id is None:
        return None
    return f.Trait(register.trait_id, register.trait_games_left, register.trait_fresh)


def _field(register: Register) -> f.Field | None:
    if not register.in_field_battle:
        return None
    return f.Field(register.in_field_battle, register.in_field_trait, register.in_field_progressions)
