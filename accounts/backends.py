"""Who signs in, by name or by address, as Django and allauth know them.

The user of a session is found along with it (`accounts.sessions`); of one that does not say whose it is, and where
somebody asks again, by a statement that is put into SQL once.
"""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet

from config.together import Together, columns, made

from .models import User
from .sessions import read_along


def _users(user: int) -> QuerySet[User, Any]:
    return User.objects.filter(pk=user).values(*columns(User))


_USER = Together({"user": int}, _users)


class _Found(ModelBackend):
    def get_user(self, user_id: int) -> User | None:
        """The user with that key, if they may sign in."""
        user = read_along(user_id)
        if user is None:
            [found] = _USER.ask(user=user_id)
            user = made(User, found[0]) if found else None
        return user if self.user_can_authenticate(user) else None


class ByName(_Found):
    """Signing in by name, as the admin does."""


class ByAddress(_Found, AuthenticationBackend):
    """Signing in by name or by a confirmed address."""
