"""Sessions in the database, as Django has them.

Each is found by a statement that is put into SQL once: every request asks for one.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.db.models.functions import Now

from config.together import Together, columns, made


def _sessions(key: str) -> QuerySet[Session, Any]:
    return Session.objects.filter(session_key=key, expire_date__gt=Now()).values(*columns(Session))


_SESSION = Together({"key": str}, _sessions)


class SessionStore(db.SessionStore):
    """Django's own, but for how a session is found."""

    def _get_session_from_db(self) -> Session | None:
        [found] = _SESSION.ask(key=self.session_key)
        if found:
            return made(Session, found[0])
        self._session_key = None
        return None
