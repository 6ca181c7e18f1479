"""Helpers for tests against N+1: a page takes as many statements for three rows as for one."""

from collections.abc import Iterable
from typing import Any


def without_catalogue(statements: Iterable[Any]) -> list[str]:
    """Return the statements that do not read the catalogue: a process reads it once for each edition."""
    return [str(each) for each in statements if not str(each).startswith('SELECT "catalogue_')]
