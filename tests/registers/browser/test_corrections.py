"""Correcting a Register by hand on a phone: a number that is wrong in a Dossier that is folded."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from registers.models import Register
from tests.browser.conftest import Phone, phone
from tests.browser.legible import faults as faults_of
from tests.registers.factories import make_player, make_register

__all__ = ["phone"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("scripts", "typed", "wrong"),
    [(True, "-1", "greater than or equal to 0"), (False, "a lot", "Enter a whole number")],
)
def test_a_wrong_number_in_a_folded_dossier_is_said(phone: Phone, live_server, book, scripts, typed, wrong):
    founded = make_register(make_player("ada"))
    page = phone(make_player("root", is_staff=True, is_superuser=True), java_script_enabled=scripts)
    page.goto(live_server.url + reverse("registers:correct", args=[founded.pk]))
    fold = page.locator("details").filter(has=page.locator("[name='2.experience']"))
    fold.locator("summary").click()
    fold.get_by_label("Experience").fill(typed)
    fold.locator("summary").click()
    expect(fold).not_to_have_attribute("open", "")
    page.locator("#id_reason").fill("typed wrong")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Nothing was saved. Fix these values.")).to_be_visible()
    expect(fold.get_by_label("Experience")).to_be_visible()
    expect(fold.get_by_label("Experience")).to_have_value(typed)
    expect(fold.get_by_text(wrong)).to_be_visible()
    expect(page.locator("#id_reason")).to_have_value("typed wrong")
    assert Register.objects.get().position == founded.position


def _entries(page: Page) -> Locator:
    return page.locator("#ledger .entries tbody tr")


def _open_unit(page: Page) -> Locator:
    """Open the second unit of a Register in the admin, and return its values."""
    unit = page.locator("#dossier-2")
    page.locator("details").filter(has=unit).locator("summary").click()
    return unit


@pytest.mark.nightly
def test_the_ledger_in_the_admin_is_legible_on_a_phone(phone: Phone, live_server, book):
    founded = make_register(make_player("ada"))
    page = phone(make_player("root", is_staff=True, is_superuser=True))
    page.goto(live_server.url + reverse("admin:registers_register_change", args=[founded.pk]))
    page.get_by_text("Latest history").click()
    expect(_entries(page)).to_have_count(min(5, founded.position))
    text = _entries(page).first.get_by_text("Register created")
    assert text.bounding_box()["width"] > 250
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.nightly
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_staff_find_correct_and_undo_without_a_manual(phone: Phone, live_server, book, width, scheme):
    """From the admin's start page to the form with three clicks, and on to the undo, without a console error."""
    founded = make_register(make_player("ada"))
    root = make_player("root", is_staff=True, is_superuser=True)
    page = phone(root, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda answer: errors.append(answer.url) if answer.status >= 400 else None)

    page.goto(live_server.url + reverse("admin:index"))
    page.get_by_role("searchbox", name="Register").fill("sorne")
    page.get_by_role("search", name="Correct a Register").get_by_role("button").click()
    page.get_by_role("link", name="Ashen Patrol").click()
    unit = _open_unit(page)
    expect(unit.get_by_label("Experience")).to_have_value("0")
    # Unfold's header is outside of all landmarks.
    assert [each for each in faults_of(page) if not each.startswith("region:")] == []
    unit.get_by_label("Experience").fill("3")
    unit.get_by_label("Add to Setbacks").fill("Battle-Shaken")
    unit.get_by_label("Add to Upgrades").fill("DLT-19 Stormtrooper")
    page.locator("#id_reason").fill("typed wrong")
    page.get_by_role("button", name="Save correction").click()

    latest = _entries(page).first
    for text in ("corrected from 0 to 3", "Battle-Shaken", "DLT-19 Stormtrooper", "typed wrong"):
        expect(latest).to_contain_text(text)
    assert founded.dossiers.get(key="2").experience == 3
    latest.get_by_role("textbox").fill("it was right")
    latest.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Correction undone.")).to_be_visible()
    assert founded.dossiers.get(key="2").experience == 0
    assert errors == []


@pytest.mark.nightly
def test_the_admin_corrects_without_scripts(phone: Phone, live_server, book):
    founded = make_register(make_player("ada"))
    page = phone(make_player("root", is_staff=True, is_superuser=True), java_script_enabled=False)
    page.goto(live_server.url + reverse("admin:index"))
    page.get_by_role("searchbox", name="Register").fill("sorne")
    page.get_by_role("search", name="Correct a Register").get_by_role("button").click()
    page.get_by_role("link", name="Ashen Patrol").click()
    _open_unit(page)
    page.locator("#dossier-2").get_by_label("Experience").fill("a lot")
    page.locator("#id_reason").fill("typed wrong")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Nothing is saved yet.")).to_be_visible()
    expect(page.locator("#dossier-2").get_by_label("Experience")).to_have_value("a lot")
    page.locator("#dossier-2").get_by_label("Experience").fill("3")
    page.get_by_role("button", name="Save correction").click()
    expect(_entries(page).first).to_contain_text("corrected from 0 to 3")
    assert founded.dossiers.get(key="2").experience == 3
