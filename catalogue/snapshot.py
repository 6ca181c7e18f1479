"""The cards of the database, kept in memory: as the Rulebook, and by their names in other programs.

Every change of a card gives the catalogue a new stamp (by trigger, so plain SQL counts too). A process keeps the
Rulebook of one stamp and asks the database for the stamp at most once every CHECK_EVERY seconds, however many requests
it serves. In between, `rulebook()` costs a few comparisons. So every process sees a change within a second, and the
process that made it sees it right after the commit (`forget`). Before the commit only the transaction that made the
change may see it, with its own snapshot (`as_written`).

LISTEN/NOTIFY would save that one query (0.2 ms). It would cost a thread and a connection in every process and a way to
notice that either has died; it does not work behind a pooler, or in tests, whose changes are never committed.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import lru_cache
from math import inf
from time import monotonic
from uuid import UUID

from django.utils import timezone

from lists.formats import cards
from lists.formats.cards import CardIndex
from rules.catalogue.loader import make_rulebook
from rules.core.rulebook import Rulebook
from rules.core.values import Value

from .models import MODELS, CatalogueState
from .rows import stored_rows

#: Seconds for which a snapshot is used without asking the database.
CHECK_EVERY = 0.8


class _Held(Value):
    stamp: UUID | None
    book: Rulebook
    until: float


_held: _Held | None = None
_lock, _index_lock = threading.Lock(), threading.Lock()
_own: ContextVar[_Held | None] = ContextVar("the snapshot of one transaction", default=None)


def rulebook() -> Rulebook:
    """Return every card and table as the database has them now, or had them less than CHECK_EVERY seconds ago.

    The value never changes: a request that keeps it works with one catalogue throughout.
    """
    held = _own.get() or _held
    if held is not None and monotonic() < held.until:
        return held.book
    with _lock:
        return _refreshed()


def stamp() -> UUID | None:
    """Return the stamp of the catalogue that `rulebook()` gives now; None for a catalogue that was never written."""
    rulebook()
    held = _own.get() or _held
    return held.stamp if held else None


@contextmanager
def as_written() -> Iterator[None]:
    """Let `rulebook()` include the cards that this transaction has written.

    The snapshot is read now and only for this transaction, which may still be rolled back. The process keeps its own,
    which another thread may renew in the meantime.
    """
    stamp, edition = _state()
    before = _own.set(_Held(stamp, _build(edition), until=inf))
    try:
        yield
    finally:
        _own.reset(before)


def forget() -> None:
    """Ask the database at the next call, because this process has just changed a card or undone its change."""
    global _held
    if (held := _held) is not None:
        _held = _Held(held.stamp, held.book, until=0)


def _refreshed() -> Rulebook:
    global _held
    now = monotonic()
    if _held is not None and now < _held.until:  # another thread was faster
        return _held.book
    stamp, edition = _state()
    if _held is not None and _held.stamp == stamp:
        book = _held.book if _held.book.today == _today() else replace(_held.book, today=_today())
        _held = _Held(stamp, book, now + CHECK_EVERY)
        return book
    book = _build(edition)
    while (again := _state()) != (stamp, edition):  # changed during the read
        stamp, edition = again
        book = _build(edition)
    _held = _Held(stamp, book, now + CHECK_EVERY)
    return book


def _state() -> tuple[UUID | None, str]:
    return CatalogueState.objects.values_list("stamp", "edition").first() or (None, "")


def _build(edition: str) -> Rulebook:
    book = make_rulebook(edition, {kind: stored_rows(model) for kind, model in MODELS.items()})
    return replace(book, today=_today())


def _today() -> str:
    """Return the day by which releases are judged: that of the site's time zone."""
    return timezone.localdate(timezone=timezone.get_default_timezone()).isoformat()


def card_index() -> CardIndex:
    """Return every card by its names in other programs, from the catalogue that `rulebook()` gives now."""
    with _index_lock:
        return _card_index(stamp())


@lru_cache(maxsize=1)
def _card_index(_stamp: UUID | None) -> CardIndex:
    """Return the card index for a stamp; it is built only when a list is imported or exported."""
    return cards.card_index({kind: stored_rows(model) for kind, model in MODELS.items()})
