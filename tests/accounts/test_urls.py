"""Signing up, in and out, as a player does it."""

import pytest

from accounts.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a-field-of-poppies"


@pytest.fixture
def leia():
    return User.objects.create_user("leia", password=PASSWORD)


def signed_in(client):
    return client.session.get("_auth_user_id")


def test_sign_up_asks_for_a_name_and_a_password_and_signs_in(client):
    answers = {"username": "leia", "password1": PASSWORD, "password2": PASSWORD}

    response = client.post("/accounts/signup/", answers)

    user = User.objects.get()
    assert (response.status_code, response.url) == (302, "/")
    assert (user.username, user.email, signed_in(client)) == ("leia", "", str(user.pk))


def test_sign_up_keeps_a_mail_address_that_is_given(client):
    answers = {"username": "leia", "email": "leia@example.org", "password1": PASSWORD, "password2": PASSWORD}

    client.post("/accounts/signup/", answers)

    assert User.objects.values_list("username", "email").get() == ("leia", "leia@example.org")


def test_sign_up_refuses_a_name_that_is_taken_in_other_letters(client, leia):
    answers = {"username": "LEIA", "password1": PASSWORD, "password2": PASSWORD}

    response = client.post("/accounts/signup/", answers)

    assert response.context["form"].errors == {"username": ["A user with that username already exists."]}
    assert User.objects.count() == 1


def test_sign_in_leads_to_the_page_that_asked_for_it(client, leia):
    asked = client.get("/admin/")

    response = client.post("/accounts/login/?next=/admin/", {"login": "leia", "password": PASSWORD})

    assert (asked.status_code, asked.url) == (302, "/admin/login/?next=/admin/")
    assert (response.status_code, response.url, signed_in(client)) == (302, "/admin/", str(leia.pk))


def test_sign_in_refuses_a_wrong_password(client, leia):
    response = client.post("/accounts/login/", {"login": "leia", "password": "an-asteroid-field"})

    assert response.context["form"].errors == {
        "__all__": ["The username and/or password you specified are not correct."]
    }
    assert signed_in(client) is None


def test_sign_in_is_refused_after_five_failures_in_five_minutes(client, leia):
    for _ in range(5):
        client.post("/accounts/login/", {"login": "leia", "password": "an-asteroid-field"})

    response = client.post("/accounts/login/", {"login": "leia", "password": PASSWORD})

    assert signed_in(client) is None
    assert response.context["form"].errors == {"__all__": ["Too many failed login attempts. Try again later."]}


def test_sign_out_leads_to_the_sign_in_page(client, leia):
    client.force_login(leia)

    response = client.post("/accounts/logout/")

    assert (response.status_code, response.url, signed_in(client)) == (302, "/accounts/login/", None)


def test_a_stranger_is_asked_to_sign_in(client):
    response = client.get("/registers/new/")

    assert (response.status_code, response.url) == (302, "/accounts/login/?next=/registers/new/")


@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/signup/"])
def test_a_stranger_may_see(client, address):
    assert client.get(address).status_code == 200
