"""Delete accounts. What a person shares with others stays, under the name of a former player."""

from collections.abc import Callable

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts.models import User

log = structlog.get_logger(__name__)

_hooks: list[Callable[[User], None]] = []


class DeletionRefused(Exception):
    """Others still need this person. The text says for what, and what to do first."""


def before_deletion(act: Callable[[User], None]) -> None:
    """Register `act(user)`, which runs first and in the same transaction. It may raise DeletionRefused.

    Higher apps call this in `AppConfig.ready`.
    """
    _hooks.append(act)


def delete_account(*, actor: User, user: User) -> None:
    """Turn an account into a former player without a name, addresses, ways to sign in or sessions.

    The row stays, because battles and ledgers that others share refer to it. Deleting an account again changes
    nothing. Raises PermissionDenied unless people delete their own account or a superuser does it, and DeletionRefused
    while others need the person.
    """
    if actor != user and not actor.is_superuser:
        raise PermissionDenied
    with transaction.atomic():
        for act in _hooks:
            act(user)
        person = User.objects.select_for_update().get(pk=user.pk)
        if person.username == person.former_name:
            return
        close_account(person)
        person.merged.update(known_as=person.former_name)
    log.info("account deleted", user=user.pk, by=actor.pk)


def close_account(person: User) -> None:
    """Remove name, addresses, rights and ways to sign in from an account whose row is locked.

    Its sessions end with the password: Django compares a session with a hash of it on every request.
    """
    for model in (EmailAddress, Authenticator, SocialAccount):
        model.objects.filter(user=person).delete()
    person.groups.clear()
    person.user_permissions.clear()
    person.username = person.former_name
    person.first_name = person.last_name = person.email = ""
    person.last_login = None
    person.is_active = person.is_staff = person.is_superuser = False
    person.set_unusable_password()
    person.save()
