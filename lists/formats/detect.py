"""Find the list in a text, whatever its format, and read it."""

import re
from contextlib import suppress
from dataclasses import replace
from json import dumps
from typing import Any

from lists.formats import legion_hq_link, limits, list_text, lua_table, register_json, tts_json
from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine
from lists.formats.plain_lines import FULL_WIDTH
from rules.core.json_text import load_json
from rules.core.translation import gettext

_ADMIRAL_LINK = re.compile(r"tabletopadmiral\.com/", re.IGNORECASE)
_ANY_LINK = re.compile(r"(?:https?://|www\.)\w", re.IGNORECASE)


@limits.careful(Format.UNKNOWN)
def read(text: str, index: CardIndex) -> Parsed:
    """Return the list in a text as lines. Refuses an unknown format and a text beyond a limit.

    JSON comes before links, which it may contain, and links before text: they say most.
    """
    text = text.translate(FULL_WIDTH)
    links = legion_hq_link.links_in(limits.clean(text))
    script = lua_table.json_of(text)
    texts, around = ([script], "") if script else limits.json_texts(text)
    if texts:
        objects = [limits.json_object(each) for each in texts]
        for each, data in zip(texts, objects, strict=True):
            if data.get("format") == register_json.FORMAT:
                return register_json.read(each, index)
        found = [each for data in objects for each in _lists_in(data)]
        lists = list(dict.fromkeys(map(dumps, found)))
        if len(lists) > 1:
            why = gettext("This text has {number} lists. Choose one.", number=len(lists))
            return _which(Format.TTS_JSON, lists, why)
        if lists:
            return _with_notes(tts_json.read(texts[0] if found[0] is objects[0] else lists[0], index), around)
        if not links:
            raise list_text.unknown_format()
    if len(links) > 1:
        why = gettext("This text has {number} links to lists. Choose one.", number=len(links))
        return _which(Format.LEGION_HQ_LINK, links, why)
    if links:
        return legion_hq_link.read(text, index)
    if not limits.clean(text).strip():
        raise limits.Unreadable(gettext("Paste a list or its link."))
    limits.lines_of(text)
    parsed = list_text.read(text, index)
    return _without_list(text, parsed, index) if parsed.refused else parsed


def _lists_in(data: Any) -> list[dict[str, Any]]:
    """Return the lists in JSON, however other data wrap them."""
    if isinstance(data, str) and "units" in data:
        with suppress(ValueError):
            return _lists_in(load_json(data, deepest=limits.MAX_DEPTH))
    if isinstance(data, dict) and "units" in map(str.lower, data):
        return [data]
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return [each for value in values for each in _lists_in(value)]


def _with_notes(parsed: Parsed, around: str) -> Parsed:
    """Return a list with the text around it as ignored lines."""
    lines = (line.strip("`~,;[]() ") for line in limits.lines_of(around))
    ignored = [
        ParsedLine(read=limits.shown(line), kind=LineKind.NOTE, violations=(gettext("Ignored."),))
        for line in lines
        if re.search(r"\w", line) and line != "json"
    ]
    return parsed if parsed.refused else replace(parsed, lines=(*parsed.lines, *ignored))


def _without_list(text: str, parsed: Parsed, index: CardIndex) -> Parsed:
    """Return the refusal of a text without a list, which says how a link to one is to be copied."""
    if legion_hq_link.STORED.search(text):
        return legion_hq_link.read(text, index)
    if _ADMIRAL_LINK.search(text):
        why = gettext("Links of Tabletop Admiral cannot be read. Export the list there as JSON and paste that.")
        return Parsed(Format.ADMIRAL_LINK, refused=why)
    if _ANY_LINK.search(text) and parsed.refused == str(list_text.unknown_format()):
        why = gettext("This link does not contain the list. Open it, then copy the list there as text.")
        return Parsed(Format.UNKNOWN, refused=why)
    return Parsed(Format.UNKNOWN, refused=parsed.refused)


def _which(format_: Format, texts: list[str], why: str) -> Parsed:
    """Return the question which of several lists is meant. `read_army_list` reads the chosen one."""
    line = ParsedLine(read=limits.shown(texts[0]), kind=LineKind.LINK, candidates=tuple(texts), violations=(why,))
    return Parsed(format_, (line,))


@limits.careful(Format.UNKNOWN)
def read_file(data: bytes, index: CardIndex) -> Parsed:
    """Return a file in any of the formats as lines. Refuses what `read` refuses, and a file that is not text."""
    return read(limits.decoded(data), index)
