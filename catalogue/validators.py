"""Field validators that say of an edit in the admin what the reader of the files would say of a row."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError

from rules.catalogue import csv_fields, file_schemas


def _check(reader: csv_fields.Reader, value: Any) -> None:
    try:
        reader(value)
    except ValueError as fault:
        raise ValidationError(str(fault)) from fault


def reward(value: Any) -> None:
    """A list of clauses of section 8."""
    _check(csv_fields.reward, value)


def progress(value: Any) -> None:
    """A list of conditions of section 8."""
    _check(csv_fields.progress, value)


def end_of_game(value: Any) -> None:
    """What each player may gain at the end of a Turning Point Mission."""
    _check(csv_fields.end_of_game, value)


def restriction(value: Any) -> None:
    """Alternatives of terms, `a:b|c:d;e:f`."""
    _check(csv_fields.restriction_cell, value)


def requirement(value: Any) -> None:
    """What a Commendation requires."""
    _check(file_schemas.REQUIRES, value)


def marks(value: Any) -> None:
    """How many units an Agenda marks, who marks them, and among which."""
    _check(file_schemas.MARKS, value)


def casualty_shield(value: Any) -> None:
    """What a marked unit gains instead of being a casualty."""
    _check(file_schemas.SHIELD, value)


def texts(value: Any) -> None:
    """An object of texts."""
    _check(csv_fields.texts_by_name, value)


def rank_limits(value: Any) -> None:
    """Minimum and maximum for each of the six ranks."""
    _check(csv_fields.rank_limits, value)


def formats(value: Any) -> None:
    """The rank limits of a battle force by format."""
    _check(file_schemas.FORMATS, value)
