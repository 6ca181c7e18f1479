"""The day of a clerk: somebody whose only right is to correct Registers, on a phone, without a manual."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse
from playwright.sync_api import expect

from registers.models import Dossier
from tests.browser.conftest import Phone
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_clerk_finds_and_corrects_the_xp_of_a_unit_with_four_taps(phone: Phone, live_server, table):
    clerk = make_player("clerk", is_staff=True)
    clerk.groups.add(Group.objects.get(name="Corrections"))
    page = phone(clerk)
    page.goto(live_server.url + reverse("admin:index"))

    page.get_by_role("searchbox", name="Register").fill("ada")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Ashen Patrol").click()
    page.locator("summary").filter(has_text="Stormtroopers (no. 2)").click()
    page.locator("#dossier-2").get_by_label("Experience").fill("3")
    page.locator("#id_reason").fill("typed wrong")
    page.get_by_role("button", name="Save correction").click()

    expect(page.locator("#ledger")).to_contain_text("Experience of Stormtroopers (no. 2) corrected from 0 to 3")
    assert Dossier.objects.get(register=table.alpha, key="2").experience == 3
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.goto(live_server.url + reverse("admin:battles_ledgercorrection_changelist"))
    row = page.locator("#result_list tbody tr").first
    what = "Experience of Stormtroopers (no. 2): 0 → 3"
    for text in ("Outer Rim Winter", "Ashen Patrol", "ada", what, "typed wrong", "clerk"):
        expect(row).to_contain_text(text)
