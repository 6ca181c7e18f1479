"""Several queries of the ORM, asked as one statement that is put into SQL once; and several changes, made as one.

To put a query of the ORM into SQL takes a page longer than PostgreSQL needs to answer it, and every query is a way
there and back. Where a page asks the same few queries each time, they are written as ever, with what differs left open;
a process puts them into SQL at their first use, and what comes back is one JSON array for all of them. What changes
goes there the same way: as rows in JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from itertools import count
from typing import Any, TypeVar
from uuid import UUID, uuid4

import psycopg
from django.core.exceptions import EmptyResultSet
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, router
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.expressions import RawSQL
from django.db.models.functions import JSONObject
from django.db.models.sql import DeleteQuery, Query, UpdateQuery

M = TypeVar("M", bound=Model)
Row = Mapping[str, Any]
#: What a slot may hold; a list is one of texts, for `one_of`.
Kind = type[int] | type[UUID] | type[str] | type[datetime] | type[list[str]]


class Together:
    """`queries` make query sets of values; they are given what is fixed, and `slots` by name, with its type.

    A query set may only compare what is in a slot: whoever makes it gets a value that stands for all of them.
    """

    def __init__(self, slots: Mapping[str, Kind], *queries: Callable[..., QuerySet[Any, Any]]) -> None:
        self.slots, self.queries = slots, queries
        self._in_sql = lru_cache(self._put_into_sql)

    def ask(self, *fixed: Any, **given: Any) -> list[list[Row]]:
        """The rows of each query, as JSON has them. `fixed` is handed on to the queries; each other one is put into
        SQL by itself. Whether a replica is asked says the model of the first one."""
        found, _ = self.ask_beside("NULL", *fixed, **given)
        return found

    def ask_beside(
        self, sql: str, *fixed: Any, values: Sequence[Any] = (), **given: Any
    ) -> tuple[list[list[Row]], Any]:
        """The same, and what a query that is written by hand finds at the same moment: one value, its places $1, $2
        and so on standing for these values."""
        own, places, names, model = self._in_sql(*fixed)
        beside = re.sub(r"\$(\d+)", lambda place: f"${len(places) + int(place[1])}", sql)
        in_places = [given[value] if is_slot else value for is_slot, value in places]
        with planned(router.db_for_read(model)) as cursor:
            cursor.execute(f"{own}, ({beside})", [*in_places, *values])
            found, said = cursor.fetchone()
        return [
            [dict(zip(of, row, strict=True)) for row in rows] for of, rows in zip(names, found, strict=True)
        ], said

    def _put_into_sql(self, *fixed: Any) -> tuple[str, list[tuple[bool, Any]], list[list[str]], type[Model]]:
        stands_for = {name: _somebody(kind) for name, kind in self.slots.items()}
        parts, values, names = [], [], []
        queries = [query(*fixed, **stands_for) for query in self.queries]
        for query in queries:
            sql, params = query.query.sql_with_params()
            names.append(list(query.query.selected or ()))
            # Without their names: a page's rows would be twice as long.
            row = f"json_build_array({', '.join(f'line.{name}' for name in names[-1])})"
            parts.append(f"(SELECT coalesce(json_agg({row}), '[]') FROM ({sql}) AS line)")  # noqa: S608
            values += [self._slot(param, stands_for) for param in params]
        return _numbered(f"SELECT json_build_array({', '.join(parts)})"), values, names, queries[0].model

    @staticmethod
    def _slot(param: Any, stands_for: Mapping[str, Any]) -> tuple[bool, Any]:
        for name, value in stands_for.items():
            if type(param) is type(value) and param == value:
                return True, name
        return False, param


class Changes:
    """Changes of rows that are one statement, most with their rows as JSON: a way to the database costs more than they.

    Their places have no names, since `pgtrigger.ignore` puts one before them that has none. Each sees the tables as
    they were before all of them, so no two may change the same row: `update` raises ValueError where two of its kind
    would.
    """

    def __init__(self) -> None:
        self._changes: list[str] = []
        self._values: list[Any] = []
        self._updated: set[tuple[str, Any]] = set()
        self._told: list[tuple[str, Callable[[list[Any]], None]]] = []

    def add(self, sql: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """A change that takes these rows (`rows_of` is where they stand in its SQL), if there are any."""
        if rows:
            self.do(sql, json.dumps(rows, cls=_InFull))

    def update(self, rows: Sequence[Model], *names: str) -> None:
        """Rows of one model have these fields as they are now."""
        if rows:
            meta = rows[0]._meta
            known = {field.name: field for field in meta.concrete_fields}
            fields = [known[name] for name in names]
            columns = ", ".join(f"{field.attname} = new.{field.attname}" for field in fields)
            table, key = meta.db_table, meta.pk.attname
            keys = {(table, row.pk) for row in rows}
            if keys & self._updated or len(keys) < len(rows):
                raise ValueError(f"Two changes of one row in {table}")
            self._updated |= keys
            self.add(
                f"UPDATE {table} SET {columns} FROM {rows_of(table)} WHERE {table}.{key} = new.{key}",  # noqa: S608
                [_as_data(row, [meta.pk, *fields]) for row in rows],
            )

    def insert(self, *rows: Model) -> str:
        """New rows of one model. They have their keys (`new_keys`), or all of them get some once it is done; gives the
        name under which the changes after it may take those from it, if there are any.
        """
        name = self._next
        if rows:
            table, keyed = rows[0]._meta.db_table, rows[0].pk is not None
            written = [field for field in rows[0]._meta.concrete_fields if not field.generated]
            fields = [field for field in written if keyed or not field.primary_key]
            columns, key = ", ".join(field.attname for field in fields), rows[0]._meta.pk.attname
            self.add(
                f"INSERT INTO {table} ({columns}) "  # noqa: S608
                f"SELECT {columns} FROM {rows_of(table)} ORDER BY new.ordinality"
                f"{'' if keyed else f' RETURNING {key}'}",
                [_as_data(row, fields) for row in rows],
            )
            if not keyed:
                # Keys are given in the order in which rows come.
                in_order = f"SELECT {key} FROM {name} ORDER BY {key}"  # noqa: S608
                self._told.append((in_order, partial(_are_there, rows)))
        return name

    def do(self, sql: str, *values: Any) -> None:
        """A change as SQL."""
        self._changes.append(f"{self._next} AS ({sql})")
        self._values += values

    def returning(self, column: str, sql: str, *values: Any, to: Callable[[list[Any]], None]) -> None:
        """A change as SQL that says one column of the rows which it changed (RETURNING), `to` whom once it is done."""
        self._told.append((f"SELECT {column} FROM {self._next}", to))  # noqa: S608
        self.do(sql, *values)

    def change(self, rows: QuerySet[Any, Any], **values: Any) -> None:
        """Whatever is found has these values: `QuerySet.update`."""
        query: Any = rows.query.chain(UpdateQuery)
        query.clear_ordering(force=True)
        query.add_update_values(values)
        self._add_query(query)

    def remove(self, rows: QuerySet[Any, Any]) -> None:
        """Whatever is found goes, without what points at it."""
        query = rows.query.chain(DeleteQuery)
        query.clear_ordering(force=True)
        self._add_query(query)

    def write(self) -> None:
        """Do all of it, once."""
        if self._changes:
            with connection.cursor() as cursor:
                found = ", ".join(f"ARRAY({each})" for each, _ in self._told)
                cursor.execute(f"WITH {', '.join(self._changes)} SELECT {found}", self._values)
                said = cursor.fetchone() if found else ()
            told = self._told
            self._changes, self._values, self._updated, self._told = [], [], set(), []
            for (_, hear), each in zip(told, said, strict=True):
                hear(each)

    @property
    def _next(self) -> str:
        return f"change_{len(self._changes)}"

    def _add_query(self, query: Query) -> None:
        with suppress(EmptyResultSet):
            sql, values = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
            self.do(sql, *values)


class _InFull(DjangoJSONEncoder):
    """Times to the microsecond, and bytes as PostgreSQL reads them."""

    def default(self, said: Any) -> Any:
        if isinstance(said, datetime):
            return said.isoformat()
        return rf"\x{said.hex()}" if isinstance(said, bytes) else super().default(said)


def _as_data(row: Model, fields: Sequence[models.Field[Any, Any]]) -> dict[str, Any]:
    """What the ORM would write. Raises TypeError for what is no JSON within a field of JSON."""
    found = {field.attname: field.get_prep_value(getattr(row, field.attname)) for field in fields}
    json.dumps([found[field.attname] for field in fields if isinstance(field, models.JSONField)])
    return found


def _are_there(rows: Sequence[Model], keys: Sequence[int]) -> None:
    """Let rows that were inserted have their keys."""
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


def new_keys(wanted: Mapping[type[Model], int]) -> dict[type[Model], Iterator[int]]:
    """So many keys for new rows of each model: rows that name each other are written at once by them."""
    tables = {model: (model._meta.db_table, model._meta.pk.attname) for model in wanted}
    keys = "ARRAY(SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s))"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {', '.join([keys] * len(wanted))}",
            [each for model, number in wanted.items() for each in (*tables[model], number)],
        )
        return dict(zip(wanted, map(iter, cursor.fetchone()), strict=True))


def rows_of(table: str) -> str:
    """The rows of a change, as a table `new` that is like this one."""
    return f"json_populate_recordset(NULL::{table}, %s) WITH ORDINALITY AS new"


def _numbered(sql: str) -> str:
    """The same with places as PostgreSQL itself has them; psycopg would look for them in long statements each time."""
    numbers = count(1)
    return re.sub("%[s%]", lambda found: "%" if found[0] == "%%" else f"${next(numbers)}", sql)


class _Planned(psycopg.RawCursor[Any]):
    """A cursor whose statements PostgreSQL plans once a connection: to plan them takes longer than to do them."""

    def execute(self, query: Any, params: Any = None, **more: Any) -> Any:
        """As psycopg's, and prepared."""
        return super().execute(query, params, **more | {"prepare": True})

    def _send_query_prepared(self, name: bytes, pgq: Any, **more: Any) -> None:
        self._query = pgq  # what Django shows where it logs
        super()._send_query_prepared(name, pgq, **more)


