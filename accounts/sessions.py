"""Sessions in the database, as Django has them.

Every request asks for its session and then for the user: one statement finds both, and is put into SQL once. To sign in
makes a session, removes the one before and writes when that was: one statement, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import VALID_KEY_CHARS, CreateError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import Session, User
from config.together import Changes, Together, columns, made, made_if_any


def _sessions(key: str, now: datetime) -> QuerySet[Session, Any]:
    both = columns(Session), columns(User, "user__")
    return Session.objects.filter(session_key=key, expire_date__gt=now).values(*both[0], *both[1])


_SESSION = Together({"key": str, "now": datetime}, _sessions)

#: Whose the session is that was read last, until somebody asks: Django asks a backend for a user by the key alone.
_whose: ContextVar[User | None] = ContextVar("whose the session is", default=None)


def read_along(key: int) -> User | None:
    """The user with that key, if the session that was read last is theirs; once."""
    user = _whose.get()
    forget()
    return user if user and user.pk == key else None


def forget() -> None:
    """Whoever was read with a session is not known any more: a request is over."""
    _whose.set(None)


class SessionStore(db.SessionStore):
    """Django's own, but for how a session is found, made and removed."""

    #: When somebody signed in, if it was by this request (`staying.signs_in`); the session is written after it.
    signed_in: datetime | None = None

    def __init__(self, session_key: str | None = None) -> None:
        super().__init__(session_key)
        self._is_new = False
        self._before: set[str] = set()

    @classmethod
    def get_model_class(cls) -> type[Session]:
        """Ours, which says whose a session is."""
        return Session

    def _get_session_from_db(self) -> Session | None:
        forget()
        [found] = _SESSION.ask(key=self.session_key, now=timezone.now())
        if found:
            _whose.set(made_if_any(User, found[0], "user__"))
            return made(Session, found[0])
        self._session_key = None
        return None

    def create_model_instance(self, data: Mapping[str, Any]) -> Session:
        """The row as it is to be written."""
        row: Session = super().create_model_instance(data)
        row.user_id = User._meta.pk.to_python(data.get(SESSION_KEY))
        return row

    def create(self) -> None:
        """Begin a session. It is written when the request ends, once; that nobody has its key says that INSERT."""
        self._session_key = get_random_string(32, VALID_KEY_CHARS)
        self._get_session(no_load=True)  # what stands in it already stays
        self._is_new = self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Write it."""
        if self.session_key is None:
            self.create()
        if self._is_new or must_create:
            self._write_new()
        else:
            super().save()
            if self.signed_in:  # who was signed in already has done so once more
                User.objects.filter(pk=self[SESSION_KEY]).update(last_login=self.signed_in)
                self.signed_in = None

    def delete(self, session_key: str | None = None) -> None:
        """Remove a session, or this one: at once, or along with the one that is begun instead of it."""
        key = session_key or self.session_key
        if self._is_new and key != self.session_key:
            self._before.add(key)
        else:
            Session.objects.filter(pk__in=self._before | {key} - {None}).delete()
            self._before = set()

    def _write_new(self) -> None:
        row, together = self.create_model_instance(self._get_session(no_load=True)), Changes()
        together.remove(Session.objects.filter(pk__in=self._before))
        if self.signed_in:
            together.change(User.objects.filter(pk=row.user_id), last_login=self.signed_in)
        together.insert(row)
        try:
            with transaction.atomic():
                together.write()
        except IntegrityError as error:
            raise CreateError from error
        self._is_new, self._before, self.signed_in = False, set(), None
