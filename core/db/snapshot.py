"""Read several rows as they were at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction
from psycopg import IsolationLevel


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Read everything in this block as of one moment, without writing. Also works as a decorator.

    Inside an open transaction it does nothing: that transaction decides what is visible.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    theirs = connection.connection
    as_ever = theirs.isolation_level, theirs.read_only
    # Set them on the connection, so that BEGIN includes them: a separate statement would be another round trip.
    theirs.isolation_level, theirs.read_only = IsolationLevel.REPEATABLE_READ, True
    try:
        with transaction.atomic():
            yield
    finally:
        if not theirs.closed:
            theirs.isolation_level, theirs.read_only = as_ever
