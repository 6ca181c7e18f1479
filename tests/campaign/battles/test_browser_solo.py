"""A Register outside campaigns plays a battle against a named guest on a phone, to the end of the sequence."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaign.battles.models import Battle
from registers.ledger.verification import differences
from tests.browser.conftest import Phone
from tests.browser.walking import Player, walk
from tests.registers.factories import make_player, make_register

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]


def test_a_battle_against_a_guest(phone: Phone, book):
    register = make_register(make_player("ada"), units=3)
    page = phone(register.owner)
    ada = Player(page, picks=["Stormtroopers (no. 2)"], aid=["Active Recruiting"])
    page.goto(reverse("registers:detail", args=[register.pk]))
    page.get_by_role("link", name="Play a battle").tap()
    page.get_by_label("Guest’s name").fill("Sal")
    for button in ("Create battle", "Save army", "No Agenda", "Start battle"):
        page.get_by_role("button", name=button).first.tap()
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
    page.get_by_role("link", name="Report battle").tap()
    page.locator(".choice__option", has_text="Ashen Patrol").tap()
    page.get_by_role("button", name="Report battle").tap()
    page.wait_for_url("**/sequence/blue/")
    walk(ada)
    expect(page.get_by_text("Sal", exact=True).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    register.refresh_from_db()
    assert (Battle.objects.get().status, ada.errors, list(differences(register))) == ("closed", [], [])
