"""Field validators: they check an edit in the admin as the loader checks a row of the files (section 8)."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible
from django.utils.module_loading import import_string


@deconstructible
class Readable:
    """Refuses a value that a reader of `rules.catalogue` cannot read. Migrations keep the name of the reader."""

    def __init__(self, reader: str) -> None:
        self.reader = reader

    def __call__(self, value: Any) -> None:
        try:
            import_string(f"rules.catalogue.{self.reader}")(value)
        except ValueError as fault:
            raise ValidationError(str(fault)) from fault


# Lists of reward effects, lists of conditions, and what each player may gain at the end of a Turning Point Mission.
reward = Readable("csv_fields.reward")
progress = Readable("csv_fields.progress")
end_of_game = Readable("csv_fields.end_of_game")
# Alternatives of terms, `a:b|c:d;e:f`, and what a Commendation requires.
restriction = Readable("csv_fields.restriction_cell")
requirement = Readable("file_schemas.REQUIRES")
# How many units an Agenda marks, which player marks them, and among which; what one gains instead of a casualty.
marks = Readable("file_schemas.MARKS")
casualty_shield = Readable("file_schemas.SHIELD")
# An object of texts, a minimum and maximum for each of the six ranks, and these of a battle force by format.
texts = Readable("csv_fields.texts_by_name")
rank_limits = Readable("csv_fields.rank_limits")
formats = Readable("file_schemas.FORMATS")
