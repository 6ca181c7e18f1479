"""The hash chain of a ledger. Each entry has a digest of itself and the entry before it, which reveals tampering."""

import json
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from registers.models import LedgerEntry

#: Fields that the database may return in another form than they were written (key types, tuples).
AS_JSON = ("effects", "answers", "rolled_by_hand")


class ChainEntry(NamedTuple):
    """A ledger entry as a tuple of the columns that checks need, since they read millions of rows."""

    pk: int
    register_id: UUID
    position: int
    place: int
    act: str
    actor_id: int | None
    on_behalf_of_id: int | None
    battle: str
    step: int | None
    effects: list[dict[str, Any]]
    answers: list[Any]
    rolled_by_hand: list[Any]
    reason: str
    undoes_id: int | None
    created_at: datetime
    digest: str


def normalized(entry: LedgerEntry) -> None:
    """Convert a new entry to the form in which the database returns it, so that its digest holds for both."""
    for name in AS_JSON:
        setattr(entry, name, json.loads(json.dumps(getattr(entry, name))))


def digest_of(entry: LedgerEntry | ChainEntry, before: str, undoes: int | None = None) -> str:
    """Return the digest of an entry, 64 hexadecimal letters: SHA-256 over its canonical JSON.

    `before` is the digest of the entry before it, `undoes` the position of the entry it undoes or replaces.
    """
    sentences = [
        before, str(entry.register_id), entry.position, entry.place, entry.act, entry.actor_id,
        entry.on_behalf_of_id, entry.battle, entry.step, entry.effects, entry.answers, entry.rolled_by_hand,
        entry.reason, undoes, entry.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
    ]  # fmt: skip
    canonical = json.dumps(sentences, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(canonical.encode()).hexdigest()
