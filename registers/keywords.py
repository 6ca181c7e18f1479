"""What the keywords of the core rules do, in a sentence each."""

import json
from collections.abc import Mapping
from functools import cache

from ops.paths import BASE_DIR
from rules.core.card_types import keyword_name

FILE = BASE_DIR / "fixtures" / "keywords.json"


@cache
def core_keywords() -> Mapping[str, str]:
    """Return the sentence of each keyword, by its name without a value."""
    found: Mapping[str, str] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def core_keyword_text(keyword: str) -> str:
    """Return what a printed keyword does ("Precise 1"); empty for one that is not explained."""
    return core_keywords().get(keyword_name(keyword), "")
