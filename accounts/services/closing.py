"""Close accounts: delete one, or merge it into another. What a person shares with others stays."""

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import PermissionDenied
from django.db import transaction

from accounts.hooks import REGISTERED
from accounts.models import User

log = structlog.get_logger(__name__)


class DeletionRefused(Exception):
    """Others still need this person. The text says for what, and what to do first."""


def delete_account(*, actor: User, user: User) -> None:
    """Turn an account into a former player without a name, addresses, ways to sign in or sessions.

    The row stays, because battles and ledgers that others share refer to it. Deleting an account again changes
    nothing. Raises PermissionDenied unless people delete their own account or a superuser does it, and DeletionRefused
    while others need the person.
    """
    if actor != user and not actor.is_superuser:
        raise PermissionDenied
    with transaction.atomic():
        for each in REGISTERED:
            each.deletion(user)
        person = User.objects.select_for_update().get(pk=user.pk)
        if person.username == person.former_name:
            return
        person.known_as = ""  # a placeholder account is shown under the name it was given
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


def merge_preview(gone: User) -> list[str]:
    """Return what apps have registered of what another account would get from `gone`."""
    return [line for each in REGISTERED for line in each.preview(gone)]


def merge_accounts(*, actor: User, gone: User, into: User) -> None:
    """Give `into` everything that belongs to `gone`, and close `gone`.

    The row of `gone` stays, because ledgers refer to it, and is shown under the name of `into`. Merging the same
    accounts again changes nothing. The caller decides who may do this. Raises ValueError for an account with itself,
    and for one that is closed.
    """
    with transaction.atomic():
        for each in REGISTERED:
            each.merging(gone, into)
        users = User.objects.select_for_update(no_key=True).filter(pk__in=(gone.pk, into.pk)).order_by("pk")
        locked = {user.pk: user for user in users}
        old, left = locked[gone.pk], locked[into.pk]
        if old.merged_into_id == left.pk:
            return
        if old == left or not left.is_active or old.merged_into_id:
            raise ValueError(f"{gone.pk} cannot be merged into {into.pk}")
        old.merged_into, old.known_as = left, left.get_username()
        close_account(old)
        old.merged.update(merged_into=left, known_as=left.get_username())
    log.info("accounts merged", gone=gone.pk, into=into.pk, by=actor.pk)
