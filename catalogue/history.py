"""Who changes the catalogue: told to the database, whose triggers write the history of points."""

from __future__ import annotations

from uuid import uuid4

from django.db.models import Func, TextField, Value

from .models import CatalogueState


def acting(by: str) -> None:
    """Begin to change cards: one writer at a time, named for the history of points, in the running transaction.

    The trigger of every change touches the state's row. Writers take it before they touch a card, since two who
    took the card first and that row second could wait for each other for ever.
    """
    CatalogueState.objects.get_or_create(id=1, defaults={"stamp": uuid4()})
    name = Func(
        Value("musterbook.actor"), Value(by), Value(True), function="set_config", output_field=TextField()
    )
    CatalogueState.objects.select_for_update().annotate(actor=name).get(id=1)