def one_of(texts: str, kind: str = "text") -> RawSQL:
    """What a query set compares with by `__in` where several texts are in a slot; `kind` is what they are in SQL."""
    return RawSQL(f"SELECT unnest(%s::text[])::{kind}", [texts])  # noqa: S611


def planned(alias: str = DEFAULT_DB_ALIAS) -> Any:
    """A cursor for SQL that is written by hand and asked all the time, with its places as $1, $2; one of Django's, that
    counts and logs as its others do. Django's own has what it says planned each time. Not for `pgtrigger.ignore`,
    which puts a statement of its own before each.
    """
    connection = connections[alias]
    connection.ensure_connection()
    return connection._prepare_cursor(_Planned(connection.connection))  # type: ignore[attr-defined]


def _somebody(kind: Kind) -> int | UUID | str | datetime:
    """A value that stands in no query by chance."""
    found = uuid4()
    if kind is datetime:
        return datetime.fromtimestamp(found.int % 2**52 / 1_000_000, UTC)
    return found if kind is UUID else found.int % 2**62 if kind is int else found.hex


def columns(model: type[Model], of: str = "", without: Iterable[str] = ()) -> list[str]:
    """What to ask for so that `made` finds it: the columns of a model; `of` is the way to it, as `register__`."""
    return [f"{of}{field.attname}" for field in model._meta.concrete_fields if field.attname not in without]


