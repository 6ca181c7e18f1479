"""Public pages for strangers, read from a streaming replica (`DATABASE_REPLICA_URL`) while it follows closely.

Nobody who has a session reads there, so that everybody sees at once what they have written. What is read there was
true at most MOST_BEHIND seconds before: a public link that is taken back leads nowhere that much later at the latest.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse

ALIAS = "replica"
MOST_BEHIND = 5.0  # seconds
LOOK_EVERY = 1.0  # seconds
#: Whose tables may be read there. The snapshot of the catalogue serves everybody, and what is counted must be exact.
ROOMS = ("campaign", "registers", "uploads", "accounts")
#: What may not, all the same: who has just signed in, is.
NEVER = ("accounts.Session",)

View = Callable[..., HttpResponse]

_reading: ContextVar[bool] = ContextVar("reading from the replica", default=False)


def for_strangers(view: View) -> View:
    """A view that reads from the replica, if there is one that follows, for a browser without a session.

    What the replica does not know yet, or cannot tell, the primary is asked for: the view is then called once more.
    """

    @wraps(view)
    def read(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES or not follower.follows():
            return view(request, *args, **kwargs)
        before = _reading.set(True)
        try:
            return view(request, *args, **kwargs)
        except Http404:
            pass  # its link may have been made a moment ago
        except DatabaseError:
            follower.lost()
        finally:
            _reading.reset(before)
        return view(request, *args, **kwargs)

    return read


class Router:
    """Leads the reads of such a view to the replica, and everything else to the primary."""

    def db_for_read(self, model: type[Model], **_hints: Any) -> str | None:
        """The replica, while a stranger's page is made of rows that lie there."""
        lies_there = model._meta.app_label in ROOMS and model._meta.label not in NEVER
        return ALIAS if _reading.get() and lies_there else None

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        """The primary, whichever of them a row was read from."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, _one: Model, _other: Model, **_hints: Any) -> bool:
        """Both have the same rows."""
        return True

    def allow_migrate(self, db: str, _app: str, **_hints: Any) -> bool | None:
        """The replica gets its tables from the primary."""
        return False if db == ALIAS else None


class Follower:
    """Knows how far behind the primary the replica is at most.

    Where the primary's log ended at a moment is kept as a mark: once the replica has got there, it knows all that was
    true then. Its own word on when it heard something last would be wrong while nothing is written.
    """

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._looked = self._proved = self._marked = float("-inf")
        self._mark = "0/0"

    def follows(self) -> bool:
        """Whether the replica knows all that was true MOST_BEHIND seconds ago. Asks both once in LOOK_EVERY seconds."""
        if ALIAS not in connections.settings:
            return False
        if monotonic() - self._looked >= LOOK_EVERY and self._one_at_a_time.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._one_at_a_time.release()
        return monotonic() - self._proved <= MOST_BEHIND

    def lost(self) -> None:
        """Leave the replica alone until the next look finds it well."""
        self._proved, self._looked = float("-inf"), monotonic()

    def _look(self) -> None:
        began = monotonic()
        try:
            written = _asked(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()")[0]
            now, then = _asked(
                ALIAS,
                "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn, pg_last_wal_replay_lsn() >= %s::pg_lsn",
                written,
                self._mark,
            )
        except DatabaseError:
            self.lost()
            return
        if now or then:
            self._proved = began if now else self._marked
            self._mark, self._marked = written, began
        self._looked = monotonic()


def _asked(alias: str, question: str, *said: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(question, said)
        return cursor.fetchone()


follower = Follower()
