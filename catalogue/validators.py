"""Field validators: they check an edit in the admin as the loader checks a row of the files."""

from typing import Any

from django.core.exceptions import ValidationError

from rules.catalogue import csv_fields, file_schemas


def _check(reader: csv_fields.Reader, value: Any) -> None:
    try:
        reader(value)
    except ValueError as fault:
        raise ValidationError(str(fault)) from fault


def reward(value: Any) -> None:
    """Validate a list of reward effects (section 8)."""
    _check(csv_fields.reward, value)


def progress(value: Any) -> None:
    """Validate a list of conditions (section 8)."""
    _check(csv_fields.progress, value)


def end_of_game(value: Any) -> None:
    """Validate what each player may gain at the end of a Turning Point Mission."""
    _check(csv_fields.end_of_game, value)


def restriction(value: Any) -> None:
    """Validate a restriction: alternatives of terms, `a:b|c:d;e:f`."""
    _check(csv_fields.restriction_cell, value)


def requirement(value: Any) -> None:
    """Validate what a Commendation requires."""
    _check(file_schemas.REQUIRES, value)


def marks(value: Any) -> None:
    """Validate how many units an Agenda marks, which player marks them, and among which."""
    _check(file_schemas.MARKS, value)


def casualty_shield(value: Any) -> None:
    """Validate what a marked unit gains instead of becoming a casualty."""
    _check(file_schemas.SHIELD, value)


def texts(value: Any) -> None:
    """Validate an object of texts."""
    _check(csv_fields.texts_by_name, value)


def rank_limits(value: Any) -> None:
    """Validate a minimum and maximum for each of the six ranks."""
    _check(csv_fields.rank_limits, value)


def formats(value: Any) -> None:
    """Validate the rank limits of a battle force by format."""
    _check(file_schemas.FORMATS, value)
