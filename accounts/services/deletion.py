"""Deleting an account without tearing a page out of anybody's book."""

from collections.abc import Callable

import structlog
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model

from accounts.models import Session, User
from config.together import Changes

log = structlog.get_logger(__name__)

_first: list[Callable[[User], None]] = []


class DeletionRefused(Exception):
    """Somebody is needed still. Its text is a sentence that says for what, and what to do."""


def before_deletion(act: Callable[[User], None]) -> None:
    """Let `act(user)` happen first, in the same transaction; higher apps register it in their `AppConfig.ready`.

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
    together = Changes()
    with transaction.atomic():
        for act in _first:
            act(user)
        person = User.objects.select_for_update().get(pk=user.pk)
        if person.username == person.former_name:
            together.write()
            return
        close_account(person, together)
        together.change(person.merged.all(), known_as=person.former_name)
        together.write()
    log.info("account deleted", user=user.pk, by=actor.pk)


def close_account(person: User, together: Changes) -> None:
    """Take from a locked account its name, addresses, rights, ways to sign in and sessions, once `together` is written;
    all of its row is."""
    for model, way in _GONE:
        together.remove(model._default_manager.filter(**{way: person}))
    _forget(person)
    together.update([person], *(field.name for field in User._meta.concrete_fields if not field.primary_key))


#: What is gone with an account, and by which way it is the person's.
_GONE: tuple[tuple[type[Model], str], ...] = (
    (EmailConfirmation, "email_address__user"),
    (EmailAddress, "user"),
    (Authenticator, "user"),
    (SocialToken, "account__user"),
    (SocialAccount, "user"),
    (User.groups.through, "user"),
    (User.user_permissions.through, "user"),
    (Session, "user"),
)


def _forget(person: User) -> None:
    person.username = person.former_name
    person.first_name = person.last_name = person.email = ""
    person.last_login = None
    person.is_active = person.is_staff = person.is_superuser = False
    person.set_unusable_password()
