"""Read several rows as they were at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from psycopg import IsolationLevel


@contextmanager
def read_snapshot() -> Iterator[None]:
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
