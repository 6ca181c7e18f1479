"""Sessions in the database, as Django has them.

Each is found by a statement that is put into SQL once: every request asks for one. To sign in makes a new one and
removes the old, in one statement each.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from config.together import Together, columns, made


def _sessions(key: str, now: datetime) -> QuerySet[Session, Any]:
    return Session.objects.filter(session_key=key, expire_date__gt=now).values(*columns(Session))


_SESSION = Together({"key": str, "now": datetime}, _sessions)


class SessionStore(db.SessionStore):
    """Django's own, but for how a session is found, made and removed."""

    _is_new = False

    def _get_session_from_db(self) -> Session | None:
        [found] = _SESSION.ask(key=self.session_key, now=timezone.now())
        if found:
            return made(Session, found[0])
        self._session_key = None
        return None

    def create(self) -> None:
        """Begin a session. It is written when the request ends, once; that nobody has its key says that INSERT."""
        self._session_key = get_random_string(32, VALID_KEY_CHARS)
        self._get_session(no_load=True)  # what stands in it already stays
        self._is_new = self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Write it."""
        if self.session_key is None:
            self.create()
        super().save(must_create=must_create or self._is_new)
        self._is_new = False

    def delete(self, session_key: str | None = None) -> None:
        """Remove a session, or this one."""
        Session.objects.filter(session_key=session_key or self.session_key).delete()
