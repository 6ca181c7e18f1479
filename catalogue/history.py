"""Who changes the catalogue: told to the database, whose triggers write the history of points."""

from __future__ import annotations

from django.db import connection


def acting(by: str) -> None:
    """Name who makes the changes that follow in this transaction, for the history of points."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('musterbook.actor', %s, true)", [by])
