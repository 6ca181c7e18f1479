"""What the keyboard meets, and what large text does, where templates alone cannot tell."""

import pytest
from playwright.sync_api import expect

from tests.campaign.battles.closing import to_step_4
from tests.campaign.first_blood import begin, found_registers

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]


def test_a_refused_plain_form_leads_to_what_is_wrong(book, phone):
    campaign, ada, _ben = found_registers()
    page = phone(ada)
    page.goto(f"/campaigns/{campaign.pk}/battles/new/")
    page.evaluate("document.querySelectorAll('#plan [type=radio]').forEach((each) => (each.checked = false))")
    page.get_by_role("button", name="Create battle").tap()
    wrong = page.get_by_role("alert").first
    expect(wrong).to_be_focused()
    assert page.title().startswith(wrong.inner_text().split("\n")[0])


def test_nothing_is_wider_than_the_phone_with_large_text(book, phone):
    fought = begin()
    to_step_4(fought)
    page = phone(fought.ada)
    page.goto(f"/battles/{fought.battle.pk}/sequence/blue/")
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    turn = page.get_by_text("Your turn").bounding_box()
    assert turn["height"] < turn["width"]  # its letters do not stand below each other
