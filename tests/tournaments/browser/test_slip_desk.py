"""Typing a paper slip on a laptop: four keystrokes and the numbers."""

import pytest
from playwright.sync_api import expect

from tests.tournaments.table_world import GC, TR, game_of, paired_event, won
from tournaments.queries.history import result_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("rule_set", [GC, TR])
def test_four_keystrokes_and_the_numbers(phone, rule_set):
    olga, event = paired_event(rule_set)
    page = phone(olga)
    page.goto(f"/events/{event.pk}/slips/")
    numbers, others = 0, 0
    habit = ["Tab"] if rule_set == TR else []  # after a figure that went on by itself
    for table, keys in (("1", ["a", "5", "Tab", "3", "Tab", "500", *habit, "300", "Enter"]), ("2", ["b"])):
        expect(page.get_by_label("Table", exact=True)).to_be_focused()
        for key in (table, *keys):
            if key.isdecimal():
                numbers += 1
                page.keyboard.type(key)
            else:
                others += 1
                page.keyboard.press(key)
        if table == "1":
            expect(page.get_by_text("Table 1: Asha won")).to_be_visible()
            assert (numbers, others - len(habit)) == (5, 4)
    expect(page.locator(".slip__players")).to_have_text("A Cleo B Dov open", use_inner_text=True)
    expect(page.get_by_role("radio", name="B", exact=True)).to_be_checked()
    expect(page.get_by_label("A: victory tokens")).to_be_focused()
    assert result_of(game_of(event, "Asha")) == won(event, "Asha")
    if rule_set == TR:  # a Tab is kept from going on only as long as nothing else had the focus
        page.get_by_label("A: points defeated").focus()
        page.keyboard.type("500")
        for key in ("Shift+Tab", "Tab", "Tab"):
            page.keyboard.press(key)
        expect(page.get_by_label("B: points defeated")).not_to_be_focused()
    page.goto("about:blank")
