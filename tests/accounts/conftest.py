"""People, and a browser's memory of none of them."""

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache

from accounts.models import User

PASSWORD = "a-field-of-poppies"


@pytest.fixture(autouse=True)
def no_attempts_yet(request):
    """Forget what other tests were limited for: a browser test leaves its rows in the cache's table."""
    if "db" in request.fixturenames or "transactional_db" in request.fixturenames:
        request.getfixturevalue("db")
        cache.clear()


@pytest.fixture(autouse=True)
def library_looks_twice(settings):
    """Allow what allauth and the admin do: they look the one user up again, and each address of that user."""
    looked_up = ("accounts.User", "account.EmailAddress", "mfa.Authenticator")
    settings.ZEAL_ALLOWLIST = [*settings.ZEAL_ALLOWLIST, *({"model": model, "field": "*"} for model in looked_up)]


@pytest.fixture
def leia(db):
    return User.objects.create_user("leia", password=PASSWORD)


@pytest.fixture
def address(leia):
    """Return a function that gives Leia an address."""

    def give(email="leia@example.org", *, verified=True, user=leia):
        user.email = email
        user.save()
        return EmailAddress.objects.create(user=user, email=email, verified=verified, primary=True)

    return give
