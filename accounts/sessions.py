"""Sessions in the database, as Django has them.

Each is found by a statement that is put into SQL once: every request asks for one.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from config.together import Together, columns, made


def _sessions(key: str, now: datetime) -> QuerySet[Session, Any]:
    return Session.objects.filter(session_key=key, expire_date__gt=now).values(*columns(Session))


_SESSION = Together({"key": str, "now": datetime}, _sessions)


class SessionStore(db.SessionStore):
    """Django's own, but for how a session is found."""

    def _get_session_from_db(self) -> Session | None:
        [found] = _SESSION.ask(key=self.session_key, now=timezone.now())
        if found:
            return made(Session, found[0])
        self._session_key = None
        return None
