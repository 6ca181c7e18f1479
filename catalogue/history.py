"""Who changes the catalogue: told to the database, whose triggers write the history of points."""

from __future__ import annotations

from uuid import uuid4

from django.db import connection

from .models import CatalogueState


def acting(by: str) -> None:
    """Begin to change cards: one writer at a time, named for the history of points, in the running transaction.

    The trigger of every change touches the state's row. Writers take it before they touch a card, since two who
    took the card first and that row second could wait for each other for ever.
    """
    CatalogueState.objects.get_or_create(id=1, defaults={"stamp": uuid4()})
    CatalogueState.objects.select_for_update().get(id=1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('musterbook.actor', %s, true)", [by])
