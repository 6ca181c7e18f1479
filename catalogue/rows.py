"""Cards of the database as plain values, as the files have them (`rules.catalogue.loader`), and who changes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.db.models import Func, TextField, Value

from .models import Card, CatalogueState

#: What the database knows of a card and the files do not.
OWN_FIELDS = ("position", "retired")


def field_names(model: type[Card]) -> tuple[str, ...]:
    """The names of a card's values, as the files have them."""
    return tuple(field.name for field in model._meta.concrete_fields if field.name not in OWN_FIELDS)


def stored_rows(model: type[Card]) -> list[dict[str, Any]]:
    """All cards of a kind in printed order, with their own fields; the slug of a Story Arc is '' for none."""
    rows = [
        dict(row)
        for row in model._default_manager.order_by("position", "slug").values(
            *OWN_FIELDS, *field_names(model)
        )
    ]
    if "story_arc" in field_names(model):
        for row in rows:
            row["story_arc"] = row["story_arc"] or ""
    return rows


def plain(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card of the files as the database gives it back: lists instead of tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in card.items()}


def instance(model: type[Card], row: Mapping[str, Any]) -> Card:
    """An unsaved card of these values."""
    values = {name: value for name, value in row.items() if name != "story_arc"}
    if "story_arc" in row:
        values["story_arc_id"] = row["story_arc"] or None
    if "battle_force" in row and model._meta.get_field("battle_force").is_relation:
        values["battle_force_id"] = values.pop("battle_force")
    return model(**values)


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
