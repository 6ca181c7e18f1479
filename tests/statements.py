"""What the statements of a page are: how many, against N+1, and whether one of them writes."""

from collections.abc import Iterable
from typing import Any


def without_catalogue(statements: Iterable[Any]) -> list[str]:
    """Return the statements that do not read the catalogue: a process reads it once for each edition."""
    return [str(each) for each in statements if not str(each).startswith('SELECT "catalogue_')]


#: How statements begin that change no row.
READING = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "SET ", "LOCK", "DECLARE", "FETCH", "CLOSE")


def may_write(statement: object) -> bool:
    """Return whether a statement may change a row or a sequence."""
    return not str(statement).startswith(READING) or "setval" in str(statement)
