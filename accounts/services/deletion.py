"""Deleting an account without tearing a page out of anybody's book."""

from collections.abc import Callable

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts.models import User

log = structlog.get_logger(__name__)

_first: list[Callable[[User], None]] = []


class DeletionRefused(Exception):
    """Somebody is needed still. Its text is a sentence that says for what, and what to do."""


def before_deletion(act: Callable[[User], None]) -> None:
    """Let `act(user)` happen first, in the same transaction; rooms above name it in their `AppConfig.ready`.

    It may raise DeletionRefused, and then nothing has happened.
    """
    _first.append(act)


def delete_account(*, actor: User, user: User) -> None:
    """Make a former player of a person: name, addresses, ways to sign in and sessions are gone.

    The row stays, because battles and ledgers that others share point at it and keep their numbers. Doing it
    again changes nothing. Raises PermissionDenied unless it is one's own account, or a superuser does it, and
    DeletionRefused while others need the person.
    """
    if actor != user and not actor.is_superuser:
        raise PermissionDenied
    with transaction.atomic():
        for act in _first:
            act(user)
        person = User.objects.select_for_update().get(pk=user.pk)
        if person.username == person.former_name:
            return
        close_account(person)
        person.merged.update(known_as=person.former_name)
    log.info("account deleted", user=user.pk, by=actor.pk)


def close_account(person: User) -> None:
    """Take from a locked account its name, addresses, rights, ways to sign in and sessions."""
    for model in (EmailAddress, Authenticator, SocialAccount):
        model._default_manager.filter(user=person).delete()
    person.groups.clear()
    person.user_permissions.clear()
    _forget(person)
    _end_sessions(person)


def _forget(person: User) -> None:
    person.username = person.former_name
    person.first_name = person.last_name = person.email = ""
    person.last_login = None
    person.is_active = person.is_staff = person.is_superuser = False
    person.set_unusable_password()
    person.save()


def _end_sessions(person: User) -> None:
    """Sessions name their user inside what is encoded, so all are read. It is a rare act in a small house."""
    theirs = [
        session.pk
        for session in Session.objects.iterator()
        if session.get_decoded().get(SESSION_KEY) == str(person.pk)
    ]
    Session.objects.filter(pk__in=theirs).delete()
