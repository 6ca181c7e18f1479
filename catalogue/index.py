"""The cards of the database as other programs call them, kept in memory: what lists are read and written by.

Held by the catalogue's stamp, as the Rulebook is (`snapshot`), but made only where somebody brings or takes a list.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from uuid import UUID

from formats import cards
from formats.cards import CardIndex

from . import snapshot
from .models import MODELS
from .rows import stored_rows


@dataclass(frozen=True, slots=True)
class _Held:
    stamp: UUID | None
    index: CardIndex


_held: _Held | None = None
_lock = threading.Lock()


def card_index() -> CardIndex:
    """Every card by what it is called elsewhere, of the catalogue that `rulebook()` gives now."""
    global _held
    stamp = snapshot.stamp()
    with _lock:
        if _held is None or _held.stamp != stamp:
            rows = {kind: stored_rows(model) for kind, model in MODELS.items()}
            _held = _Held(stamp, cards.card_index(rows))
        return _held.index
