"""Whether the rows of a Register are the sum of its ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from .models import Register
from .services.ledger import force_of, replay


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of which rows and ledger say different things ("dossiers.3.experience")."""

    field: str
    row: Any
    ledger: Any

    def __str__(self) -> str:
        return f"{self.field} is {self.row!r} in the rows, {self.ledger!r} in the ledger"


def differences(register: Register) -> Iterator[Difference]:
    """Everything in which a locked Register differs from its ledger, gaps in the ledger included."""
    entries = list(register.entries.order_by("position"))
    positions = [entry.position for entry in entries]
    if positions != list(range(1, register.position + 1)):
        yield Difference("positions", register.position, positions)
    try:
        ledger = replay(entries)
    except (KeyError, TypeError, ValueError) as error:
        yield Difference("ledger", "readable", f"not to be replayed: {error!r}")
        return
    yield from _compare("", force_of(register), ledger)


def _compare(path: str, row: Any, ledger: Any) -> Iterator[Difference]:
    if row == ledger:
        return
    if is_dataclass(row) and type(row) is type(ledger):
        for field in fields(row):
            yield from _compare(
                _join(path, field.name), getattr(row, field.name), getattr(ledger, field.name)
            )
    elif isinstance(row, Mapping) and isinstance(ledger, Mapping):
        for key in sorted({*row, *ledger}):
            yield from _compare(_join(path, key), row.get(key), ledger.get(key))
    else:
        yield Difference(path, row, ledger)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
