"""Correcting a Register by hand on a phone: a number that is wrong in a Dossier that is folded."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from registers.models import Register
from tests.browser.conftest import Phone, phone
from tests.registers.factories import make_player, make_register

__all__ = ["phone"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("page_of", ["registers:correct", "admin:registers_register_change"])
@pytest.mark.parametrize(
    ("scripts", "typed", "wrong"),
    [(True, "-1", "greater than or equal to 0"), (False, "a lot", "Enter a whole number")],
)
def test_a_wrong_number_in_a_folded_dossier_is_said(
    phone: Phone, live_server, book, page_of, scripts, typed, wrong
):
    founded = make_register(make_player("ada"))
    page = phone(make_player("root", is_staff=True, is_superuser=True), java_script_enabled=scripts)
    page.goto(live_server.url + reverse(page_of, args=[founded.pk]))
    fold = page.locator("details").filter(has=page.locator("[name='2.experience']"))
    fold.locator("summary").click()
    fold.get_by_label("Experience").fill(typed)
    fold.locator("summary").click()
    expect(fold).not_to_have_attribute("open", "")
    page.locator("#id_reason").fill("typed wrong")
    page.get_by_role("button", name="Save correction").click()
    expect(page.get_by_text("Nothing is saved yet. Fix these values.")).to_be_visible()
    expect(fold.get_by_label("Experience")).to_be_visible()
    expect(fold.get_by_label("Experience")).to_have_value(typed)
    expect(fold.get_by_text(wrong)).to_be_visible()
    expect(page.locator("#id_reason")).to_have_value("typed wrong")
    assert Register.objects.get().position == founded.position


@pytest.mark.nightly
def test_the_ledger_in_the_admin_is_legible_on_a_phone(phone: Phone, live_server, book):
    founded = make_register(make_player("ada"))
    page = phone(make_player("root", is_staff=True, is_superuser=True))
    page.goto(live_server.url + reverse("admin:registers_register_change", args=[founded.pk]))
    rows = page.locator(".entries tbody tr")
    expect(rows).to_have_count(founded.position)
    said = rows.first.get_by_text("The Register is commissioned")
    assert said.bounding_box()["width"] > 250
    assert page.evaluate("document.querySelector('.entries').scrollWidth") <= 360
