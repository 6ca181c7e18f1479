"""Limits on input, and cleaning of pasted text.

`careful` turns every `Unreadable` into a refused `Parsed` with a sentence for the player.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any
from urllib.parse import unquote

from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, Parsed
from rules.core.encodings import text_of
from rules.core.json_text import NestedTooDeep, load_json
from rules.core.translation import gettext

MAX_BYTES = 1_000_000
MAX_LINES = 500
#: Most lines of a result. They outnumber lines of text: a unit with five upgrades is six.
MAX_ENTRIES = 2_000
MAX_DEPTH = 12
#: Characters of the longest line of text that is read; a longer one is shown as not understood.
MAX_LINE = 2_500
#: Characters of the longest link, which holds a whole list in one line.
MAX_LINK = 5_000
MAX_NUMBER = 100_000
SHOWN = 200

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u3000]")
#: More blanks than between the columns of a page.
_MANY_BLANKS = re.compile("(?<= {15}) +")
#: Invisible characters that web pages and chats leave in copied text, such as those that reverse its direction.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

Read = Callable[[Any, CardIndex], Parsed]


class Unreadable(Exception):
    """A text that cannot be read, with a sentence for the player; never raised outside this package."""


def careful(which: Format) -> Callable[[Read], Read]:
    """Return a decorator for readers that turns `Unreadable` into a refused `Parsed` of this format."""

    def decorate(read: Read) -> Read:
        @wraps(read)
        def guarded(text: Any, index: CardIndex) -> Parsed:
            try:
                return read(text, index)
            except Unreadable as unreadable:
                return Parsed(which, refused=str(unreadable))

        return guarded

    return decorate


def decoded(data: bytes) -> str:
    """Return the text of a file. Raises Unreadable for a file that is too large or not text."""
    if len(data) > MAX_BYTES:
        raise _too_large()
    text = text_of(data)
    if text is None or _CONTROL.search(text):
        raise Unreadable(gettext("This file is not text. Choose a text or JSON file."))
    return text


def clean(text: str) -> str:
    """Return the text with plain blanks and without invisible characters.

    Raises Unreadable if it is too large or has control characters.
    """
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise _too_large()
    if _CONTROL.search(text):
        raise Unreadable(gettext("This text contains control characters. Copy the list again as plain text."))
    return _MANY_BLANKS.sub("", _BLANKS.sub(" ", _INVISIBLE.sub("", text)))


def _too_large() -> Unreadable:
    return Unreadable(gettext("This is too large for a list. Up to 1 MB can be read."))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, blank ones too. Raises Unreadable as `clean` does, and for more than MAX_LINES."""
    lines = clean(text).strip().splitlines()
    if len(lines) > MAX_LINES:
        raise too_many()
    return lines


def too_many() -> Unreadable:
    """Return the error for more lines than an army or a file of Registers can have."""
    return Unreadable(gettext("This is too long for a list. Up to {max_lines} lines can be read.", max_lines=MAX_LINES))


def shown(text: str) -> str:
    """Return a text on one line, cut to the length that a page shows."""
    line = " ".join(text[: 4 * SHOWN].split())
    return line if len(line) <= SHOWN else line[: SHOWN - 1] + "…"


#: Longshanks puts these between the lines of a list.
_BARS = re.compile(r"(?<!\s)\s*(?:(?:\|\||‖)\s*)+")
_CURLY = str.maketrans("“”„‟", '"' * 4)
#: How an object begins, and what counts for its end.
_BEGIN = re.compile(r"\{\s*(?:[\"“„']|\w+\s*:)|\A\s*[{\[]\s*[\"“„'{}\[]")
_PARTS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[{}]', re.DOTALL)
#: The parts of objects in JavaScript and Python: texts, comments, words, and commas before an end.
_LOOSE = re.compile(
    r"""("(?:[^"\\]++|\\.)*+"?)|'((?:[^'\\]++|\\.)*+)'?|//[^\n]*|/\*.*?(?:\*/|\Z)|([A-Za-z_]\w*)|,(?=\s*[}\]])""",
    re.DOTALL,
)
_WORDS = {"None": "null", "True": "true", "False": "false", "undefined": "null"}
_WORDS |= {word: word for word in ("null", "true", "false", "NaN")}
#: Most objects in a text.
_MOST = 50


