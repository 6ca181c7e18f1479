"""The account page, and leaving."""

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import SESSION_KEY

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.html import html_of

pytestmark = pytest.mark.django_db
OWN = ["/accounts/", "/accounts/download/", "/accounts/delete/"]


@pytest.mark.parametrize("address", OWN)
def test_a_stranger_is_asked_to_sign_in(client, address):
    response = client.get(address)

    assert (response.status_code, response.url) == (302, f"/accounts/login/?next={address}")


@pytest.mark.parametrize(("address", "answer"), list(zip(OWN, [405, 405, 422], strict=True)))
def test_what_is_posted_without_need_changes_nothing(client, leia, address, answer):
    client.force_login(leia)

    assert client.post(address).status_code == answer
    assert list(User.objects.values_list("username")) == [("leia",)]


def test_the_account_page_leads_to_all_the_others(client, leia):
    client.force_login(leia)

    page = html_of(client.get("/accounts/"))

    for address in ("email", "password/change", "2fa/webauthn", "2fa", "download", "delete"):
        assert f'href="/accounts/{address}/"' in page


def test_the_menu_leads_to_the_account_page(client, leia):
    client.force_login(leia)

    assert '<a href="/accounts/">' in html_of(client.get("/"))


@pytest.mark.parametrize(
    "address",
    [
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/reauthenticate/",
        "/accounts/2fa/",
        "/accounts/2fa/webauthn/",
        "/accounts/3rdparty/",
        "/accounts/3rdparty/login/cancelled/",
        "/accounts/inactive/",
        "/accounts/confirm-email/gone/",
        "/accounts/password/reset/key/1-gone/",
    ],
)
def test_the_other_pages_are_drawn(client, leia, address):
    client.force_login(leia)

    assert client.get(address).status_code == 200


def test_the_password_deletes_the_account_and_says_so(client, leia):
    client.force_login(leia)

    response = client.post("/accounts/delete/", {"password": PASSWORD}, follow=True)

    assert response.redirect_chain == [("/accounts/login/", 302)]
    assert "Your account is deleted." in html_of(response)
    assert SESSION_KEY not in client.session
    assert list(User.objects.values_list("username")) == [(f"former player #{leia.pk}",)]


def test_a_wrong_password_deletes_nothing(client, leia):
    client.force_login(leia)

    response = client.post("/accounts/delete/", {"password": "an-asteroid-field"})

    assert (response.status_code, response.context["form"].errors) == (422, {"password": ["Incorrect password."]})
    assert client.session[SESSION_KEY] == str(leia.pk)


def test_who_has_no_password_types_the_name(client, leia):
    leia.set_unusable_password()
    leia.save()
    SocialAccount.objects.create(user=leia, provider="discord", uid="7")
    client.force_login(leia)

    refused = client.post("/accounts/delete/", {"name": "han"})
    client.post("/accounts/delete/", {"name": "leia"})

    assert refused.context["form"].errors == {
        "name": ["This is not your sign-in name. Type the name you sign in with."]
    }
    assert list(User.objects.values_list("username")) == [(f"former player #{leia.pk}",)]


def test_nobody_can_take_the_name_of_a_former_player(client):
    answers = {"username": "former player #1", "password1": PASSWORD, "password2": PASSWORD}

    client.post("/accounts/signup/", answers)

    assert User.objects.count() == 0


def test_the_tab_key_goes_from_the_name_to_the_password(client):
    page = html_of(client.get("/accounts/login/"))
    places = [page.index(each) for each in ('name="login"', 'name="password"', "/accounts/password/reset/")]
    assert places == sorted(places)
