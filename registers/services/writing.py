"""A Force as rows: what differs is written, of several Registers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection

from config.together import Changes, rows_of
from registers.models import Dossier, Register, Status
from rules import force as f
from rules.force import Force

from .rows import (
    AGENDAS,
    ASSETS,
    COMMAND_CARDS,
    COMMENDATIONS,
    DOSSIER_COLUMNS,
    KEYWORDS,
    REQUESTS,
    SETBACKS,
    UPGRADES,
    Part,
)

Values = tuple[tuple[Any, ...], ...]
#: Whose list it is: a Register, or one of its Dossiers by its key.
Owner = tuple[Any, ...]


class Change(NamedTuple):
    """A locked Register, its Force as its rows have it, and as they shall have it."""

    register: Register
    before: Force
    after: Force


def write_difference(register: Register, before: Force, after: Force) -> None:
    """Change the rows of a locked Register from `before`, which they hold, to `after`; saves `register` too."""
    write_differences([Change(register, before, after)])


def write_differences(changes: Sequence[Change], together: Changes | None = None) -> None:
    """The same of several Registers: one statement with what stands in `together`, and one before it where units come,
    or a mark goes to another place of its list.
    """
    first, together = Changes(), Changes() if together is None else together
    for change in changes:
        _set_columns(change.register, change.after)
        together.update([change.register], *_loaded(change.register))
    added, changed = _dossiers(changes)
    first.add(_ADD_DOSSIERS, added)
    together.add(_UPDATE_DOSSIERS, changed)
    left = [row for change in changes for row in _gone_dossiers(change)]
    for sql in _FORGET_DOSSIERS:
        together.add(sql, left)
    for part, values in _LISTS.items():
        gone, new, moved = _list_rows(part, changes, values)
        # What comes in one statement with what goes may come before it: none may be in a list twice meanwhile.
        (first if moved else together).add(_remove_sql(part), gone)
        together.add(_insert_sql(part), new)
    for part, counts in _COUNTS.items():
        together.add(_count_sql(part), [row for change in changes for row in _changed(part, counts, change)])
        together.add(_forget_sql(part), [row for change in changes for row in _gone(part, counts, change)])
    first.write()
    together.write()


# --- The Register --------------------------------------------------------------------------------------------

#: What is never changed.
_FOR_EVER = ("id", "created_at")


def _loaded(register: Register) -> list[str]:
    """The fields of its row that were read, and may have changed."""
    left_out = {*register.get_deferred_fields(), *_FOR_EVER}
    return [field.name for field in Register._meta.concrete_fields if field.attname not in left_out]


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


# --- Its Dossiers --------------------------------------------------------------------------------------------

_TABLE = Dossier._meta.db_table
_ADD_DOSSIERS = (
    f"INSERT INTO {_TABLE} (register_id, key, biography, {', '.join(DOSSIER_COLUMNS)}) "  # noqa: S608
    f"SELECT register_id, key, '', {', '.join(DOSSIER_COLUMNS)} FROM {rows_of(_TABLE)} ORDER BY ordinality"
)
_UPDATE_DOSSIERS = (
    f"UPDATE {_TABLE} SET {', '.join(f'{name} = new.{name}' for name in DOSSIER_COLUMNS)} "  # noqa: S608
    f"FROM {rows_of(_TABLE)} WHERE {_TABLE}.register_id = new.register_id AND {_TABLE}.key = new.key"
)


#: What hangs on a Dossier goes with it; keys between tables are looked at once all is done.
_FORGET_DOSSIERS = (
    *(
        f"DELETE FROM {table} USING {_TABLE} AS dossier, {rows_of(_TABLE)} "  # noqa: S608
        f"WHERE {table}.dossier_id = dossier.id "
        "AND dossier.register_id = new.register_id AND dossier.key = new.key"
        for table in (part.model._meta.db_table for part in (UPGRADES, COMMENDATIONS, SETBACKS, KEYWORDS))
    ),
    (
        f"DELETE FROM {_TABLE} USING {rows_of(_TABLE)} "  # noqa: S608
        f"WHERE {_TABLE}.register_id = new.register_id AND {_TABLE}.key = new.key"
    ),
)


def _gone_dossiers(change: Change) -> list[dict[str, Any]]:
    gone = _everyone(change.before).keys() - _everyone(change.after).keys()
    return [{"register_id": change.register.pk, "key": key} for key in gone]


def _dossiers(changes: Sequence[Change]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of Dossiers that come, and of those that are there and changed."""
    added: list[dict[str, Any]] = []
    changed: list[dict[str, Any]] = []
    for register, before, after in changes:
        old, new = _everyone(before), _everyone(after)
        for key, now in new.items():
            if now != old.get(key):
                rows = changed if key in old else added
                rows.append({"register_id": register.pk, "key": key, **_columns(*now)})
    return added, changed


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


def _columns(status: str, dossier: f.Dossier) -> dict[str, Any]:
    own = {name: getattr(dossier, name) for name in DOSSIER_COLUMNS[2:]}
    return {"status": status, "unit_id": dossier.card, **own}


# --- Lists ---------------------------------------------------------------------------------------------------


def _single(items: Iterable[str]) -> Values:
    return tuple((item,) for item in items)


def _of_dossiers(
    values: Callable[[f.Dossier], Values],
) -> Callable[[Register, Force], dict[Owner, Values]]:
    return lambda register, force: {
        (register.pk, key): values(dossier) for key, (_, dossier) in _everyone(force).items()
    }


