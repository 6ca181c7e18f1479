"""A mail server that is away; Discord, with keys and without; the QR code."""

from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.core.mail.backends.locmem import EmailBackend

from accounts.adapters import NO_MAIL, AccountAdapter, MFAAdapter
from accounts.models import User
from accounts.services.closing import delete_account
from tests.accounts.conftest import PASSWORD
from tests.accounts.discord_login import KEYS, came_back, discord
from tests.html import html_of

__all__ = ["discord"]

pytestmark = pytest.mark.django_db


class AwayBackend(EmailBackend):
    def send_messages(self, messages):
        raise ConnectionRefusedError("nobody there")


def test_signing_up_is_not_lost_when_the_mail_server_is_away(client, settings):
    settings.EMAIL_BACKEND = f"{__name__}.AwayBackend"
    answers = {"username": "leia", "email": "leia@example.org", "password1": PASSWORD, "password2": PASSWORD}

    page = client.post("/accounts/signup/", answers, follow=True)

    assert list(EmailAddress.objects.values_list("user__username", "verified")) == [("leia", False)]
    assert "The mail could not be sent." in html_of(page)


def test_a_site_without_mail_says_so_whoever_asks(client, leia, settings):
    """And does not tell by it whether there is an account."""
    settings.EMAIL_BACKEND = NO_MAIL
    EmailAddress.objects.create(user=leia, email="leia@example.org", verified=True, primary=True)
    sentences = []
    for email in ("leia@example.org", "nobody@example.org"):
        page = client.post("/accounts/password/reset/", {"email": email}, follow=True)
        sentences.append("This site cannot send mail." in html_of(page))
    assert sentences == [True, True]


def test_a_site_without_mail_promises_no_link(client, settings):
    settings.EMAIL_BACKEND = NO_MAIL
    assert "the link we send you" not in html_of(client.get("/accounts/signup/"))
    assert "We send you a link" not in html_of(client.get("/accounts/password/reset/"))
    answers = {"username": "leia", "email": "leia@example.org", "password1": PASSWORD, "password2": PASSWORD}
    page = client.post("/accounts/signup/", answers, follow=True)
    assert "email sent" not in html_of(page)
    page = html_of(client.get("/accounts/email/"))
    assert "This site sends no mail" in page
    assert "Open the link we sent there" not in page
    assert "Send link again" not in page


def test_discord_does_not_appear_without_keys(client, leia):
    for page in ("/accounts/login/", "/accounts/signup/"):
        assert "discord" not in html_of(client.get(page)).lower()
    assert client.get("/accounts/discord/login/").status_code == 404
    assert client.get("/accounts/discord/login/callback/").status_code == 404
    client.force_login(leia)
    assert "discord" not in html_of(client.get("/accounts/")).lower()


@pytest.mark.usefixtures("discord")
def test_of_several_keys_those_of_the_settings_count(client):
    """The admin may have been given some, too, once or twice."""
    for number in range(2):
        SocialApp.objects.create(provider="discord", name="Discord", client_id=f"admin-{number}", secret="shh")
    assert client.get("/accounts/login/").status_code == 200
    led = client.post("/accounts/discord/login/").url
    assert parse_qs(urlsplit(led).query)["client_id"] == [KEYS["client_id"]]


def test_of_several_keys_of_the_admin_the_last_counts(client):
    for number in range(2):
        SocialApp.objects.create(provider="discord", name="Discord", client_id=f"admin-{number}", secret="shh")
    led = client.post("/accounts/discord/login/").url
    assert parse_qs(urlsplit(led).query)["client_id"] == ["admin-1"]


def test_who_connected_discord_before_its_keys_went_still_sees_it(client, leia):
    SocialAccount.objects.create(user=leia, provider="discord", uid="7")
    client.force_login(leia)

    assert "Connected" in html_of(client.get("/accounts/"))
    assert client.get("/accounts/3rdparty/").status_code == 200


@pytest.mark.usefixtures("discord")
def test_discord_appears_with_its_keys_and_is_told_to_say_who_one_is_and_no_more(client):
    for page in ("/accounts/login/", "/accounts/signup/"):
        assert "Continue with Discord" in html_of(client.get(page))

    response = client.post("/accounts/discord/login/?process=login")

    address, _, query = response.url.partition("?")
    assert (response.status_code, address) == (302, "https://discord.com/api/oauth2/authorize")
    assert {"client_id=1234", "scope=identify"} <= set(query.split("&"))


@pytest.mark.usefixtures("discord")
def test_whoever_comes_by_discord_chooses_a_name(client, monkeypatch):
    came_back(client, monkeypatch)

    client.post("/accounts/3rdparty/signup/", {"username": "organa"})

    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == ("organa", "", False)
    assert list(SocialAccount.objects.values_list("user", "provider", "uid")) == [(user.pk, "discord", "7")]
    assert client.session["_auth_user_id"] == str(user.pk)


@pytest.mark.usefixtures("discord")
def test_discord_signs_in_whom_it_knows(client, monkeypatch, leia):
    SocialAccount.objects.create(user=leia, provider="discord", uid="7")

    response = came_back(client, monkeypatch)

    assert (response.status_code, response.url) == (302, "/")
    assert client.session["_auth_user_id"] == str(leia.pk)


def test_the_code_for_the_app_names_the_player_and_is_an_element_of_the_page(leia):
    adapter = MFAAdapter()

    assert adapter.get_totp_label(leia) == "leia"
    assert adapter.build_totp_svg("otpauth://totp/leia").startswith("<svg ")


def test_an_address_of_an_account_that_was_deleted_meanwhile_is_not_confirmed(rf, leia):
    """It was read before the deletion, which removed it."""
    address = EmailAddress.objects.create(user=leia, email="leia@example.org", primary=True)
    delete_account(actor=leia, user=leia)
    address.user = leia

    assert AccountAdapter().confirm_email(rf.get("/"), address) is False
    assert not EmailAddress.objects.exists()
