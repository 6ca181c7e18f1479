"""Reading what belongs together as it was at one moment.

A page reads a battle, then the Registers that fight it. Whatever is committed between two such queries would show a
battle before a step beside a Register after it, which never were together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from psycopg import IsolationLevel


@contextmanager
def one_moment() -> Iterator[None]:
    """Everything that is read in it is of one moment, and nothing is written. Decorates a function, too.

    Inside a transaction that is there already it changes nothing: that one says what is seen.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    theirs = connection.connection
    as_ever = theirs.isolation_level, theirs.read_only
    # Said by BEGIN itself: a statement of its own would be one more way to the database.
    theirs.isolation_level, theirs.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        with transaction.atomic():
            yield
    finally:
        if not theirs.closed:
            theirs.isolation_level, theirs.read_only = as_ever


def begin(database: Mapping[str, Any]) -> None:
    """Set up Django in a process that was just started, with the connection of the one that started it.

    Tests work on another database than the settings name, so the settings alone would lead elsewhere.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

    import django
    from django.conf import settings

    settings.DATABASES["default"] |= database
    django.setup()
