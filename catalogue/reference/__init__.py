"""The rules as a table wants to look them up: every ruling, step, table and type, in our own words.

`docs/rules.md` is the law that the code follows, with code and tests; this is the same law for people at a table. A
test holds their numbers, headings and readings together.
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
    """The whole reference, from the catalogue as it is now and in the language of the reader."""
    return _sections(stamp(), get_language())


@lru_cache(maxsize=8)
def _sections(_stamp: UUID | None, _language: str | None) -> tuple[Section, ...]:
    """The same for a stamp of the catalogue; who asks again pays nothing."""
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
