"""A Force as rows, and rows as a Force."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Model

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
class _Part:
    """A list or count that hangs on a Register or Dossier: its model, owner column and value columns."""

    model: type[Model]
    owner: str
    columns: tuple[str, ...]
    order: str = "id"

    @property
    def sql(self) -> str:
        """What finds the rows of some Registers, as one JSON array in their order: each an array, its owner first."""
        table, those = self.model._meta.db_table, "register_id = ANY(%(registers)s)"
        if self.owner == "dossier_id":
            those = f"dossier_id IN (SELECT id FROM {Dossier._meta.db_table} WHERE {those})"  # noqa: S608
        row = f"json_build_array({', '.join((self.owner, *self.columns))})"
        return f'(SELECT json_agg({row} ORDER BY "{self.order}") FROM {table} WHERE {those})'  # noqa: S608

    def row(self, owner: Any, values: Sequence[Any]) -> Model:
        """A new row, not saved yet."""
        return self.model(**{self.owner: owner}, **dict(zip(self.columns, values, strict=True)))


_ASSETS = _Part(RegisterAsset, "register_id", ("asset_id",))
_COMMAND_CARDS = _Part(RegisterCommandCard, "register_id", ("command_card_id",))
_AGENDAS = _Part(AgendaProgress, "register_id", ("agenda_id", "progress"))
_REQUESTS = _Part(RequestCount, "register_id", ("request", "count"))
_UPGRADES = _Part(DossierUpgrade, "dossier_id", ("upgrade_id", "by_commendation"))
_COMMENDATIONS = _Part(DossierCommendation, "dossier_id", ("commendation_id",))
_SETBACKS = _Part(DossierSetback, "dossier_id", ("setback_id",))
_KEYWORDS = _Part(DossierKeyword, "dossier_id", ("keyword",))

_DOSSIER_COLUMNS = (
    "status", "unit_id", "name", "faction", "affiliation", "experience", "veteran_rank", "training", "owed",
)  # fmt: skip
_DOSSIERS = _Part(Dossier, "register_id", ("id", "key", *_DOSSIER_COLUMNS), order="order")

_PARTS = (
    _ASSETS, _COMMAND_CARDS, _AGENDAS, _REQUESTS, _DOSSIERS, _UPGRADES, _COMMENDATIONS, _SETBACKS, _KEYWORDS,
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
    rows, ends = _read(registers)
    dossiers = _dossiers(rows)
    for pk, position, digest in ends:
        yield (
            (UUID(pk), position, digest),
            Parts(
                agendas=dict(rows[_AGENDAS][pk]),
                assets=_first(rows[_ASSETS][pk]),
                dossiers=dossiers[pk, Status.SERVING],
                fallen=dossiers[pk, Status.FALLEN],
                reassigned=dossiers[pk, Status.REASSIGNED],
                command_cards=_first(rows[_COMMAND_CARDS][pk]),
                requests=dict(rows[_REQUESTS][pk]),
            ),
        )


_Rows = Mapping[_Part, Mapping[Any, list[tuple[Any, ...]]]]
_Dossiers = Mapping[tuple[str, str], dict[str, f.Dossier]]


def _read(registers: list[UUID]) -> tuple[_Rows, list[tuple[str, int, str]]]:
    """Each part to the values of its rows by owner, in their order, and where each ledger ends. A Register's id is a
    string in them.

    Written as SQL: an act reads a Register each time, and nine queries through the ORM took half of its time.
    """
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"registers": registers})
        [(*found, ends)] = cursor.fetchone()
    rows: dict[_Part, dict[Any, list[tuple[Any, ...]]]] = {part: defaultdict(list) for part in _PARTS}
    for part, of_all in zip(_PARTS, found, strict=True):
        for owner, *values in of_all or ():
            rows[part][owner].append(tuple(values))
    return rows, ends or []


_ENDS = (
    f"(SELECT json_agg(json_build_array(id, position, digest)) FROM {Register._meta.db_table} "  # noqa: S608
    "WHERE id = ANY(%(registers)s))"
)
_READ = f"SELECT json_build_array({', '.join((*(part.sql for part in _PARTS), _ENDS))})"


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
            own = dict(zip(_DOSSIER_COLUMNS[2:], columns, strict=True))
            found[register, status][key] = f.Dossier(
                key=key,
                card=card,
                upgrades=_first(rows[_UPGRADES][pk]),
                by_commendation=_first(row for row in rows[_UPGRADES][pk] if row[1]),
                setbacks=_first(rows[_SETBACKS][pk]),
                commendations=_first(rows[_COMMENDATIONS][pk]),
                keywords=_first(rows[_KEYWORDS][pk]),
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


# --- Writing -------------------------------------------------------------------------------------------------


def write_difference(register: Register, before: Force, after: Force) -> None:
    """Change the rows of a locked Register from `before`, which they hold, to `after`; saves `register` too."""
    _set_columns(register, after)
    register.save()
    _write_dossiers(register, before, after)
    _write_list(_ASSETS, {register.pk: (_single(before.assets), _single(after.assets))})
    _write_list(_COMMAND_CARDS, {register.pk: (_single(before.command_cards), _single(after.command_cards))})
    _write_counts(_AGENDAS, register, before.agendas, after.agendas)
    _write_counts(_REQUESTS, register, before.requests, after.requests)


def _set_columns(register: Register, force: Force) -> None:
    for name in (
        "name", "faction", "commissioned", "discarded", "combat_potential", "supply_points", "reputation", "paragon",
        "command_cards_owed", "next_key", "arcs_ended", "saga_complete",
    ):  # fmt: skip
        setattr(register, name, getattr(force, name))
    register.story_arc_id = force.story_arc or None
    trait, field = force.trait, force.in_field
    register.trait_id = trait.slug if trait else None
    register.trait_games_left = trait.games_left if trait else 0
    register.trait_fresh = bool(trait and trait.fresh)
    register.in_field_battle = field.battle if field else ""
    register.in_field_trait = field.trait if field else ""
    register.in_field_progressions = field.progressions if field else 0


def _write_dossiers(register: Register, before: Force, after: Force) -> None:
    old, new = _everyone(before), _everyone(after)
    if gone := old.keys() - new.keys():
        register.dossiers.filter(key__in=gone).delete()
    touched = [key for key in new if new[key] != old.get(key)]
    ids = _update_dossiers(register, {key: new[key] for key in touched if key in old})
    added = [_row(register, key, *new[key]) for key in touched if key not in old]
    ids |= {row.key: row.pk for row in Dossier.objects.bulk_create(added)}
    nobody = ("", f.Dossier(key="", card=""))
    pairs = {ids[key]: (old.get(key, nobody)[1], new[key][1]) for key in touched}
    for part, values in _DOSSIER_PARTS.items():
        _write_list(part, {pk: (values(was), values(now)) for pk, (was, now) in pairs.items()})


def _everyone(force: Force) -> dict[str, tuple[str, f.Dossier]]:
    return {
        key: (status, dossier)
        for status, dossiers in (
            (Status.SERVING, force.dossiers),
            (Status.FALLEN, force.fallen),
            (Status.REASSIGNED, force.reassigned),
        )
        for key, dossier in dossiers.items()
    }


def _update_dossiers(register: Register, changed: Mapping[str, tuple[str, f.Dossier]]) -> dict[str, int]:
    """Bring the rows of these Dossiers up to date; their ids by key.

    Written as SQL: after a battle all that took part gain Experience, and `bulk_update` takes ten times as long.
    Its places have no names, since `pgtrigger.ignore` puts one before them that has none.
    """
    if not changed:
        return {}
    rows = [{"key": key, **_columns(*each)} for key, each in changed.items()]
    with connection.cursor() as cursor:
        cursor.execute(_UPDATE_DOSSIERS, [json.dumps(rows), register.pk])
        return dict(cursor.fetchall())


_TABLE = Dossier._meta.db_table
_UPDATE_DOSSIERS = (
    f"UPDATE {_TABLE} SET {', '.join(f'{name} = new.{name}' for name in _DOSSIER_COLUMNS)} "  # noqa: S608
    f"FROM json_populate_recordset(NULL::{_TABLE}, %s) AS new "
    f"WHERE {_TABLE}.register_id = %s AND {_TABLE}.key = new.key RETURNING {_TABLE}.key, {_TABLE}.id"
)


def _columns(status: str, dossier: f.Dossier) -> dict[str, Any]:
    own = {name: getattr(dossier, name) for name in _DOSSIER_COLUMNS[2:]}
    return {"status": status, "unit_id": dossier.card, **own}


def _row(register: Register, key: str, status: str, dossier: f.Dossier) -> Dossier:
    return Dossier(register=register, key=key, **_columns(status, dossier))


def _single(items: Iterable[str]) -> tuple[tuple[str], ...]:
    return tuple((item,) for item in items)


Values = tuple[tuple[Any, ...], ...]

_DOSSIER_PARTS: Mapping[_Part, Callable[[f.Dossier], Values]] = {
    _UPGRADES: lambda dossier: tuple((slug, slug in dossier.by_commendation) for slug in dossier.upgrades),
    _COMMENDATIONS: lambda dossier: _single(dossier.commendations),
    _SETBACKS: lambda dossier: _single(dossier.setbacks),
    _KEYWORDS: lambda dossier: _single(dossier.keywords),
}


def _write_list(part: _Part, changes: Mapping[Any, tuple[Values, Values]]) -> None:
    """Make each owner's list what it became. Rows that stay are not touched, so ids keep the order."""
    new: list[Model] = []
    shorter: dict[Any, Values] = {}
    for owner, (before, after) in changes.items():
        if after[: len(before)] == before:
            new += [part.row(owner, values) for values in after[len(before) :]]
        else:
            shorter[owner] = after
    if shorter:
        new += _remove(part, shorter)
    if new:
        part.model._default_manager.bulk_create(new)


def _remove(part: _Part, wanted: Mapping[Any, Values]) -> Iterator[Model]:
    """Delete what is in the way, and give back the rows that are missing behind what is left."""
    rest = {owner: list(values) for owner, values in wanted.items()}
    doomed = []
    rows = part.model._default_manager.filter(**{f"{part.owner}__in": wanted}).order_by("id")
    for pk, owner, *values in rows.values_list("pk", part.owner, *part.columns):
        if rest[owner] and rest[owner][0] == tuple(values):
            rest[owner].pop(0)
        else:
            doomed.append(pk)
    part.model._default_manager.filter(pk__in=doomed).delete()
    return (part.row(owner, values) for owner, missing in rest.items() for values in missing)


def _write_counts(
    part: _Part, register: Register, before: Mapping[str, int], after: Mapping[str, int]
) -> None:
    what, count = part.columns
    if gone := before.keys() - after.keys():
        part.model._default_manager.filter(register=register, **{f"{what}__in": gone}).delete()
    if changed := [part.row(register.pk, item) for item in after.items() - before.items()]:
        part.model._default_manager.bulk_create(
            changed, update_conflicts=True, unique_fields=["register", what], update_fields=[count]
        )