def as_json(*names: str, **more: Any) -> JSONObject:
    """These columns as one value of a row, for `made`, with whatever else is asked for by a name."""
    return JSONObject(**{name: name for name in names}, **more)


def made(model: type[M], row: Row, of: str = "") -> M:
    """The row of a model, of what was found of it. What is missing it asks for by itself.

    As `Model.from_db` makes it, less the signals, which nobody of ours listens to: a page has a hundred rows.
    """
    instance = model.__new__(model)
    instance._state = ModelState()
    instance._state.adding, instance._state.db = False, connection.alias
    found = instance.__dict__
    for name, key, read in _reading(model, of, tuple(row)):
        found[name] = row[key] if read is None else read(row[key])
    return instance


def made_if_any(model: type[M], row: Row, of: str) -> M | None:
    """The same; None where there is no such row."""
    return None if row[f"{of}{model._meta.pk.attname}"] is None else made(model, row, of)


@lru_cache(maxsize=500)
def _reading(
    model: type[Model], of: str, keys: tuple[str, ...]
) -> list[tuple[str, str, Callable[[Any], Any] | None]]:
    """The columns of a model that stand in a row, each with its key and what reads it where JSON is not enough."""
    fields = [field for field in model._meta.concrete_fields if f"{of}{field.attname}" in keys]
    plain = {field: isinstance(getattr(field, "target_field", field), _AS_IN_JSON) for field in fields}
    return [
        (field.attname, f"{of}{field.attname}", None if plain[field] else field.to_python) for field in fields
    ]


#: What is the same in JSON as in Python.
_AS_IN_JSON = (models.CharField, models.TextField, models.IntegerField, models.BooleanField)
