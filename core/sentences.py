"""Sentences that stand in a TOML file next to their module, from which `make texts` collects them for translators."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, ngettext


def sentences_of(module: str) -> dict[str, Any]:
    """Return the tables of the TOML file of a module, given by its `__file__`."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))


def said(sentence: str | list[str], words: Mapping[str, Any], number: int = 0) -> str:
    """Return a sentence with its words in the reader's language. A list is the singular and the plural for `number`."""
    text = gettext(sentence) if isinstance(sentence, str) else ngettext(sentence[0], sentence[1], number)
    return text % words
