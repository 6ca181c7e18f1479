"""Addresses: optional, and worth nothing until their link was opened."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.urls import reverse

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.html import html_of

pytestmark = pytest.mark.django_db
ADDRESS = "leia@example.org"


def sign_up(client, name, email=ADDRESS):
    return client.post(
        "/accounts/signup/", {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    )


def ask_for_link(client, email=ADDRESS):
    return client.post("/accounts/password/reset/", {"email": email})


def link_in(message):
    return re.search(r"http://testserver(\S+)", message.body).group(1)


def addresses():
    return list(EmailAddress.objects.order_by("pk").values_list("user__username", "email", "verified"))


def test_an_address_is_asked_to_confirm_itself_and_counts_when_it_has(client):
    response = sign_up(client, "leia")

    assert (response.status_code, response.url) == (302, "/")
    assert [(each.subject, each.to) for each in mail.outbox] == [("[Musterbook] Confirm your email address", [ADDRESS])]
    assert addresses() == [("leia", ADDRESS, False)]

    client.post(link_in(mail.outbox[0]))

    assert addresses() == [("leia", ADDRESS, True)]


def test_a_name_and_a_password_send_no_mail(client):
    sign_up(client, "leia", email="")

    assert (addresses(), mail.outbox) == ([], [])


def test_to_have_typed_an_address_keeps_nobody_from_using_it(client, address, leia):
    address(verified=False)

    sign_up(client, "carrie")
    client.post(link_in(mail.outbox[0]))

    assert addresses() == [("leia", ADDRESS, False), ("carrie", ADDRESS, True)]


def test_only_one_can_confirm_an_address(client, address, leia):
    address(verified=True)

    response = sign_up(client, "impostor")
    client.post(link_in(mail.outbox[0]))

    assert response.status_code == 302  # no word about whose it is
    assert addresses() == [("leia", ADDRESS, True), ("impostor", ADDRESS, False)]


def test_a_forgotten_password_is_replaced_by_a_link_to_the_confirmed_address(client, address, leia):
    address()

    asked = ask_for_link(client)
    form = client.get(link_in(mail.outbox[0]))
    client.post(form.url, {"password1": "snow-on-the-walker", "password2": "snow-on-the-walker"})

    leia.refresh_from_db()
    assert (asked.status_code, asked.url) == (302, "/accounts/password/reset/done/")
    assert mail.outbox[0].to == [ADDRESS]
    assert leia.check_password("snow-on-the-walker")


@pytest.mark.parametrize("whose", ["nobody's", "not confirmed", "without a row of its own", "a former player's"])
def test_no_link_goes_to_an_address_that_does_not_count(client, address, leia, whose):
    if whose == "not confirmed":
        address(verified=False)
    elif whose == "without a row of its own":
        User.objects.filter(pk=leia.pk).update(email=ADDRESS)
    elif whose == "a former player's":
        address()
        User.objects.filter(pk=leia.pk).update(is_active=False)

    asked = ask_for_link(client)

    assert (asked.status_code, asked.url) == (302, "/accounts/password/reset/done/")
    (message,) = mail.outbox
    assert "no account has confirmed this address" in message.body
    assert "/password/reset/key/" not in message.body


def test_the_pages_say_what_helps_without_an_address(client):
    for page in ("/accounts/password/reset/", "/accounts/password/reset/done/"):
        assert "ask the administrator of this site" in html_of(client.get(page))


def test_a_new_address_takes_over_when_it_is_confirmed(client, address, leia):
    address()
    client.force_login(leia)

    client.post("/accounts/email/", {"email": "general@example.org", "action_add": ""})
    between = addresses()
    page = html_of(client.get("/accounts/email/"))
    client.post(link_in(mail.outbox[0]))

    assert between == [("leia", ADDRESS, True), ("leia", "general@example.org", False)]
    assert "Until then, the address above stays in use." in page
    assert addresses() == [("leia", "general@example.org", True)]


def test_the_address_before_is_told_where_a_site_wants_that(client, address, leia, settings):
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True
    address()
    client.force_login(leia)
    client.post("/accounts/email/", {"email": "general@example.org", "action_add": ""})
    client.post(link_in(mail.outbox[0]))
    assert [each.to for each in mail.outbox[1:]] == [[ADDRESS]]


def test_who_cannot_confirm_an_address_keeps_the_one_before(client, address, leia):
    """Somebody else has confirmed it meanwhile."""
    address()
    client.force_login(leia)
    client.post("/accounts/email/", {"email": "general@example.org", "action_add": ""})
    han = User.objects.create_user("han")
    EmailAddress.objects.create(user=han, email="general@example.org", verified=True, primary=True)
    before = addresses()
    client.post(link_in(mail.outbox[0]))
    assert addresses() == before


def test_an_address_can_be_taken_away_again(client, address, leia):
    address()
    client.force_login(leia)

    client.post("/accounts/email/", {"email": ADDRESS, "action_remove": ""})

    leia.refresh_from_db()
    assert (addresses(), leia.email) == ([], "")


@pytest.mark.parametrize("view", ["account_change_password", "accounts:delete", "account_reauthenticate"])
def test_a_page_that_asks_for_the_password_names_its_account_for_the_browser(client, leia, view):
    client.force_login(leia)
    shown = " ".join(html_of(client.get(reverse(view))).split())
    assert f'autocomplete="username" value="{leia.username}" hidden' in shown
    assert "Change Password" not in shown


def test_a_first_password_is_set(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("leia"))
    page = client.get("/accounts/password/set/").text
    assert (page.count("Set password"), page.count("Set Password")) == (3, 0)
