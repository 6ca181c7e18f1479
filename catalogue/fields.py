"""A JSON field in which an empty list is a value and only null is empty."""

import json
from typing import Any

from django import forms
from django.db import models

from rules.core.json_text import refuse_deep

_NOTHING = (None, "")


class Decoder(json.JSONDecoder):
    """JSON decoder that reports data nested too deep as invalid JSON, so that a form can show the error."""

    def decode(self, s: str, *args: Any) -> Any:
        """Return the value that `s` encodes. Raises JSONDecodeError."""
        refuse_deep(s)
        return super().decode(s, *args)


class FormDataField(forms.JSONField):
    """JSON form field; `[]` and `{}` are values."""

    empty_values = list(_NOTHING)


class DataField(models.JSONField):
    """JSON field that also runs its validators on empty lists and objects, which Django would skip."""

    empty_values = list(_NOTHING)

    def formfield(self, **options: Any) -> Any:
        """Return a form field that accepts an empty list where a value is required."""
        return super().formfield(**{"form_class": FormDataField, "decoder": Decoder, **options})
