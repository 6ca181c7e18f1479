"""Read JSON files that people send: of a known format and version, within its schema, and nothing that the database
cannot store.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from django.utils.translation import gettext as _

from rules.core.json_text import NestedTooDeep, load_json
from rules.core.values import Value
from rules.core.violations import refuse

#: Held while a process reads a file, which takes seconds and a lot of memory.
_READING = Lock()
LONGEST_WAIT = 5.0  # seconds


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Wait until no other file is read in this process. Refuses after `LONGEST_WAIT`."""
    if not _READING.acquire(timeout=LONGEST_WAIT):
        raise refuse("", _("Another file is being read. Try again in a minute."), "file")
    try:
        yield
    finally:
        _READING.release()


class JSONFormat(Value):
    """A format of files: its name and highest version, its JSON Schema, and the most values of a file. `part` is the
    name of the JSON in what was sent. `foreign` returns the sentence about a file of another kind.
    """

    name: str
    version: int
    schema: Callable[[], dict[str, Any]]
    most_values: int
    part: str
    foreign: Callable[[], str]

    def read(self, text: bytes) -> dict[str, Any]:
        """Return the contents of a file as the schema describes them. Refuses what is not JSON, of another kind or a
        newer version, and values that the schema or the database does not take.
        """
        content = self._parsed(text)
        self._refuse_foreign(content)
        _refuse_unwritable(content)  # first: the schema's validator fails on half a surrogate
        self._refuse_by_schema(content)
        checked: dict[str, Any] = content
        return checked

    def _parsed(self, text: bytes) -> Any:
        if sum(text.count(mark) for mark in (b",", b"[", b"{")) > self.most_values:
            raise refuse("", _("This file has more values than Musterbook reads."), "file")
        try:
            return load_json(text.decode(), parse_constant=_no_number, parse_float=_number)
        except NestedTooDeep as deep:
            raise refuse("", deep.msg, "file") from deep
        except ValueError as wrong:
            sentence = _("This file is not valid JSON: %(why)s")
            raise refuse("", sentence % {"why": str(wrong)[:200]}, "file") from wrong

    def _refuse_foreign(self, content: Any) -> None:
        """Refuse files of another kind or version with a clearer sentence than the schema's."""
        if not isinstance(content, dict) or content.get("format") != self.name:
            raise refuse("", self.foreign(), "file")
        version = content.get("version")
        if isinstance(version, int) and version > self.version:
            text = _("This file has version %(version)s; this site reads version %(known)s. Update the site first.")
            raise refuse("", text % {"version": version, "known": self.version}, "file")

    def _refuse_by_schema(self, content: Any) -> None:
        """Refuse the first violation of the schema. `iter_errors` would build all of them first: gigabytes."""
        import jsonschema_rs  # lazy: rare

        try:
            _validator(self.schema).validate(content)
        except jsonschema_rs.ValidationError as error:
            place = ".".join(map(str, error.instance_path))[:100] or self.part
            raise refuse("", f"{place}: {error.message[:200]}", "file") from None


@cache
def _validator(schema: Callable[[], dict[str, Any]]) -> Any:
    import jsonschema_rs  # lazy: rare

    return jsonschema_rs.validator_for(schema())


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _number(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_number(text)


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
