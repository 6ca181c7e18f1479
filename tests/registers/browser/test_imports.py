"""Founding a Register from a list on a phone: pasted, decided line by line, founded; and lists to take along."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from accounts.models import User
from catalogue.snapshot import card_index
from lists.formats.legion_hq_link import write
from registers.models import Register
from registers.projection import state_of
from rules.battle.plain_army import PlainArmy, PlainUnit
from tests.registers.browser.phones import phone
from tests.registers.factories import make_register
from tests.registers.views.importing import KEPT_ELSEWHERE

__all__ = ["phone"]

pytestmark = pytest.mark.django_db(transaction=True)

OFFICER = "imperial-officer-ruthless-efficiency"


def paste(phone: Page, text: str) -> None:
    phone.goto("/registers/import/")
    phone.get_by_label("List or link").fill(text)
    phone.get_by_role("button", name="Read list").tap()
    expect(phone.locator("#lines")).to_be_visible()


def check(phone: Page, what: str) -> None:
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360, what
    found = Axe().run(phone)
    assert found.violations_count == 0, f"{what}\n{found.generate_report()}"


@pytest.mark.nightly
def test_from_a_link_to_a_register(phone: Page):
    units = (OFFICER, "stormtroopers", "stormtroopers", "darth-vader-dark-lord-of-the-sith")
    link = write(PlainArmy(faction="empire", units=tuple(PlainUnit(unit) for unit in units)), card_index())
    paste(phone, link)
    expect(phone.get_by_text("3 units selected")).to_be_visible()
    expect(phone.get_by_text("skipped", exact=True)).to_have_count(1)  # Vader is unique (R5)
    phone.get_by_role("button", name="Create Register").tap()
    expect(phone.get_by_text("Imperial Officer needs a name. Enter one.")).to_be_visible()
    phone.get_by_label("Dossier name (required)").fill("Captain Sorne")
    phone.get_by_role("checkbox", name="Stormtroopers").first.tap()
    expect(phone.get_by_text("2 units selected")).to_be_visible()
    phone.get_by_label("Name of the Register").fill("Ashen Patrol")
    phone.get_by_role("button", name="Create Register").tap()
    expect(phone.get_by_text("2 units imported.")).to_be_visible()
    state = state_of(Register.objects.get())
    assert (state.name, [(unit.card, unit.name) for unit in state.dossiers.values()]) == (
        "Ashen Patrol",
        [(OFFICER, "Captain Sorne"), ("stormtroopers", "")],
    )


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_legible_to_everyone(phone: Page, scheme: str):
    phone.emulate_media(color_scheme=scheme)
    paste(phone, KEPT_ELSEWHERE)
    expect(phone.get_by_text("700 points of Combat Potential")).to_be_visible()
    check(phone, "a Register that is taken over")
    register = make_register(User.objects.get(username="ada"))
    for path in ("import/", f"{register.pk}/list/"):
        phone.goto(f"/registers/{path}")
        check(phone, path)
