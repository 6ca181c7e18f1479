"""Sign-in, the table, and a step with its reveal in Firefox and WebKit."""

from collections.abc import Iterator
from time import monotonic, sleep

import pytest
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Tally
from tests.browser.other_browsers import PATIENCE, OtherBrowser, firefox, webkit
from tests.campaign.battles.closing import to_step_4
from tests.campaign.factories import in_play, make_table, planned, side_of
from tests.campaign.first_blood import Stacked, begin, fall

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]

PASSWORD = "wide open skies"


@pytest.fixture(params=[firefox, webkit])
def other(request, tmp_path) -> Iterator[OtherBrowser]:
    with request.param(tmp_path) as browser:
        yield browser


def sign_in(other: OtherBrowser, site: str, user: User) -> None:
    user.set_password(PASSWORD)
    user.save()
    other.open(f"{site}{reverse('account_login')}")
    other.fill("[name=login]", user.username)
    other.fill("[name=password]", PASSWORD)
    other.click("main button[type=submit]:not([form])", "Sign in")
    other.wait_for("return location.pathname === '/'")


def test_a_unit_is_marked_at_the_table(other, book, live_server):
    table = make_table()
    battle = in_play(planned(table))
    sign_in(other, live_server.url, table.ada)
    other.open(f"{live_server.url}{reverse('battles:table', args=[battle.pk])}")
    other.click(".mark--defeated")
    other.wait_for("return document.querySelector('.mark--defeated').getAttribute('aria-pressed') === 'true'")
    side, until = side_of(battle, "blue"), monotonic() + PATIENCE
    while not Tally.objects.filter(side=side, defeated__len=1) and monotonic() < until:
        sleep(0.1)  # the page shows the mark before the site has it
    assert Tally.objects.get().defeated


def test_the_dice_of_a_step_are_revealed(other, book, live_server, monkeypatch):
    fall(monkeypatch, Stacked("corps", "heavy"))
    fought = begin()
    to_step_4(fought)
    fall(monkeypatch, Stacked("surge", "hit", "blank"))
    sign_in(other, live_server.url, fought.ada)
    other.open(f"{live_server.url}{reverse('battles:sequence_side', args=[fought.battle.pk, 'blue'])}")
    other.click("button", "Roll all")
    other.wait_for("return document.querySelector('dialog.reveal[open]') !== null")
    for _ in range(4):
        other.run("document.querySelector('dialog.reveal')?.click()")
    other.wait_for("return document.querySelector('dialog.reveal') === null")
    assert other.run("return document.querySelector('#question').textContent.includes('Award Experience')")