#: What gives the lists of a Force, each by whose it is.
_LISTS: Mapping[Part, Callable[[Register, Force], dict[Owner, Values]]] = {
    ASSETS: lambda register, force: {(register.pk,): _single(force.assets)},
    COMMAND_CARDS: lambda register, force: {(register.pk,): _single(force.command_cards)},
    UPGRADES: _of_dossiers(
        lambda dossier: tuple((slug, slug in dossier.by_commendation) for slug in dossier.upgrades)
    ),
    COMMENDATIONS: _of_dossiers(lambda dossier: _single(dossier.commendations)),
    SETBACKS: _of_dossiers(lambda dossier: _single(dossier.setbacks)),
    KEYWORDS: _of_dossiers(lambda dossier: _single(dossier.keywords)),
}


def _insert_sql(part: Part) -> str:
    """What adds rows to a list, in their order: ids keep it."""
    columns, table = ", ".join(part.columns), part.model._meta.db_table
    values = ", ".join(f"new.{name}" for name in part.columns)
    if part.owner == "register_id":
        found = f"SELECT new.register_id, {values} FROM {rows_of(table)}"  # noqa: S608
    else:
        types = [f"{name} {part.model._meta.get_field(name).db_type(connection)}" for name in part.columns]
        rows = f"json_to_recordset(%s) AS (register_id uuid, key varchar, {', '.join(types)})"
        found = (
            f"SELECT dossier.id, {values} FROM ROWS FROM ({rows}) WITH ORDINALITY "  # noqa: S608
            f"AS new(register_id, key, {columns}) JOIN {_TABLE} AS dossier USING (register_id, key)"
        )
    return f"INSERT INTO {table} ({part.owner}, {columns}) {found} ORDER BY new.ordinality"


def _remove_sql(part: Part) -> str:
    """What takes rows out of a list, each by how many stood before it."""
    table = part.model._meta.db_table
    if part.owner == "register_id":
        owner, listed = "register_id uuid", f"{table} AS listed WHERE listed.register_id = gone.register_id"
    else:
        owner = "register_id uuid, key varchar"
        listed = (
            f"{table} AS listed JOIN {_TABLE} AS dossier ON dossier.id = listed.dossier_id "
            "WHERE dossier.register_id = gone.register_id AND dossier.key = gone.key"
        )
    return (
        f"DELETE FROM {table} USING json_to_recordset(%s) AS gone({owner}, place int), "  # noqa: S608
        f"LATERAL (SELECT listed.id FROM {listed} ORDER BY listed.id OFFSET gone.place LIMIT 1) AS found "
        f"WHERE {table}.id = found.id"
    )


def _list_rows(
    part: Part, changes: Sequence[Change], values: Callable[[Register, Force], dict[Owner, Values]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], bool]:
    """The rows that go, each by its place, those that are added behind what stays, and whether any of these has gone
    from another place. What stays is not touched."""
    gone: list[tuple[Any, ...]] = []
    went: set[tuple[Any, ...]] = set()
    new: list[tuple[Any, ...]] = []
    for register, before, after in changes:
        old = values(register, before)
        for owner, now in values(register, after).items():
            left = list(now)
            for place, row in enumerate(old.get(owner, ())):
                if left and left[0] == row:
                    left.pop(0)
                else:
                    gone.append((*owner, place))
                    went.add((*owner, row[0]))
            new += [(*owner, *row) for row in left]
    owner_columns = ("register_id",) if part.owner == "register_id" else ("register_id", "key")
    return (
        [dict(zip((*owner_columns, "place"), row, strict=True)) for row in gone],
        [dict(zip((*owner_columns, *part.columns), row, strict=True)) for row in new],
        any(row[: len(owner_columns) + 1] in went for row in new),
    )


# --- Counts --------------------------------------------------------------------------------------------------

_COUNTS: Mapping[Part, Callable[[Force], Mapping[str, int]]] = {
    AGENDAS: lambda force: force.agendas,
    REQUESTS: lambda force: force.requests,
}


def _count_sql(part: Part) -> str:
    (what, count), table = part.columns, part.model._meta.db_table
    return (
        f"INSERT INTO {table} (register_id, {what}, {count}) SELECT register_id, {what}, {count} "  # noqa: S608
        f"FROM {rows_of(table)} ON CONFLICT (register_id, {what}) DO UPDATE SET {count} = EXCLUDED.{count}"
    )


def _forget_sql(part: Part) -> str:
    what, table = part.columns[0], part.model._meta.db_table
    return (
        f"DELETE FROM {table} USING {rows_of(table)} "  # noqa: S608
        f"WHERE {table}.register_id = new.register_id AND {table}.{what} = new.{what}"
    )


def _changed(
    part: Part, counts: Callable[[Force], Mapping[str, int]], change: Change
) -> Iterator[dict[str, Any]]:
    what, count = part.columns
    for name, number in counts(change.after).items() - counts(change.before).items():
        yield {"register_id": change.register.pk, what: name, count: number}


def _gone(
    part: Part, counts: Callable[[Force], Mapping[str, int]], change: Change
) -> Iterator[dict[str, Any]]:
    for name in counts(change.before).keys() - counts(change.after).keys():
        yield {"register_id": change.register.pk, part.columns[0]: name}
