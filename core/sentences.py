"""Sentences of the TOML files next to modules (`rules.core.translation.sentences_of`) in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext


def said(sentence: str | list[str], words: Mapping[str, Any], number: int = 0) -> str:
    """Return a sentence with its words in the reader's language. A list is the singular and the plural for `number`."""
    text = gettext(sentence) if isinstance(sentence, str) else ngettext(sentence[0], sentence[1], number)
    return text % words
