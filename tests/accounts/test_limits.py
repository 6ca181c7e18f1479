"""How often one may try, counted for all workers together."""

import time

import pytest
from django.conf import settings
from django.core import mail
from django.db import connection
from django.test import Client

from accounts import adapters
from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.at_once import at_once

pytestmark = pytest.mark.django_db


def rows():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM cache")
        return cursor.fetchone()[0]


@pytest.mark.parametrize(
    ("address", "answers"),
    [
        ("/accounts/login/", {"login": "leia", "password": "an-asteroid-field"}),
        ("/accounts/signup/", {"username": ""}),
        ("/accounts/password/reset/", {"email": "leia@example.org"}),
        ("/join/a-guess/", {}),
    ],
)
def test_what_is_counted_lies_in_the_database_that_all_workers_share(client, leia, address, answers):
    before = rows()

    client.post(address, answers)

    assert settings.CACHES["default"]["BACKEND"] == "django.core.cache.backends.db.DatabaseCache"
    assert (before, rows() > 0) == (0, True)


def statuses(client, times, address, answers):
    return [client.post(address, answers(number)).status_code for number in range(times)]


def test_signing_in(client, leia):
    found = statuses(client, 31, "/accounts/login/", lambda number: {"login": f"leia{number}", "password": "wrong"})

    assert found == [200] * 30 + [429]


def test_signing_up(client):
    found = statuses(client, 21, "/accounts/signup/", lambda _: {"username": "", "password1": PASSWORD})

    assert found == [200] * 20 + [429]


def test_asking_for_a_link(client):
    found = statuses(client, 6, "/accounts/password/reset/", lambda _: {"email": "leia@example.org"})

    assert (found, len(mail.outbox)) == ([302] * 5 + [429], 5)


def test_a_password_asked_for_once_more(client, leia):
    client.force_login(leia)

    found = statuses(client, 11, "/accounts/delete/", lambda _: {"password": "wrong"})

    assert (found[0], found[-1]) == (422, 429)


def test_too_often_is_a_page_of_ours(client):
    for _ in range(5):
        client.post("/accounts/password/reset/", {"email": "leia@example.org"})

    response = client.post("/accounts/password/reset/", {"email": "leia@example.org"})

    assert (response.status_code, response.templates[0].name) == (429, "429.html")


def test_the_admin_has_no_sign_in_of_its_own_to_try_passwords_at(client, leia):
    leia.is_staff = leia.is_superuser = True
    leia.save()

    response = client.post("/admin/login/?next=/admin/", {"username": "leia", "password": PASSWORD})

    assert (response.status_code, response.url) == (302, "/accounts/login/?next=%2Fadmin%2F")
    assert "_auth_user_id" not in client.session


def test_whoever_guesses_for_the_admin_is_stopped_too(client, leia):
    leads_to = client.post("/admin/login/?next=/admin/", {"username": "leia", "password": "wrong"}).url

    found = statuses(client, 31, leads_to, lambda number: {"login": f"root{number}", "password": "wrong"})

    assert found == [200] * 30 + [429]
    assert client.post(leads_to, {"login": "leia", "password": PASSWORD}).status_code == 429


def test_the_admin_is_closed_to_players(client, leia):
    client.force_login(leia)

    assert client.get("/admin/login/").status_code == 403


def test_ours_count_each_for_themselves_and_only_what_was_not_long_ago(rf, leia, monkeypatch, settings):
    settings.ACCOUNT_RATE_LIMITS = {"print": "2/h/user"}
    clock = time.time()
    monkeypatch.setattr(time, "time", lambda: clock)
    ben = User.objects.create_user("ben", password=PASSWORD)

    def tried(user, **more):
        request = rf.get("/")
        request.user = user
        return adapters.too_often(request, "print", **more) is None

    assert [tried(leia, counts=False) for _ in range(3)] == [True] * 3
    assert [tried(leia), tried(leia, counts=False)] == [True, True]
    clock += 1800
    assert [tried(leia), tried(leia), tried(leia, counts=False), tried(ben)] == [True, False, False, True]
    clock += 1801
    assert [tried(leia, counts=False), tried(leia), tried(leia)] == [True, True, False]
    assert rows() == 2


@pytest.mark.django_db(transaction=True)
def test_of_several_who_try_at_once_as_many_as_may(rf, leia, settings):
    settings.ACCOUNT_RATE_LIMITS = {"print": "2/h/user"}

    def tries():
        request = rf.get("/")
        request.user = leia
        return adapters.too_often(request, "print") is None

    assert sorted(at_once(*[tries] * 5)) == [False] * 3 + [True] * 2


def test_who_knows_the_password_uses_nothing_up(client, leia):
    """What allauth forgets after a sign-in is forgotten here, too."""
    found = []
    for _ in range(12):
        client.post("/accounts/login/", {"login": "leia", "password": "wrong"}) if len(found) % 4 == 0 else None
        found.append(client.post("/accounts/login/", {"login": "leia", "password": PASSWORD}).status_code)
        client.post("/accounts/logout/")

    assert found == [302] * 12


class TestWrongPasswords:
    """Whoever does not know a password must not keep its owner out."""

    def tries(self, name: str, password: str, address: str) -> str:
        """Try to sign in from an address; return what came of it."""
        browser = Client(REMOTE_ADDR=address)
        answer = browser.post("/accounts/login/", {"login": name, "password": password})
        if answer.status_code == 302:
            return "in"
        return "too often" if "Too many" in answer.text else "wrong"

    def test_from_one_address_keep_nobody_out_elsewhere(self, leia):
        found = [self.tries("leia", "wrong", "192.0.2.1") for _ in range(6)]
        assert found == ["wrong"] * 5 + ["too often"]
        assert self.tries("leia", PASSWORD, "192.0.2.1") == "too often"
        assert self.tries("leia", PASSWORD, "198.51.100.7") == "in"

    def test_a_name_in_other_letters_is_the_same_name(self, leia):
        for name in ("leia", "LEIA", "Leia", "ｌｅｉａ", "leia"):
            self.tries(name, "wrong", "192.0.2.1")
        assert self.tries("leia", PASSWORD, "192.0.2.1") == "too often"

    def test_neighbours_in_a_network_of_ipv6_are_one_address(self, leia):
        for number in range(5):
            self.tries("leia", "wrong", f"2001:db8::{number}")
        assert self.tries("leia", PASSWORD, "2001:db8::77") == "too often"
        assert self.tries("leia", PASSWORD, "2001:db8:0:1::77") == "in"

    def test_from_very_many_addresses_do_keep_a_name_out(self, leia, settings):
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"wrong_password": "20/h/key"}
        for number in range(20):
            assert self.tries("leia", "wrong", f"192.0.2.{number}") == "wrong"
        assert self.tries("leia", PASSWORD, "198.51.100.7") == "too often"

    def test_by_name_alone_is_far_higher_than_by_address_and_name(self):
        assert settings.ACCOUNT_RATE_LIMITS["wrong_password"] == "200/h/key"

    def test_of_one_address_count_no_more_for_the_name_once_it_is_refused(self, leia, settings):
        """Else one address would reach the limit of the name."""
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"wrong_password": "6/h/key"}
        for _ in range(9):
            self.tries("leia", "wrong", "192.0.2.1")
        assert self.tries("leia", PASSWORD, "198.51.100.7") == "in"

    def test_the_right_password_uses_nothing_up(self, leia, settings):
        settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"wrong_password": "3/h/key"}
        assert [self.tries("leia", PASSWORD, "192.0.2.1") for _ in range(12)] == ["in"] * 12
