"""The table reference of a whole army: on one phone screen, with the secret hand shut until its player opens it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from campaign.battles.services import army as army_service
from campaign.battles.services.contenders import Contender
from rules.register.effects import SetbackGained, UnitNamed
from tests.campaign.battles.hands import HAND
from tests.campaign.factories import Table, agendas_chosen, army_of, enlisted, happen, make_table, planned, side_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


def test_eight_units_and_the_shut_hand_on_one_screen(phone, table):
    register = enlisted(table.campaign, table.ada, "Long Column", units=7)
    for unit, name in (("2", "Grim Hounds"), ("3", "The Ghost Watch of Garel")):
        happen(
            register,
            UnitNamed(unit=unit, name=name, rule="R9"),
            SetbackGained(unit=unit, setback="battle-shaken", rule="R34"),
        )
    battle = planned(table, blue=Contender(register_id=register.pk))
    army = army_of(register)
    army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army, hand=HAND)
    army_service.choose_army(actor=table.ben, side_id=side_of(battle, "red").pk, army=army_of(table.bravo))
    agendas_chosen(battle, blue="keep-them-in-line")
    army_service.begin(actor=table.ada, battle_id=battle.pk)

    page = phone(table.ada)
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(reverse("battles:table", args=[battle.pk]))
    mine = page.locator(".table-side").first
    expect(mine.locator(".field-unit")).to_have_count(8)
    hand = mine.locator(".table-hand").bounding_box()
    assert hand["y"] + hand["height"] <= 800, "it has to be scrolled"
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    for name in ("Grim Hounds", "The Ghost Watch of Garel"):
        unit = mine.locator(".field-unit", has_text=name)
        assert unit.locator(".field-unit__facts").first.inner_text() == "Stormtroopers Battle-Shaken"

    secret = mine.get_by_role("button", name="Play Ambush")
    expect(secret).to_be_hidden()
    mine.get_by_text("Your Command Hand: 7 cards").tap()
    secret.tap()
    expect(mine.get_by_text("Your Command Hand: 6 cards, 1 played")).to_be_visible()
    expect(mine.get_by_role("button", name="Undo playing Ambush")).to_be_visible()  # it stays open
    mine.get_by_role("button", name="Grim Hounds").first.tap()
    panel = page.get_by_role("dialog", name="Grim Hounds")
    expect(panel.get_by_text("Precise 1", exact=True).first).to_be_visible()
    panel.locator(".rule-ref").first.tap()
    expect(page.get_by_role("dialog", name="Rule").locator(".passage")).to_be_visible()
    expect(page).to_have_url(re.compile("/table/$"))
    assert Axe().run(page).response["violations"] == []
