"""What the account page shows."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from .models import User


@dataclass(frozen=True)
class Profile:
    """How somebody can be reached and signs in."""

    verified: str  # the address that counts, or ""
    pending: str  # the one whose link nobody has opened yet, or ""
    authenticator_app: bool
    passkeys: int
    recovery_codes: int  # not used yet
    connections: int  # Discord accounts


def profile_of(user: User) -> Profile:
    """Return it in three queries."""
    addresses = {address.verified: address.email for address in EmailAddress.objects.filter(user=user)}
    authenticators = list(Authenticator.objects.filter(user=user))
    kinds = [each.type for each in authenticators]
    return Profile(
        verified=addresses.get(True, ""),
        pending=addresses.get(False, ""),
        authenticator_app=Authenticator.Type.TOTP in kinds,
        passkeys=kinds.count(Authenticator.Type.WEBAUTHN),
        recovery_codes=sum(
            len(each.wrap().get_unused_codes())
            for each in authenticators
            if each.type == Authenticator.Type.RECOVERY_CODES
        ),
        connections=SocialAccount.objects.filter(user=user).count(),
    )
