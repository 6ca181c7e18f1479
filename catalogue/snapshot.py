"""The cards of the database, kept in memory: as the Rulebook, and by what other programs call them.

Every change of a card gives the catalogue a new stamp (a trigger, so SQL by hand counts too). A process holds
the Rulebook of one stamp and asks the database for the stamp at most once every CHECK_EVERY seconds, however
many requests it serves; in between, `rulebook()` is a few comparisons. So a change is seen everywhere within a
second, and a process that made it itself sees it as soon as it is committed (`forget`). Before that only the
transaction that made it may see it, which asks for a snapshot of its own (`as_written`).

LISTEN/NOTIFY would save that one query (0.2 ms) and cost a thread and a connection in every process, a way to
notice that either has died, and it is lost behind a pooler; it also says nothing to a test, whose changes are
never committed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from time import monotonic
from uuid import UUID

from lists.formats import cards
from lists.formats.cards import CardIndex
from rules.catalogue.loader import make_rulebook
from rules.core.rulebook import Rulebook

from .models import MODELS, CatalogueState
from .rows import stored_rows

#: Seconds for which a snapshot is believed without asking.
CHECK_EVERY = 0.8


@dataclass(frozen=True, slots=True)
class _Held:
    stamp: UUID | None
    book: Rulebook
    until: float


_held: _Held | None = None
_lock, _index_lock = threading.Lock(), threading.Lock()
_own: ContextVar[_Held | None] = ContextVar("the snapshot of one transaction", default=None)


def rulebook() -> Rulebook:
    """Every card and table as the database has them now, or had them less than CHECK_EVERY seconds ago.

    The value never changes: whoever works with it through a whole request works with one catalogue.
    """
    held = _own.get() or _held
    if held is not None and monotonic() < held.until:
        return held.book
    with _lock:
        return _refreshed()


def stamp() -> UUID | None:
    """The stamp of the catalogue that `rulebook()` gives now; None for a catalogue that was never written."""
    rulebook()
    held = _own.get() or _held
    return held.stamp if held else None


@contextmanager
def as_written() -> Iterator[None]:
    """Within it `rulebook()` has the cards that this transaction has written, too.

    It is read now, and nobody else gets it: the transaction may still come to nothing, and what the process holds may
    be renewed meanwhile by a thread that cannot see them.
    """
    stamp, edition = _state()
    before = _own.set(_Held(stamp, _build(edition), until=inf))
    try:
        yield
    finally:
        _own.reset(before)


def forget() -> None:
    """Ask the database at the next call, for this process has just changed a card, or taken its change back."""
    global _held
    if (held := _held) is not None:
        _held = _Held(held.stamp, held.book, until=0)


def _refreshed() -> Rulebook:
    global _held
    now = monotonic()
    if _held is not None and now < _held.until:  # another thread was quicker
        return _held.book
    stamp, edition = _state()
    if _held is not None and _held.stamp == stamp:
        _held = _Held(stamp, _held.book, now + CHECK_EVERY)
        return _held.book
    book = _build(edition)
    while (again := _state()) != (stamp, edition):  # changed while it was read
        stamp, edition = again
        book = _build(edition)
    _held = _Held(stamp, book, now + CHECK_EVERY)
    return book


def _state() -> tuple[UUID | None, str]:
    return CatalogueState.objects.values_list("stamp", "edition").first() or (None, "")


def _build(edition: str) -> Rulebook:
    return make_rulebook(edition, {kind: stored_rows(model) for kind, model in MODELS.items()})


def card_index() -> CardIndex:
    """Every card by what other programs call it, of the catalogue that `rulebook()` gives now."""
    with _index_lock:
        return _card_index(stamp())


@lru_cache(maxsize=1)
def _card_index(_stamp: UUID | None) -> CardIndex:
    """The same for a stamp; made only where somebody brings or takes a list."""
    return cards.card_index({kind: stored_rows(model) for kind, model in MODELS.items()})
