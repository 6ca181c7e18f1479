"""A forgotten password: the link works once, only for the address that has it still, and leads to this site alone."""

import re
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.test import Client

from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db
ASK, NEW = "/accounts/password/reset/", "a-river-of-poppies"


@pytest.fixture(autouse=True)
def mails(settings, mailoutbox):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return mailoutbox


def link_in(mail) -> str:
    return re.search(r"https?://\S+", mail.body)[0]


def sent_link(client: Client, mails, **words) -> str:
    client.post(ASK, {"email": "leia@example.org"}, **words)
    return link_in(mails[-1])


def form_of(link: str) -> tuple[Client, str]:
    """Open a link in a new browser; return where its form is, or nothing."""
    client = Client()
    answer = client.get(urlsplit(link).path)
    return client, answer.headers.get("Location", "")


def changes(link: str, password: str) -> bool:
    client, form = form_of(link)
    if not form:
        return False
    return client.post(form, {"password1": password, "password2": password}).status_code == 302


def test_a_link_changes_the_password_once_and_signs_the_others_out(client, leia, address, mails):
    address()
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "leia", "password": PASSWORD})
    assert SESSION_KEY in elsewhere.session
    first, second = sent_link(client, mails), sent_link(client, mails)
    assert changes(second, NEW)
    assert [changes(link, "a-lake-of-poppies") for link in (first, second)] == [False, False]
    leia.refresh_from_db()
    assert leia.check_password(NEW)
    assert elsewhere.get("/accounts/").status_code == 302


def test_a_link_is_void_once_the_person_has_another_address(client, leia, address, mails):
    old = address()
    link = sent_link(client, mails)
    old.delete()
    address("leia@example.com")
    assert not changes(link, NEW)
    leia.refresh_from_db()
    assert leia.check_password(PASSWORD)
    number = len(mails)
    client.post(ASK, {"email": "leia@example.org"})
    assert [mail.to for mail in mails[number:] if "/key/" in mail.body] == []


def test_an_address_that_is_not_the_first_one_gets_no_old_link(client, leia, address, mails):
    """The address is changed as the page does it: the new one is confirmed, and the old one removed."""
    old = address()
    link = sent_link(client, mails)
    EmailAddress.objects.create(user=leia, email="new@example.org", verified=True)
    browser = Client()
    browser.post("/accounts/login/", {"login": "leia", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    browser.post("/accounts/email/", {"email": "new@example.org", "action_primary": ""})
    browser.post("/accounts/email/", {"email": "leia@example.org", "action_remove": ""})
    assert not EmailAddress.objects.filter(pk=old.pk).exists()
    assert not changes(link, NEW)


@pytest.mark.parametrize("header", ["HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED", "HTTP_HOST"])
def test_the_link_leads_to_this_site_whatever_the_headers_say(client, leia, address, mails, settings, header):
    settings.ALLOWED_HOSTS = ["testserver"]
    address()
    value = "host=evil.example" if header == "HTTP_FORWARDED" else "evil.example"
    answer = client.post(ASK, {"email": "leia@example.org"}, **{header: value})
    hosts = [urlsplit(link_in(mail)).netloc for mail in mails]
    assert (answer.status_code, hosts) == ((400, []) if header == "HTTP_HOST" else (302, ["testserver"]))


def test_strangers_do_not_learn_who_has_an_account(client, leia, address, mails):
    address()
    answers = [client.post(ASK, {"email": email}) for email in ("leia@example.org", "nobody@example.org")]
    assert len({(answer.status_code, answer.headers["Location"]) for answer in answers}) == 1
