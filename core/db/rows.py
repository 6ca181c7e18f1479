"""Changing rows of the database."""

from typing import Any

from django.db.models import Model


def update(row: Model, **fields: Any) -> None:
    """Set fields of a row, and save these alone: others may have changed since it was read."""
    for name, value in fields.items():
        setattr(row, name, value)
    row.save(update_fields=list(fields))