def json_texts(text: str) -> tuple[list[str], str]:
    """Return the JSON of each object in a text, and the text around them; of half an object all of it.

    A chat may put a fence around it, a mail quotes before its lines, a web page bars between them, or curly quotes for
    straight ones. It may be percent-encoded, a text in JSON, or written as in JavaScript or Python.
    """
    text = re.sub(r"^[ \t]*>[> \t]*", "", clean(text), flags=re.MULTILINE).strip()
    text = text if '"' in text else text.replace("&quot;", '"')
    for _ in range(2):
        text = unquote(text) if '"' not in text and "%7B" in text[:200].upper().replace("%257B", "%7B") else text
        with suppress(ValueError):
            text = load_json(f'"{text.strip().strip(chr(34))}"', deepest=MAX_DEPTH) if '\\"' in text else text
    begin = _BEGIN.search(text := _BARS.sub(" ", clean(text)) if '"' in text else clean(text))
    if not begin or (begin[0].endswith(":") and "units" not in text):  # "{Bo: 800}"
        return [], text
    body = text[begin.start() :]
    body = body if '"' in body else body.translate(_CURLY)
    found, around, depth, start, end = [], text[: begin.start()], 0, 0, 0
    for part in _PARTS.finditer(body):
        if part[0] == "{" and not depth:
            around, start = f"{around}\n{body[end : part.start()]}", part.start()
        depth += {"{": 1, "}": -1}.get(part[0], 0)
        if part[0] == "}" and not depth:
            end = part.end()
            found.append(body[start:end])
        if depth < 0 or len(found) > _MOST:
            return [body], ""
    return ([_strict(each) for each in found], around + body[end:]) if found and not depth else ([body], "")


def _strict(text: str) -> str:
    """Return an object of JavaScript or Python as JSON, any other text as it is."""
    with suppress(ValueError):
        load_json(text, deepest=MAX_DEPTH)
        return text
    return _LOOSE.sub(_part, text)


def _part(part: re.Match[str]) -> str:
    text, quoted, word = part.groups()
    if quoted is not None:
        return json.dumps(quoted.replace("\\'", "'"))
    return text.replace("\n", " ") if text else (_WORDS.get(word) or json.dumps(word) if word else "")


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text, every string in it fit to be shown and stored.

    Raises Unreadable for a text that is too large, no object, nested too deep, or that has a key twice.
    """
    try:
        data = load_json(
            clean(text).strip(), deepest=MAX_DEPTH, object_pairs_hook=_without_duplicates, parse_constant=_no_number
        )
    except NestedTooDeep as deep:
        raise Unreadable(deep.msg) from None
    except ValueError:  # not JSON, or a number with thousands of digits
        text = gettext("This JSON is incomplete or has a mistake. Copy all of it, from the first brace to the last.")
        raise Unreadable(text) from None
    if isinstance(data, list) and len(data) == 1:
        data = data[0]
    if not isinstance(data, dict):
        raise Unreadable(gettext("This JSON is not a Legion list. A list starts with a brace."))
    _check_values(data)
    return data


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Unreadable(gettext("This JSON contains the same key twice. Remove one."))
    return found


def _no_number(word: str) -> None:
    raise ValueError(word)


def _check_values(data: Any) -> None:
    """Check strings that JSON escapes can hide: control characters, lone surrogates."""
    waiting = [data]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting += [part for pair in value.items() for part in pair]
        elif isinstance(value, list):
            waiting += value
        elif isinstance(value, str):
            clean(value)


def text_value(value: Any) -> str:
    """Return a string of JSON on one line; "" for anything else."""
    return " ".join(_INVISIBLE.sub("", value).split()) if isinstance(value, str) else ""


def number_value(value: Any) -> int | None:
    """Return a whole number from 0 to MAX_NUMBER, also if written as a string; None for anything else."""
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,6}\s*", value):
        value = int(value)
    return value if type(value) is int and 0 <= value <= MAX_NUMBER else None


def list_value(value: Any) -> list[Any]:
    """Return a list of JSON; a single value as a list of one, no value as an empty list."""
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def value_shown(value: Any) -> str:
    """Return any value of JSON as text that can be shown."""
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
