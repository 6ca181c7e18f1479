"""What the account page knows."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.socialaccount.models import SocialAccount

from accounts.queries import profile_of

pytestmark = pytest.mark.django_db


def test_a_name_and_a_password(leia):
    assert profile_of(leia) == {
        "verified": "",
        "pending": "",
        "authenticator_app": False,
        "passkeys": 0,
        "recovery_codes": 0,
        "connections": 0,
    }


def test_everything(leia, address, django_assert_num_queries):
    address()
    leia.emailaddress_set.create(email="general@example.org")
    RecoveryCodes.activate(leia)
    for kind in ("totp", "webauthn", "webauthn"):
        Authenticator.objects.create(user=leia, type=kind, data={})
    SocialAccount.objects.create(user=leia, provider="discord", uid="7")

    with django_assert_num_queries(3):
        found = profile_of(leia)

    assert found == {
        "verified": "leia@example.org",
        "pending": "general@example.org",
        "authenticator_app": True,
        "passkeys": 2,
        "recovery_codes": 10,
        "connections": 1,
    }
