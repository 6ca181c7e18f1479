"""Two processes serve one site: whatever one is told, the other knows."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
import requests
from django.db import connection
from PIL import Image

from accounts.models import User
from catalogue.models import Setback
from registers.services.data_checks import WHERE
from tests.campaign.factories import make_table
from tests.served import processes

PASSWORD = "Outer-Rim-7"


@pytest.fixture(scope="module")
def both(django_db_setup) -> Iterator[list[str]]:
    """The addresses of two processes that share the database, the secret key and the shelf of pictures."""
    with processes({name: connection.settings_dict[name] for name in WHERE}, 2) as addresses:
        yield addresses


@pytest.fixture
def sites(both, transactional_db) -> list[str]:
    return both


def signed_in(site: str, name: str) -> requests.Session:
    """Somebody's browser, who has signed in there."""
    user, browser = User.objects.get(username=name), requests.Session()
    user.set_password(PASSWORD)
    user.save()
    assert send(browser, f"{site}/accounts/login/", login=name, password=PASSWORD).status_code == 302
    return browser


def send(browser: requests.Session, address: str, files: Any = None, **args: str) -> requests.Response:
    """Ask for a page, and send its form."""
    browser.get(address)
    words = args | {"csrfmiddlewaretoken": browser.cookies["csrftoken"]}
    return browser.post(address, words, files=files, allow_redirects=False)


def photograph() -> bytes:
    sent = BytesIO()
    Image.new("RGB", (40, 30), "red").save(sent, "PNG")
    return sent.getvalue()


@pytest.mark.nightly
def test_whoever_signed_in_at_one_acts_at_the_other_and_the_first_knows(sites):
    one, other = sites
    make_table()
    ada = signed_in(one, "ada")
    made = send(ada, f"{other}/campaigns/new/", campaign=str(uuid4()), name="Both of them")
    assert made.status_code == 302
    assert "Both of them" in ada.get(one + made.headers["Location"]).text
    send(ada, f"{other}/accounts/logout/")
    assert ada.get(one + made.headers["Location"], allow_redirects=False).status_code == 302


def test_a_picture_that_was_sent_to_one_is_seen_at_the_other(sites):
    one, other = sites
    campaign, key = make_table().campaign, uuid4()
    cora = signed_in(other, "cora")
    files = {"file": ("snow.png", photograph())}
    sent = send(cora, f"{one}/campaigns/{campaign.pk}/photo/", files, picture=str(key), alt="Snow")
    seen = cora.get(f"{other}/campaigns/{campaign.pk}/photos/{key}/small/")
    assert (sent.status_code, seen.status_code, seen.headers["Content-Type"]) == (302, 200, "image/jpeg")


def test_a_limit_is_one_limit(sites):
    browser = requests.Session()
    asked = [browser.get(f"{sites[number % 2]}/join/nothing-{number}/").status_code for number in range(32)]
    assert asked == [404] * 30 + [429] * 2


def test_a_card_that_is_corrected_is_another_one_at_both(sites):
    before = Setback.objects.order_by("pk").first()
    assert [before.name in page_text(site) for site in sites] == [True, True]
    Setback.objects.filter(pk=before.pk).update(name="Utterly Lost")
    for site in sites:
        assert any("Utterly Lost" in page_text(site) for _ in range(1000))


def page_text(site: str) -> str:
    """The words of the rules as a process tells them."""
    return re.sub(r"<[^>]+>", "", requests.Session().get(f"{site}/rules/").text)
