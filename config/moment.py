"""Reading what belongs together as it was at one moment.

A page reads a battle, then the Registers that fight it. Whatever is committed between two such queries would show a
battle before a step beside a Register after it, which never were together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Everything that is read in it is of one moment, and nothing is written. Decorates a function, too.

    Inside a transaction that is there already it changes nothing: that one says what is seen.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
