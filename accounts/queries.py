"""Personal data for the account page and for download. Higher apps add their parts."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry

from .hooks import REGISTERED
from .models import User


def profile_of(user: User) -> dict[str, Any]:
    """Return a user's addresses and ways to sign in, in three queries.

    `pending` is an address whose link nobody has opened yet, `connections` counts accounts elsewhere.
    """
    addresses = {address.verified: address.email for address in EmailAddress.objects.filter(user=user)}
    authenticators = list(Authenticator.objects.filter(user=user))
    kinds = [each.type for each in authenticators]
    return {
        "verified": addresses.get(True, ""),
        "pending": addresses.get(False, ""),
        "authenticator_app": Authenticator.Type.TOTP in kinds,
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "recovery_codes": sum(
            len(each.wrap().get_unused_codes())
            for each in authenticators
            if each.type == Authenticator.Type.RECOVERY_CODES
        ),
        "connections": SocialAccount.objects.filter(user=user).count(),
    }


def data_of(user: User) -> dict[str, Any]:
    """Return all data about a user, by app. Secrets (password, keys, codes) are left out."""
    account = {
        "name": user.username,
        "first name": user.first_name,
        "last name": user.last_name,
        "joined": user.date_joined,
        "last sign-in": user.last_login,
        "e-mail": list(EmailAddress.objects.filter(user=user).values("email", "verified")),
        "second factors": [
            {"kind": str(each), "added": each.created_at, "last used": each.last_used_at}
            for each in Authenticator.objects.filter(user=user).order_by("created_at")
        ],
        "signs in by": list(SocialAccount.objects.filter(user=user).values("provider", "uid", "extra_data")),
        "in the admin": list(LogEntry.objects.filter(user=user).order_by("pk").values("action_time", "object_repr")),
    }
    return {"account": account} | {each.name: each.download(user) for each in REGISTERED if each.download}
