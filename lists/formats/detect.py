"""Detect the format of a text and read it."""

import re
from collections.abc import Mapping

from lists.formats import legion_hq_link, list_text, register_json, tts_json
from lists.formats.cards import CardIndex
from lists.formats.limits import MAX_LINE, Read, Unreadable, careful, decoded, json_object, lines_of
from lists.formats.list_text import COPIES, HEADER
from lists.formats.parsed import Format, Parsed, Reason, RefusedText
from rules.core.translation import gettext, gettext_noop

READERS: Mapping[Format, Read] = {
    Format.LEGION_HQ_LINK: legion_hq_link.read,
    Format.TOURNAMENT_TEXT: list_text.read_tournament,
    Format.STANDARD_TEXT: list_text.read_standard,
    Format.MINIMAL_TEXT: list_text.read_minimal,
    Format.TTS_JSON: tts_json.read,
    Format.ADMIRAL_JSON: tts_json.read,
    Format.ADMIRAL_TEXT: list_text.read_admiral,
    Format.REGISTER_JSON: register_json.read,
}

_ADMIRAL_LINK = re.compile(r"(?:https?://)?(?:www\.)?tabletopadmiral\.com/", re.IGNORECASE)
_TOTAL = re.compile(r"= ?[0-9]{1,5}$")
_PRICED = re.compile(r"\([0-9]{1,4}\)$")
_ADMIRAL_UNIT = re.compile(r" [0-9]{1,4} (?:\+|[x×]) [0-9]{1,4} = [0-9]{1,5}")
_ADMIRAL_LINK_REFUSED = gettext_noop(
    "Links of Tabletop Admiral cannot be read. Export the list there as JSON and paste that."
)


@careful(Format.UNKNOWN)
def read(text: str, index: CardIndex) -> Parsed:
    """Return a text in any of the formats as lines. Refuses an unknown format and a text beyond a limit."""
    which = _detect(text)
    if which is Format.ADMIRAL_LINK:
        return Parsed(which, refused=RefusedText(Reason.NOT_DECODABLE, gettext(_ADMIRAL_LINK_REFUSED)))
    return READERS[which](text, index)


def read_file(data: bytes, index: CardIndex) -> Parsed:
    """Return a file in any of the formats as lines. Refuses what `read` refuses, and a file that is not UTF-8."""
    try:
        text = decoded(data)
    except Unreadable as unreadable:
        return Parsed(Format.UNKNOWN, refused=unreadable.refused)
    return read(text, index)


def detect(text: str) -> Format:
    """Return the format of a text; UNKNOWN for none of them or a text beyond a limit."""
    try:
        return _detect(text)
    except Unreadable:
        return Format.UNKNOWN


def _detect(text: str) -> Format:
    if text[:1_000].lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return _detect_json(text)
    lines = [line.strip() for line in lines_of(text) if line.strip()]
    if len(lines) == 1:
        if legion_hq_link.LINK.fullmatch(lines[0]) or legion_hq_link.STORED.fullmatch(lines[0]):
            return Format.LEGION_HQ_LINK
        if _ADMIRAL_LINK.match(lines[0]):
            return Format.ADMIRAL_LINK
    return _detect_text([line for line in lines if len(line) <= MAX_LINE])


def _detect_json(text: str) -> Format:
    data = json_object(text)
    if data.get("format") == register_json.FORMAT:
        return Format.REGISTER_JSON
    if "units" in data:
        return Format.ADMIRAL_JSON if data.get("author") == tts_json.ADMIRAL else Format.TTS_JSON
    raise _unknown()


def _detect_text(lines: list[str]) -> Format:
    if not lines:
        raise Unreadable(Reason.UNKNOWN_FORMAT, gettext("Paste a list or its link."))
    if any(list_text.ACTIVATIONS.fullmatch(line) for line in lines[:4]) or any(map(_ADMIRAL_UNIT.search, lines)):
        return Format.ADMIRAL_TEXT
    headed = any(HEADER.fullmatch(line) for line in lines[:2])
    if any(line.removesuffix(":").lower() in list_text.HEADINGS or _TOTAL.search(line) for line in lines):
        return Format.STANDARD_TEXT
    if headed and any(map(_PRICED.search, lines)):
        return Format.TOURNAMENT_TEXT
    if headed or any(map(COPIES.match, lines)):  # minimal text may lack its header
        return Format.MINIMAL_TEXT
    raise _unknown()


def _unknown() -> Unreadable:
    return Unreadable(
        Reason.UNKNOWN_FORMAT,
        gettext(
            "This list format is unknown. Paste a link or text from Legion HQ, JSON for Tabletop Simulator, JSON or "
            "text from Tabletop Admiral, or a Register file."
        ),
    )
