"""Cards of the database as plain values, as the files have them (`rules.catalogue.loader`), and changing them."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.db.models import Func, TextField, Value

from .models import Card, CatalogueState

#: Fields of a card that only the database has.
OWN_FIELDS = ("position", "retired")


def field_names(model: type[Card]) -> tuple[str, ...]:
    """Return the names of a card's values, as the files have them."""
    return tuple(field.name for field in model._meta.concrete_fields if field.name not in OWN_FIELDS)


def stored_rows(model: type[Card]) -> list[dict[str, Any]]:
    """Return all cards of a kind in printed order, with their own fields; the slug of a Story Arc is '' for none."""
    rows = [
        dict(row)
        for row in model._default_manager.order_by("position", "slug").values(*OWN_FIELDS, *field_names(model))
    ]
    if "story_arc" in field_names(model):
        for row in rows:
            row["story_arc"] = row["story_arc"] or ""
    return rows


def plain(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return a card of the files as the database returns it: with lists instead of tuples."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in card.items()}


def instance(model: type[Card], row: Mapping[str, Any]) -> Card:
    """Return an unsaved card with these values."""
    values = {name: value for name, value in row.items() if name != "story_arc"}
    if "story_arc" in row:
        values["story_arc_id"] = row["story_arc"] or None
    if "battle_force" in row and model._meta.get_field("battle_force").is_relation:
        values["battle_force_id"] = values.pop("battle_force")
    return model(**values)


def acting(by: str) -> None:
    """Start changing cards in the running transaction, and name the writer for the points history.

    Only one writer works at a time. The trigger of every change updates the state's row, so this locks that row first:
    two writers that locked a card first could wait for each other for ever.
    """
    CatalogueState.objects.get_or_create(id=1, defaults={"stamp": uuid4()})
    name = Func(Value("musterbook.actor"), Value(by), Value(True), function="set_config", output_field=TextField())
    CatalogueState.objects.select_for_update().annotate(actor=name).get(id=1)
