"""Querysets that are built and compiled once: building and compiling one often takes longer than running it."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache, update_wrapper
from itertools import count, islice
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.sql import Query

Rows = TypeVar("Rows", bound=QuerySet[Any, Any])
#: How a stand-in of each type is made from a number.
_STAND_INS: dict[type, Callable[[int], Any]] = {
    int: lambda number: 1_987_000_000 + number,
    str: lambda number: f"stand-in {number}",
    UUID: lambda number: UUID(int=(0x5EED << 112) + number),
}


class PreparedQuery(Query):
    """A compiled query with its parameters. `plain` returns the queryset that it stands for."""

    plain: Callable[[], QuerySet[Any, Any]]
    compiler: Any
    statement: tuple[str, tuple[Any, ...]]

    def get_compiler(self, using: str | None = None, connection: Any = None, elide_empty: bool = True) -> Any:
        """Return the compiler as it was after compiling, for this thread's connection."""
        there = connection or connections[using or DEFAULT_DB_ALIAS]
        return _copy(self.compiler, connection=there, as_sql=lambda *_args, **_options: self.statement)

    def clone(self) -> Query:
        """Return an ordinary query: a copy is made in order to change it."""
        return self.plain().query.clone()

    def chain(self, klass: type[Query] | None = None) -> Query:
        """Return an ordinary query, as `clone` does."""
        return self.plain().query.chain(klass)


class _Compiled(NamedTuple):
    """A compiled queryset. Each of `params` is a constant, or the value whose place among all values is in `places`."""

    rows: QuerySet[Any, Any]
    compiler: Any
    sql: str
    params: Sequence[Any]
    places: Sequence[int | None]

    def filled(self, values: Sequence[Any]) -> tuple[str, tuple[Any, ...]]:
        """Return the statement with these values."""
        pairs = zip(self.params, self.places, strict=True)
        return self.sql, tuple([param if place is None else values[place] for param, place in pairs])


class Prepared(Generic[Rows]):
    """A function that returns a queryset, called once for each shape of its arguments. Use it as a decorator.

    Numbers, texts, UUIDs and lists of one of these become parameters of the SQL, where the function is called with
    stand-ins. So compare keys (`register__pk`): a relation would want an instance. Other arguments (None, booleans,
    functions) may decide what is queried, but nothing else may, least of all the rights of a user. A queryset that is
    changed is an ordinary one again. `plain` is the function itself.
    """

    def __init__(self, plain: Callable[..., Rows]) -> None:
        update_wrapper(self, plain)
        self.plain = plain
        self._prepared = lru_cache(maxsize=64)(self._prepare)

    def __call__(self, *args: Any) -> Rows:
        """Return the queryset for these arguments, ready to be evaluated."""
        padded = [_padded(each) if isinstance(each, list) else each for each in args]
        try:
            found = self._prepared(*map(_shape, padded))
        except EmptyResultSet:  # as of an empty list
            return self.plain(*args)
        query = object.__new__(PreparedQuery)
        query.__dict__ = found.compiler.query.__dict__ | {
            "plain": lambda: self.plain(*args),
            "compiler": found.compiler,
            "statement": found.filled(_flat(padded)),
        }
        rows: Rows = _copy(found.rows, _query=query)
        return rows

    def _prepare(self, *shapes: Hashable) -> _Compiled:
        """Compile the queryset with two series of stand-ins. They must differ only where an argument is a parameter."""
        one, other = (self._compiled(shapes, count(start)) for start in (0, 1_000_000))
        values = [object() for _ in _flat(_stand_in(shape, count()) for shape in shapes)]
        if repr(one.filled(values)) != repr(other.filled(values)):  # JSON is never equal
            raise TypeError(f"{self.plain.__qualname__} cannot be prepared: an argument is more than a parameter.")
        return one

    def _compiled(self, shapes: Iterable[Hashable], numbers: Iterator[int]) -> _Compiled:
        args = [_stand_in(shape, numbers) for shape in shapes]
        place = {value: number for number, value in enumerate(_flat(args)) if type(value) in _STAND_INS}
        rows = self.plain(*args)
        compiler = rows.query.get_compiler(rows.db)
        sql, params = compiler.as_sql()
        places = [place.get(each) if type(each) in _STAND_INS else None for each in params]
        return _Compiled(rows, compiler, sql, params, places)


def prefetch(owners: Collection[Any], name: str, rows: Prepared[Any], back: str) -> None:
    """Read the rows of a reverse relation for these instances, as `prefetch_related` does: one query. `name` is that of
    the relation, `rows` takes a list of keys, and `back` is the foreign key of a row.
    """
    by_key = {each.pk: each for each in owners}
    listed: dict[Any, list[Model]] = {key: [] for key in by_key}
    for row in rows([*listed]):
        owner = by_key[getattr(row, f"{back}_id")]
        setattr(row, back, owner)
        listed[owner.pk].append(row)
    for each in owners:
        relation = rows([each.pk])
        relation._result_cache = listed[each.pk]
        each._prefetched_objects_cache = {**getattr(each, "_prefetched_objects_cache", {}), name: relation}


class _Shape(NamedTuple):
    """The type of an argument, and the length of a list."""

    kind: type
    length: int | None


def _padded(values: list[Any]) -> list[Any]:
    """Return a list with its last value repeated, so that few lengths occur: 1, 2, 4, 8, …"""
    return [*values, *values[-1:] * ((1 << (len(values) - 1).bit_length()) - len(values))] if values else []


def _shape(value: Any) -> Any:
    """Return the shape of a value, or the value itself if it is no parameter, or a number that no column may hold."""
    if value == []:
        return ()
    if isinstance(value, bool) or (isinstance(value, int) and abs(value) >= 2**31):
        return value
    first, length = (value[0], len(value)) if isinstance(value, list) else (value, None)
    kind = next((kind for kind in _STAND_INS if isinstance(first, kind)), None)
    return _Shape(kind, length) if kind else value


def _stand_in(shape: Any, numbers: Iterator[int]) -> Any:
    if not isinstance(shape, _Shape):
        return shape
    made = [_STAND_INS[shape.kind](number) for number in islice(numbers, shape.length or 1)]
    return made[0] if shape.length is None else made


def _flat(args: Iterable[Any]) -> list[Any]:
    return [value for each in args for value in (each if isinstance(each, list | tuple) else [each])]


def _copy(original: Any, **changes: Any) -> Any:
    made = object.__new__(type(original))
    made.__dict__ = original.__dict__ | changes
    return made
