"""Ten tables of players as people send them, on an organizer's phone: each is read, and says what it leaves out."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rules.tournaments.rule_sets import RuleSet
from tests.registers.factories import make_player
from tests.sent_tables import TEN
from tournaments.services import events

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_ten_tables_on_the_page_of_their_columns(phone, live_server):
    olga = make_player("olga")
    event = events.create_event(actor=olga, name="Winter Cup", rule_set=RuleSet.GALACTIC_CONQUEST)
    page = phone(olga)
    page.goto(live_server.url + reverse("tournaments:import_players", args=[event.pk]))
    for sent in TEN:
        page.locator("input[type=file]").set_input_files(
            {"name": sent.name, "mimeType": "text/csv", "buffer": sent.content}
        )
        with page.expect_navigation():
            page.get_by_role("button", name="Check table").tap()
        rows = [row.split("\t")[1:3] for row in page.locator(".preview tbody").inner_text().splitlines()]
        assert rows == [[name, club] for name, club, _paid in sent.players], sent.name
        warning = page.locator(".message--warning", has_text="Left out:")
        left_out = warning.inner_text().removeprefix("Left out:").strip() if warning.count() else ""
        assert left_out == ", ".join(sent.left_out), sent.name
        assert page.evaluate("document.documentElement.scrollWidth") == 360, sent.name
    page.get_by_label("Datum").select_option(label="Note for the organizers")
    page.get_by_role("button", name="Read again with these columns").tap()
    expect(page.get_by_text("All lines are correct.")).to_be_visible()
    page.get_by_role("button", name="Add 2 players").tap()
    expect(page.get_by_text("2 players added.")).to_be_visible()
    assert list(event.entries.values_list("name", "note")) == [("Jane Doe", "2025-12-09"), ("Zoë Smith", "2025-12-10")]
