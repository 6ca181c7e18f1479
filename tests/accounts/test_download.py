"""What is kept about a person."""

import json
from datetime import UTC, datetime

import pytest
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount

from accounts import queries
from accounts.models import User

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
def known(leia, address):
    """Leia, of whom everything is known."""
    address()
    Authenticator.objects.create(user=leia, type="totp", data={"secret": "hush"}, created_at=DAY)
    SocialAccount.objects.create(user=leia, provider="discord", uid="7", extra_data={"username": "leia.o"})
    User.objects.filter(pk=leia.pk).update(date_joined=DAY, first_name="Leia", last_name="Organa")
    leia.refresh_from_db()
    return leia


ACCOUNT = {
    "name": "leia",
    "first name": "Leia",
    "last name": "Organa",
    "joined": DAY,
    "last sign-in": None,
    "e-mail": [{"email": "leia@example.org", "verified": True}],
    "second factors": [{"kind": "TOTP Authenticator", "added": DAY, "last used": None}],
    "signs in by": [{"provider": "discord", "uid": "7", "extra_data": {"username": "leia.o"}}],
}


def test_all_of_the_account_and_no_secret(known):
    assert queries.data_of(known)["account"] == ACCOUNT


def test_other_rooms_add_their_part(known, monkeypatch):
    monkeypatch.setattr(queries, "_parts", {})
    queries.also_in_download("holocrons", lambda user: [user.username])

    assert queries.data_of(known) == {"account": ACCOUNT, "holocrons": ["leia"]}


def test_it_comes_as_a_file_that_nobody_keeps(client, known, monkeypatch):
    monkeypatch.setattr(queries, "_parts", {})
    client.force_login(known)

    response = client.get("/accounts/download/")

    assert {name: response.headers[name] for name in ("Content-Type", "Content-Disposition", "Cache-Control")} == {
        "Content-Type": "application/json",
        "Content-Disposition": 'attachment; filename="musterbook-leia.json"',
        "Cache-Control": "max-age=0, no-cache, no-store, must-revalidate, private",
    }
    assert json.loads(response.content)["account"]["name"] == "leia"
