"""The rules reference for players: every ruling, step, table and unit type, in our own words.

The code follows `docs/rules.md`; this is the same content for players at the table. A test compares numbers, headings
and readings of both.
"""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.snapshot import rulebook, stamp

from . import core, tables, tours
from .passages import Passage, Section


def sections() -> tuple[Section, ...]:
    """Return the whole reference, from the current catalogue and in the reader's language."""
    return _sections(stamp(), get_language())


@lru_cache(maxsize=8)
def _sections(_stamp: UUID | None, _language: str | None) -> tuple[Section, ...]:
    """Return the reference for one stamp of the catalogue and one language, from the cache after the first call."""
    book = rulebook()
    keywords = Passage("table-keywords", _("Keywords of Tours of Duty"), table=tables.keywords(book))
    return (
        tours.register(),
        tours.veterans(),
        tours.battle(book),
        *tours.sequence(book),
        core.units(),
        core.upgrades(),
        Section("keywords", _("Keywords"), (keywords,)),
        core.words(),
        tables.story_arcs(book),
        core.core(),
    )
