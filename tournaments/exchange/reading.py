"""Read the file of an event: its size, its JSON, its schema."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import jsonschema_rs
from django.utils.translation import gettext as _

from rules.core.violations import RuleViolation, refuse

FORMAT = "musterbook-event"
#: The version of the format. It is raised for changes that an older Musterbook would misread.
VERSION = 1
SCHEMA = Path(__file__).parent / "schema.json"

MB = 1024**2
#: An event of 300 players with nine rounds and all army lists has 2 MB.
MOST_BYTES = 8 * MB
MOST_VALUES = 400_000

#: Held while a process reads and proves a file, which takes seconds.
_READING = Lock()
LONGEST_WAIT = 5.0  # seconds


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until no other file is read in this process. Refuses after `LONGEST_WAIT`."""
    if not _READING.acquire(timeout=LONGEST_WAIT):
        raise refuse("", _("Another event file is being read. Try again in a minute."), "file")
    try:
        yield
    finally:
        _READING.release()


@cache
def schema() -> dict[str, Any]:
    """Return the published JSON Schema of the file."""
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return loaded


def read(text: bytes) -> dict[str, Any]:
    """Return the contents of a file as the schema describes them. Refuses a file that is too large, not JSON, of
    another kind or a newer version, or with values that no event has.
    """
    if len(text) > MOST_BYTES:
        raise too_big()
    content = _parsed(text)
    _refuse_foreign(content)
    _refuse_by_schema(content)
    _refuse_unwritable(content)
    checked: dict[str, Any] = content
    return checked


def too_big() -> RuleViolation:
    """Return the refusal of a file that is too large."""
    return refuse("", _("An event file has at most %(most)d MB.") % {"most": MOST_BYTES // MB}, "file")


def _parsed(text: bytes) -> Any:
    if sum(text.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise refuse("", _("This file has more values than any event."), "file")
    try:
        return json.loads(text.decode(), parse_constant=_no_number, parse_float=_number)
    except RecursionError as deep:
        raise refuse("", _("This file is nested more deeply than any event."), "file") from deep
    except ValueError as wrong:
        sentence = _("This file is not valid JSON: %(why)s")
        raise refuse("", sentence % {"why": str(wrong)[:200]}, "file") from wrong


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


def _refuse_foreign(content: Any) -> None:
    """Refuse files of another kind or version with a clearer message than the schema's."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise refuse("", _("This is not an event exported from Musterbook."), "file")
    version = content.get("version")
    if isinstance(version, int) and version > VERSION:
        sentence = _("This file has version %(version)s; this site reads version %(known)s. Update it first.")
        raise refuse("", sentence % {"version": version, "known": VERSION}, "file")


def _refuse_by_schema(content: Any) -> None:
    """Refuse the first violation of the schema. `iter_errors` would collect all of them first."""
    try:
        _validator().validate(content)
    except jsonschema_rs.ValidationError as error:
        place = ".".join(map(str, error.instance_path)) or "file"
        text = _("%(place)s: %(what)s") % {"place": place[:100], "what": error.message[:200]}
        raise refuse("", text, "file") from None


@cache
def _validator() -> Any:
    return jsonschema_rs.validator_for(schema())


def _refuse_unwritable(content: Any) -> None:
    """Refuse characters and numbers that PostgreSQL cannot store."""
    for value in _values(content):
        if isinstance(value, str) and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
            raise refuse("", _("This file has a text with an invalid character."), "file")
        if isinstance(value, int) and abs(value) >= 2**63:
            raise refuse("", _("This file has a number that is too large."), "file")


def _values(content: Any) -> Iterator[Any]:
    rest = [content]
    while rest:
        value = rest.pop()
        if isinstance(value, dict):
            yield from value
            rest.extend(value.values())
        elif isinstance(value, list):
            rest.extend(value)
        else:
            yield value
