"""Worlds that are built once in a run, and put down again, row by row, for each test that wants them.

Two Registers and a battle between them take some thirty acts, and a thousand tests begin with them. What a builder
changed in the tables is kept with what stood there before. Called again with the same words, when the same stands
there, it changes the tables to what is kept. What stands there is known as long as nothing writes but builders.
"""

import fcntl
import hashlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, timedelta
from functools import wraps
from io import BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar
from uuid import UUID, uuid4

import pytest
from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models import User
from tests import tables
from tests.statements import may_write

#: Writing that no builder reads: sessions, what is cached, and when somebody signed in.
PASSING = ('"django_session"', '"cache"', 'UPDATE "accounts_user" SET "last_login"')
UNKEPT = ("cache", "django_session")
PLAIN = (str, int, float, bytes, date, timedelta, UUID, type(None))

now = timezone.now
storages = settings.STORAGES
T = TypeVar("T")


@dataclass(eq=False, slots=True)
class _World:
    """What stands in the tables: all rows that the builder changed, how far sequences had counted then, what it gave
    back (pickled), and the worlds that builders have made of it. Its name tells it from all others."""

    rows: dict[str, bytes] = field(default_factory=dict)
    counted: dict[str, int] = field(default_factory=dict)
    given: bytes = b""
    name: str = ""
    made: dict[Any, "_World"] = field(default_factory=dict)


class _Unknown(Exception):
    """Nobody can say whether these words are the same as others."""


#: The tables as each test finds them.
_GROUND = _World()
_standing: _World | None = None
_savepoints: dict[str, _World | None] = {}
_patches: Sequence[object] = ()
_usual_patches: list[object] = []
_folder: Path | None = None


def share(folder: Path | None) -> None:
    """Share worlds with the other processes that do so in this folder, whose tables began the same.

    Its pictures are shared as well: a test that commits must not remove the picture of a world.
    """
    global _folder
    _folder = folder


def begin() -> None:
    """Know that a test begins."""
    global _standing
    _standing = _GROUND
    _savepoints.clear()


def mind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test patches from now on keep it from getting worlds of others, and others from getting its worlds."""
    global _patches, _usual_patches
    _patches = monkeypatch._setattr
    _usual_patches = list(_patches)


def watch(execute: Callable[..., Any], sql: Any, *rest: Any) -> Any:
    """Note what every connection writes, as a wrapper of its `execute`."""
    global _standing
    text = str(sql)
    if text.startswith("SAVEPOINT"):
        _savepoints[text.split()[1]] = _standing
    elif text.startswith("ROLLBACK TO SAVEPOINT"):
        _standing = _savepoints.get(text.split()[3])
    elif _standing and may_write(text) and not any(words in text[:60] for words in PASSING):
        _standing = None
    return execute(sql, *rest)


def once(build: Callable[..., T]) -> Callable[..., T]:
    """Let `build` build the same on the same ground only once in a run.

    It gets and gives back rows, plain values, and dataclasses, tuples, lists and dicts of such. Rows that it gets are
    read again. In a test that has patched anything it builds.
    """

    @wraps(build)
    def built(*given: Any, **words: Any) -> T:
        global _standing
        ground = _standing
        if ground is None or not _as_usual() or (ground is _GROUND and User.objects.exists()):
            return build(*given, **words)
        try:
            key = (build, _key((given, words)))
        except _Unknown:
            return build(*given, **words)
        if world := ground.made.get(key):
            tables.replace(world.rows)
        else:
            with _shared(ground, key) as file:
                if kept := file.read():
                    world = pickle.loads(kept)  # noqa: S301 - our own
                    tables.count_on(world.counted)
                    tables.replace(world.rows)
                else:
                    world = _built(lambda: build(*given, **words))
                    file.write(pickle.dumps(world))
            ground.made[key] = world
        _standing = world
        for row in _rows_in((given, words)):
            row.refresh_from_db()
        return pickle.loads(world.given)  # noqa: S301 - our own

    return built


def _built(build: Callable[[], object]) -> _World:
    """Build it here and now."""
    with tables.changes(UNKEPT) as rows:
        given = build()
    return _World(rows, tables.counted(), pickle.dumps(_as_it_is(given)), uuid4().hex)


@contextmanager
def _shared(ground: _World, key: tuple[Callable[..., object], object]) -> Iterator[IO[bytes]]:
    """The file of a world that has been built on this ground; empty, to be filled while other processes wait for it."""
    if _folder is None:
        yield BytesIO()
        return
    build, words = key
    asked = repr((ground.name, build.__module__, build.__qualname__, words))
    with Path(_folder, hashlib.sha256(asked.encode()).hexdigest()).open("a+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


def _as_usual() -> bool:
    """Whether the test has patched nothing, such as the clock, where pictures lie, or what a builder says."""
    return timezone.now is now and settings.STORAGES is storages and list(_patches) == _usual_patches


def _key(value: Any) -> Any:
    """What tells words of a builder from others."""
    if isinstance(value, models.Model):
        columns = (each.attname for each in value._meta.concrete_fields if each.name != "last_login")
        return value._meta.label, *(repr(value.__dict__.get(column)) for column in columns)
    if isinstance(value, dict):
        return tuple((name, _key(value[name])) for name in sorted(value))
    if isinstance(value, tuple | list):
        return tuple(map(_key, value))
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), *(_key(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, PLAIN):
        return type(value), value
    raise _Unknown


def _rows_in(value: Any) -> Iterator[models.Model]:
    if isinstance(value, models.Model):
        yield value
    elif isinstance(value, dict):
        yield from _rows_in(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _rows_in(part)
    elif is_dataclass(value):
        yield from _rows_in(tuple(getattr(value, each.name) for each in fields(value)))


def _as_it_is(given: Any) -> Any:
    """What a builder gave back, read again: what was read on the way belongs to one test."""
    if isinstance(given, models.Model):
        return type(given)._base_manager.get(pk=given.pk)
    if isinstance(given, tuple | list):
        return type(given)(map(_as_it_is, given))
    if isinstance(given, dict):
        return {name: _as_it_is(value) for name, value in given.items()}
    if is_dataclass(given) and not isinstance(given, type):
        return type(given)(**{each.name: _as_it_is(getattr(given, each.name)) for each in fields(given)})
    return given
