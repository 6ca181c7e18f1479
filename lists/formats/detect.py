"""Find the list in a text, whatever its format, and read it."""

import re
from json import dumps
from typing import Any

from lists.formats import legion_hq_link, list_text, lua_table, register_json, tts_json
from lists.formats.cards import CardIndex
from lists.formats.limits import Unreadable, careful, clean, decoded, json_object, json_text, lines_of
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, Reason, RefusedText
from rules.core.translation import gettext, gettext_noop

_ADMIRAL_LINK = re.compile(r"tabletopadmiral\.com/", re.IGNORECASE)
_ADMIRAL_LINK_REFUSED = gettext_noop(
    "Links of Tabletop Admiral cannot be read. Export the list there as JSON and paste that."
)
_ONLY_A_LINK = re.compile(r"<?(?:https?://|www\.)[^\s<>]{3,2000}>?", re.IGNORECASE)
_LINK_REFUSED = gettext_noop("This link does not contain the list. Open it, then copy the list there as text.")


@careful(Format.UNKNOWN)
def read(text: str, index: CardIndex) -> Parsed:
    """Return the list in a text as lines. Refuses an unknown format and a text beyond a limit.

    JSON comes before links, which it may contain, and links before text: they say most.
    """
    links = legion_hq_link.links_in(clean(text))
    if json := lua_table.json_of(text) or json_text(text):
        data = json_object(json)
        if data.get("format") == register_json.FORMAT:
            return register_json.read(json, index)
        if found := _with_units(data):
            return tts_json.read(json if found is data else dumps(found), index)
        if not links:
            raise list_text.unknown_format()
    if len(links) > 1:
        return _which_link(links)
    if links:
        return legion_hq_link.read(text, index)
    if not clean(text).strip():
        raise Unreadable(Reason.UNKNOWN_FORMAT, gettext("Paste a list or its link."))
    lines_of(text)
    parsed = list_text.read(text, index)
    return _without_list(text, parsed, index) if parsed.refused else parsed


def _with_units(data: Any) -> dict[str, Any]:
    """Return the list in JSON, however other data wrap it; an empty object if there is none."""
    if isinstance(data, dict) and "units" in data:
        return data
    values = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return next(filter(None, map(_with_units, values)), {})


def _without_list(text: str, parsed: Parsed, index: CardIndex) -> Parsed:
    """Return the refusal of a text without a list, which says how a link to one is to be copied."""
    if legion_hq_link.STORED.search(text):
        return legion_hq_link.read(text, index)
    if _ADMIRAL_LINK.search(text):
        return Parsed(Format.ADMIRAL_LINK, refused=RefusedText(Reason.NOT_DECODABLE, gettext(_ADMIRAL_LINK_REFUSED)))
    if _ONLY_A_LINK.fullmatch(text.strip()):
        return Parsed(Format.UNKNOWN, refused=RefusedText(Reason.NOT_DECODABLE, gettext(_LINK_REFUSED)))
    return Parsed(Format.UNKNOWN, refused=parsed.refused)


def _which_link(links: list[str]) -> Parsed:
    """Return the question which of several links is meant. `read_army_list` reads the chosen one."""
    why = gettext("This text has {number} links to lists. Choose one.", number=len(links))
    line = ParsedLine(read=links[0], kind=LineKind.LINK, candidates=tuple(links), violations=(why,))
    return Parsed(Format.LEGION_HQ_LINK, (line,))


def read_file(data: bytes, index: CardIndex) -> Parsed:
    """Return a file in any of the formats as lines. Refuses what `read` refuses, and a file that is not text."""
    try:
        text = decoded(data)
    except Unreadable as unreadable:
        return Parsed(Format.UNKNOWN, refused=unreadable.refused)
    return read(text, index)
