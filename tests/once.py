"""Worlds that are built once in a process and put down again, row by row, for each test that wants them.

Founding two Registers takes some twenty acts, and a thousand tests begin with them. What a builder has left in the
tables, when it began with none, is kept and copied back for the next test; whoever begins with something in the
tables gets a world that is built.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, models, transaction

from accounts.models import User

#: The apps whose tables are empty when a test begins.
APPS = (
    "accounts",
    "account",
    "lists",
    "registers",
    "campaign",
    "battles",
    "story_arcs",
    "chronicle",
    "star_map",
    "achievements",
    "teams",
    "painting",
    "archive",
    "schedule",
    "uploads",
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a builder gave back, and the rows of each table that were not empty: its COPY clause and its content."""

    given: Any
    rows: dict[str, bytes]


def once(build: Callable[..., T]) -> Callable[..., T]:
    """Let `build` build its world only once in a process, but for worlds that are asked to differ.

    It gives back rows, or dataclasses and tuples of such.
    """
    kept: list[_Kept] = []

    @wraps(build)
    def built(**different: Any) -> T:
        if different or User.objects.exists():
            return build(**different)
        if not kept:
            given = build()
            kept.append(_Kept(given, dict(_rows())))
            return _as_it_is(given)  # what is kept is nobody's to change
        [world] = kept
        with transaction.atomic(), connection.cursor() as cursor:
            for clause, rows in world.rows.items():
                with cursor.copy(f"COPY {clause} FROM STDIN") as copy:
                    copy.write(rows)
        return _as_it_is(world.given)

    return built


def _rows() -> Any:
    for room in APPS:
        for model in apps.get_app_config(room).get_models(include_auto_created=True):
            if model._meta.managed and not model._meta.proxy and model._base_manager.exists():
                clause = _clause(model)
                with connection.cursor() as cursor, cursor.copy(f"COPY {clause} TO STDOUT") as copy:
                    yield clause, b"".join(bytes(part) for part in copy)


def _clause(model: type[models.Model]) -> str:
    columns = (f'"{field.column}"' for field in model._meta.local_concrete_fields if not field.generated)
    return f'"{model._meta.db_table}" ({", ".join(columns)})'


def _as_it_is(given: Any) -> Any:
    """What a builder gave back, read again: a test may have changed the objects that another one got."""
    if isinstance(given, models.Model):
        return type(given)._base_manager.get(pk=given.pk)
    if isinstance(given, tuple):
        return tuple(_as_it_is(part) for part in given)
    if is_dataclass(given) and not isinstance(given, type):
        return type(given)(**{field.name: _as_it_is(getattr(given, field.name)) for field in fields(given)})
    return given
