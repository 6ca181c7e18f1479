"""The pages and mails that allauth brings speak as the rest of the house does."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail

from tests.accounts.conftest import PASSWORD
from tests.registers.views.reading import text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("password/reset/key/3-abc/", "This link was used already, has expired, or is incomplete. Send a new link"),
        ("password/reset/key/done/", "Your password is changed. Sign in"),
        ("confirm-email/abc/", "This link has expired, was used already, or is incomplete. Send a new link"),
        ("confirm-email/", "Open the link in the mail we sent you to confirm your address."),
        ("inactive/", "An administrator of this site has closed this account."),
        ("3rdparty/login/cancelled/", "You canceled at the other site. Nothing was changed."),
    ],
)
def test_pages_of_a_visitor(client, address, sentence):
    assert sentence in text_of(client.get(f"/accounts/{address}"))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("reauthenticate/", "The next change affects how you sign in. Confirm that it is you."),
        ("3rdparty/login/error/", "The other site did not answer as expected. Try again."),
    ],
)
def test_pages_of_a_player(client, leia, address, sentence):
    client.force_login(leia)
    assert sentence in text_of(client.get(f"/accounts/{address}"))


def test_an_address_is_confirmed_by_its_mail(client, leia):
    client.force_login(leia)
    client.post("/accounts/email/", {"email": "leia@example.org", "action_add": ""})
    [sent] = mail.outbox
    text, link = sent.body.split("\n\n")[:2]
    assert text == (
        "The Musterbook account leia uses this email address. "
        "If this is your account, open this link to confirm the address:"
    )
    assert sent.body.rstrip().endswith("Musterbook at testserver")
    page = text_of(client.get(link))
    assert "Confirm that leia@example.org is the address of leia." in page
    client.post(link)
    assert EmailAddress.objects.get().verified


def test_a_new_password_is_chosen_by_its_mail(client, leia, address):
    address()
    client.post("/accounts/password/reset/", {"email": "leia@example.org"})
    [sent] = mail.outbox
    text, link = sent.body.split("\n\n")[:2]
    assert text == "Somebody asked to reset the password of leia. If that was you, choose a new password here:"
    page = client.get(link, follow=True)
    assert "Save password" in text_of(page)
    words = {"password1": "a-second-field", "password2": "a-second-field"}
    done = client.post(page.redirect_chain[-1][0], words, follow=True)
    assert "Your password is changed." in text_of(done)
    leia.refresh_from_db()
    assert (leia.check_password("a-second-field"), leia.check_password(PASSWORD)) == (True, False)
