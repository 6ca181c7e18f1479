"""The check of one Register: do its rows match its ledger, and is the ledger as it was written?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef

from core.sentences import said
from registers.ledger.hash_chain import ChainEntry, digest_of
from registers.ledger.session import replay_entries
from registers.models import Anchor, LedgerEntry, Register
from registers.projection import states_of
from rules.core.translation import sentences_of
from rules.core.values import Value
from rules.register.state import RegisterState

#: Sentence for each kind of difference.
SAID = sentences_of(__file__)
#: Exceptions that replaying data not written by an effect may raise.
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)


class Difference(Value):
    """A difference from what was written: a key of `SAID`, and the values for its placeholders."""

    kind: str
    facts: Mapping[str, Any]

    def __str__(self) -> str:
        return said(SAID[self.kind], self.facts)


def differences(register: Register) -> Iterator[Difference]:
    """Yield the differences between a Register (as loaded) and its ledger. Eleven queries."""
    [(_, _, found)] = audit([register])
    yield from found


def audit(registers: Collection[Register]) -> Iterator[tuple[Register, Sequence[ChainEntry], list[Difference]]]:
    """Yield Registers by primary key, each with its ledger and its differences. Eleven queries.

    Only one ledger at a time is in memory. Everything must be read at one moment: locked, or in one snapshot.
    """
    states = states_of(registers)
    proved = Anchor.objects.filter(register__in=[register.pk for register in registers])
    anchors = {anchor.register_id: anchor for anchor in proved.select_related("proof").iterator()}
    ledgers = groupby(_entries(registers), attrgetter("register_id"))
    key, entries = next(ledgers, (None, iter(())))
    for register in sorted(registers, key=attrgetter("pk")):
        own: list[ChainEntry] = []
        if key == register.pk:
            own = list(entries)
            key, entries = next(ledgers, (None, iter(())))
        found = examine(register, states.pop(register.pk), own, anchors.get(register.pk))
        yield register, own, list(found)


def _entries(registers: Collection[Register]) -> Iterator[ChainEntry]:
    entries = LedgerEntry.objects.filter(register__in=[register.pk for register in registers])
    rows = entries.order_by("register_id", "position").values_list(*ChainEntry._fields)
    return map(ChainEntry._make, rows.iterator(chunk_size=500))


def examine(
    register: Register, rows: RegisterState, entries: Sequence[ChainEntry], anchor: Anchor | None
) -> Iterator[Difference]:
    """Yield the differences between a Register and its ledger, and breaks in the ledger itself.

    `rows` is the state read from its rows, `anchor` the last entry checked before.
    """
    yield from _chained(register, entries)
    if anchor:
        yield from _anchored(entries, anchor)
    try:
        ledger = replay_entries(entries)
    except UNREADABLE as error:
        yield Difference("unreadable", {"error": repr(error)})
    else:
        yield from _compare("", rows, ledger)


def _chained(register: Register, entries: Sequence[ChainEntry]) -> Iterator[Difference]:
    """Yield gaps, and entries whose digest does not follow from the entry before."""
    # An entry that replaces one of another ledger gets position 0 here, which no entry has.
    positions: dict[int | None, int | None] = {None: None, **{each.pk: each.position for each in entries}}
    position, digest = 0, ""
    for entry in entries:
        if entry.position > position + 1:
            first, last = position + 1, entry.position - 1
            facts = {"entry": first} if first == last else {"entry": first, "last": last}
            yield Difference("missing" if first == last else "missing_some", facts)
        elif digest_of(entry, digest, positions.get(entry.undoes_id, 0)) != entry.digest:
            yield Difference("changed", {"entry": entry.position})
        position, digest = entry.position, entry.digest
    if position != register.position:
        yield Difference("counted", {"counted": register.position, "last": position})
    elif digest != register.digest:
        yield Difference("end", {})


def _anchored(entries: Sequence[ChainEntry], anchor: Anchor) -> Iterator[Difference]:
    facts = _facts(anchor)
    digests = {entry.position: entry.digest for entry in entries}
    if anchor.position not in digests:
        yield Difference("cut", facts)
    elif digests[anchor.position] != anchor.digest:
        yield Difference("rewritten", facts)


def _facts(anchor: Anchor) -> dict[str, Any]:
    return {"entry": anchor.position, "day": f"{anchor.proof.started_at:%Y-%m-%d}"}


def gone() -> Iterator[tuple[UUID, Difference]]:
    """Yield Registers (primary keys) that were checked once and no longer exist."""
    there = Register.objects.filter(pk=OuterRef("register_id"))
    for anchor in Anchor.objects.filter(~Exists(there)).select_related("proof").iterator():
        yield anchor.register_id, Difference("gone", _facts(anchor))


def _compare(path: str, row: Any, ledger: Any) -> Iterator[Difference]:
    if row == ledger:
        return
    if is_dataclass(row) and type(row) is type(ledger):
        for field in fields(row):
            yield from _compare(
                f"{path}.{field.name}".lstrip("."), getattr(row, field.name), getattr(ledger, field.name)
            )
    elif isinstance(row, Mapping) and isinstance(ledger, Mapping):
        for key in sorted({*row, *ledger}):
            yield from _compare(f"{path}.{key}".lstrip("."), row.get(key), ledger.get(key))
    else:
        yield Difference("row", {"field": path, "row": repr(row), "ledger": repr(ledger)})
