"""The rules reference for players: every ruling, step, table and unit type, in our own words.

The code follows `docs/rules.md`; this is the same content for players at the table, written in
`templates/catalogue/reference/`. A test compares numbers, headings and readings of both.
"""

from dataclasses import replace
from functools import lru_cache
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.translation import get_language

from catalogue.snapshot import rulebook, stamp
from rules.core.rulebook import Rulebook

from . import tables
from .passages import Passage, Section, read_sections

#: The files of the reference in their order.
FILES = ("register", "battle", "sequence_steps_1_to_4", "sequence_steps_5_to_10", "units", "upgrades", "words", "core")


def sections() -> tuple[Section, ...]:
    """Return the whole reference, from the current catalogue and in the reader's language."""
    return _sections(stamp(), get_language())


@lru_cache(maxsize=8)
def _sections(_stamp: UUID | None, _language: str | None) -> tuple[Section, ...]:
    """Return the reference for one stamp of the catalogue and one language, from the cache after the first call."""
    book = rulebook()
    written = "\n".join(render_to_string(f"catalogue/reference/{name}.md") for name in FILES)
    return tuple(replace(section, passages=_with_cards(book, section)) for section in read_sections(written))


def _with_cards(book: Rulebook, section: Section) -> tuple[Passage, ...]:
    """Return the passages of a section with their tables, which the catalogue and the rules fill."""
    if section.id == "story-arcs":
        return tables.story_arcs(book)
    return tuple(
        replace(passage, table=tables.TABLES[passage.id](book)) if passage.id in tables.TABLES else passage
        for passage in section.passages
    )
