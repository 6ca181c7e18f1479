"""Keywords of cards, as templates show them."""

from __future__ import annotations

from rules.core.card_types import keyword_name
from rules.core.rulebook import Rulebook


def keyword_term(book: Rulebook, keyword: str) -> dict[str, str]:
    """Return a keyword; those of Tours of Duty open to their text."""
    known = book.keywords.get(keyword) or book.keywords.get(keyword_name(keyword))
    return {"name": keyword, "text": known.effect if known else ""}
