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
        ("password/reset/key/3-abc/", "It was used already, has expired, or is not complete. Ask for a new one"),
        ("password/reset/key/done/", "It counts from now on. Sign in"),
        ("confirm-email/abc/", "This link has expired, was used already, or is not complete. Have a new one sent"),
        ("confirm-email/", "It has a link that confirms your address."),
        ("inactive/", "Whoever runs this site has closed this account, and can open it again."),
        ("3rdparty/login/cancelled/", "You canceled in Discord. Nothing was changed."),
    ],
)
def test_pages_of_a_visitor(client, address, sentence):
    assert sentence in text_of(client.get(f"/accounts/{address}"))


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("reauthenticate/", "What comes next could shut you out of your account, so it is asked once more."),
        ("3rdparty/login/error/", "Discord did not answer as expected. Try again."),
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
    assert text == "leia says that this is their mail address. If that is you, open this link and confirm it:"
    assert sent.body.rstrip().endswith("Musterbook, the campaign log at testserver")
    page = text_of(client.get(link))
    assert "Is leia@example.org the address of leia?" in page
    client.post(link)
    assert EmailAddress.objects.get().verified


def test_a_new_password_is_chosen_by_its_mail(client, leia, address):
    address()
    client.post("/accounts/password/reset/", {"email": "leia@example.org"})
    [sent] = mail.outbox
    text, link = sent.body.split("\n\n")[:2]
    assert text == "Somebody asked for a new password for leia. If that was you, choose it here:"
    page = client.get(link, follow=True)
    assert "Take this password" in text_of(page)
    words = {"password1": "a-second-field", "password2": "a-second-field"}
    done = client.post(page.redirect_chain[-1][0], words, follow=True)
    assert "It counts from now on." in text_of(done)
    leia.refresh_from_db()
    assert (leia.check_password("a-second-field"), leia.check_password(PASSWORD)) == (True, False)
