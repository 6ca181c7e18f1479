"""What keeps persons, what they type, and the keys of links out of the log.

The message of an exception quotes values: the row that was there already, the text that is no number, the address that
was called. So an error is told by its class and the lines of code that led there, which say what they raise.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator

from django.http import HttpRequest
from structlog.typing import ExcInfo

#: Django's loggers of requests that are refused before any page has seen them. They quote what was sent.
REFUSALS = "django.security."
#: So many of those that led to each other are told.
LONGEST = 5
#: What PostgreSQL names of an error that holds nothing of a row.
NAMED = ("table_name", "constraint_name")


def without_messages(exc_info: ExcInfo) -> str:
    """A traceback that quotes no value, as structlog asks for it."""
    return traceback_of(exc_info[1])


def traceback_of(error: BaseException) -> str:
    """An exception, and before it those that led to it: their lines of code and their names."""
    told = [
        f"{''.join(traceback.format_tb(each.__traceback__))}{name_of(each)}"
        for each in reversed([*_chain(error)])
    ]
    return "\nwhich led to:\n".join(told)


def name_of(error: BaseException) -> str:
    """The class of an exception; of one that the database has raised its code and the constraint, too."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    diagnosis = getattr(error, "diag", None)
    facts = [getattr(error, "sqlstate", None), *(getattr(diagnosis, key, None) for key in NAMED)]
    return " ".join([name, *filter(None, facts)])


def _chain(error: BaseException) -> Iterator[BaseException]:
    each: BaseException | None = error
    seen: set[int] = set()
    while each is not None and id(each) not in seen and len(seen) < LONGEST:
        seen.add(id(each))
        yield each
        each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)


class Discreet(logging.Filter):
    """What Django says of a request, without its address and what was sent with it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to let a line through, which may say less then."""
        request = getattr(record, "request", None)
        if record.name == "django.request" and hasattr(request, "number"):
            return False  # it has a line of its own (config.watching.requests)
        if record.name.startswith(REFUSALS) and record.exc_info and record.exc_info[1]:
            record.msg, record.args, record.exc_info = "Refused: %s", (name_of(record.exc_info[1]),), None
        elif isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            record.args = tuple("…" if arg == request.path else _reason(arg) for arg in record.args)
        return True


def _reason(said: object) -> object:
    """Why a form was refused, without the address it came from: "Origin checking failed - https://…"."""
    return said.partition(" - ")[0] if isinstance(said, str) else said
