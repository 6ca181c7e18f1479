"""A form that outlives its session: nothing of what was typed is lost, and nothing is done with it unasked."""

import re
from html import unescape
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign
from core.middleware.error_pages import WHOLE_PAGE
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db

OWN = {"Origin": "http://testserver"}
NEW = "/campaigns/new/"
TYPED = {
    "campaign": str(uuid4()), "name": 'The "Long" <Way>', "about": "First line\r\n\r\nthird line", "unreleased": "on",
    "combat_potential": "800", "supply_points": "4", "length": "", "csrfmiddlewaretoken": "old",
}  # fmt: skip


@pytest.fixture
def leia():
    return make_player("leia")


@pytest.fixture
def site():
    return Client(enforce_csrf_checks=True)


def token(page: str) -> str:
    return re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]


def kept(page: str) -> dict[str, str]:
    """What the form that sends it once more would send."""
    form = re.search(r'<form method="post" action="([^"]*)" id="again">(.*?)</form>', page, re.DOTALL)
    if form is None:
        return {}
    fields = re.findall(r'<textarea name="([^"]*)" hidden>\n(.*?)</textarea>', form[2], re.DOTALL)
    return {"to": unescape(form[1])} | {unescape(name): unescape(value) for name, value in fields}


WHAT_IS_KEPT = {"to": NEW} | {name: value for name, value in TYPED.items() if name != "csrfmiddlewaretoken"}


def test_a_form_that_comes_after_the_session_is_kept_until_it_can_be_sent(site, leia):
    site.force_login(leia)
    typed = TYPED | {"csrfmiddlewaretoken": token(site.get(NEW).text)}
    site.cookies.pop("sessionid")
    signed_out = site.post(NEW, typed, headers=OWN)
    assert (signed_out.status_code, kept(signed_out.text)) == (403, WHAT_IS_KEPT)
    site.force_login(leia)
    site.cookies["csrftoken"] = "n" * 32  # as a sign-in rotates it
    stale = site.post(NEW, typed, headers=OWN)
    assert (stale.status_code, kept(stale.text), Campaign.objects.count()) == (403, WHAT_IS_KEPT, 0)
    again = kept(stale.text) | {"csrfmiddlewaretoken": token(stale.text)}
    done = site.post(again.pop("to"), again, headers=OWN)
    campaign = Campaign.objects.get()
    stored = (TYPED["name"], TYPED["about"].replace("\r\n", "\n"))
    assert (done.status_code, campaign.name, campaign.about) == (302, *stored)


@pytest.mark.parametrize("signed_in", [False, True])
def test_htmx_shows_it_as_a_whole_page(site, leia, signed_in):
    site.force_login(leia)
    header = {"X-CSRFToken": token(site.get(NEW).text)} if not signed_in else {}
    if not signed_in:
        site.cookies.pop("sessionid")
    answer = site.post(NEW, TYPED, headers=OWN | header | {"HX-Request": "true", "X-Leads-Away": "true"})
    assert (answer.status_code, kept(answer.text)) == (409, WHAT_IS_KEPT)
    assert {name: answer[name] for name in WHOLE_PAGE} == WHOLE_PAGE


@pytest.mark.parametrize("headers", [{}, {"Origin": "https://elsewhere.example"}, {"Origin": "null"}])
def test_what_another_site_sends_is_never_offered_again(site, leia, headers):
    site.force_login(leia)
    answer = site.post(NEW, TYPED, headers=headers)
    assert (answer.status_code, kept(answer.text)) == (403, {})
    assert TYPED["name"] not in unescape(answer.text)


def test_no_password_is_written_into_a_page(site, leia):
    site.force_login(leia)
    answer = site.post(reverse("account_reauthenticate"), {"password": "steel-4-parade"}, headers=OWN)
    assert (answer.status_code, kept(answer.text), "steel-4-parade" in answer.text) == (403, {}, False)


def test_a_file_cannot_be_kept():
    file = {"file": SimpleUploadedFile("campaign.musterbook.zip", b"PK"), **TYPED}
    answer = Client().post(NEW, file, headers=OWN)
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('account_login')}?next={NEW}")


def test_who_only_follows_a_link_is_led_to_the_sign_in():
    answer = Client().get(NEW, headers=OWN)
    assert (answer.status_code, answer["Location"]) == (302, f"{reverse('account_login')}?next={NEW}")
