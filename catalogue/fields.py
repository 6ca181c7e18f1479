"""A field for the words of section 8, where an empty list is an answer and nothing is none."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.db import models

_NOTHING = (None, "")


class Decoder(json.JSONDecoder):
    """Takes what is nested too deep for no JSON at all, so that a form says so."""

    def decode(self, s: str, *args: Any) -> Any:
        """The value that `s` writes. Raises JSONDecodeError."""
        try:
            return super().decode(s, *args)
        except RecursionError:
            raise json.JSONDecodeError("Nested too deep", s, 0) from None


class FormDataField(forms.JSONField):
    """JSON as written; `[]` and `{}` are values."""

    empty_values = list(_NOTHING)


class DataField(models.JSONField):
    """JSON whose validators see empty lists and objects too, which Django would wave through."""

    empty_values = list(_NOTHING)

    def formfield(self, **options: Any) -> Any:
        """A form field that takes an empty list where a value is required."""
        return super().formfield(**{"form_class": FormDataField, "decoder": Decoder, **options})
