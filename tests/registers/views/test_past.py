"""A Register as it was, and what changed between two moments."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localdate

from registers.ledger import session
from registers.models import Register
from rules.register import effects as e
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.ledger_entries import POINT, edit, put_in_place_of, undo_entry
from tests.registers.views.reading import queries_of, text_of


def written_on(monkeypatch, day: int, hour: int = 12) -> None:
    """Let it be that day of April."""
    monkeypatch.setattr(session.timezone, "now", lambda: datetime(2026, 4, day, hour, tzinfo=UTC))


def past_of(register: Register, query: str = "") -> str:
    return reverse("registers:on_day", args=[register.pk]) + query


def difference_of(register: Register, query: str = "") -> str:
    return reverse("registers:difference", args=[register.pk]) + query


def refusals(client, register, way, queries) -> dict[str, str]:
    """What each query is register, all of them as a page of status 422."""
    found = {}
    for query in queries:
        page = client.get(way(register, query))
        assert page.status_code == 422
        [found[query]] = [error for errors in page.context["form"].errors.values() for error in errors]
    return found


@pytest.fixture
def register(book, player, monkeypatch) -> Register:
    """A Register with a Reputation of 1 on the 3rd, 3 on the 4th; the point of the 3rd is undone on the 5th."""
    written_on(monkeypatch, 2)
    register = make_register(player)
    written_on(monkeypatch, 3)
    point = edit(register, POINT, battle="")
    written_on(monkeypatch, 4)
    edit(register, POINT, POINT, e.SetbackGained(unit="2", setback="downtrodden", rule="R36"))
    written_on(monkeypatch, 5)
    edit(register, e.UnitFell(unit="2", rule="R35"), battle="")
    undo_entry(point, "a slip")
    return register


class TestOnDay:
    def test_what_counted_then(self, signed_in, register):
        values = {
            "?at=2026-04-02": (0, 7),
            "?at=2026-04-03": (1, 8),
            "?at=2026-04-04": (3, 9),
            "?at=2026-04-05": (2, 11),
            "?after=8": (1, 8),
            "?after=10": (2, 11),  # written at the same moment as the next one
            "": (2, 11),
        }
        found = {}
        for query in values:
            page = signed_in.get(past_of(register, query)).context
            found[query] = page["state"].reputation, page["past"].position
        assert found == values

    def test_it_says_that_it_is_the_past_and_offers_nothing_to_do(self, signed_in, register):
        page = signed_in.get(past_of(register, "?at=2026-04-04"))
        text, html = text_of(page), html_of(page)
        assert "This is an earlier version: the Register on 4 April 2026, 12:00, after entry 9" in text
        assert "earlier version" in text
        assert "Stormtroopers" in text
        assert "Downtrodden" in text
        assert reverse("registers:edit", args=[register.pk]) not in html
        assert reverse("registers:dossier", args=[register.pk, 2]) not in html

    def test_the_day_ends_by_the_clocks_of_the_site(self, signed_in, register, monkeypatch, settings):
        written_on(monkeypatch, 6, hour=23)
        edit(register, POINT)
        assert signed_in.get(past_of(register, "?at=2026-04-06")).context["past"].position == 12
        settings.TIME_ZONE = "Europe/Berlin"
        timezone.get_default_timezone.cache_clear()
        try:
            assert signed_in.get(past_of(register, "?at=2026-04-06")).context["past"].position == 11
        finally:
            settings.TIME_ZONE = "UTC"
            timezone.get_default_timezone.cache_clear()

    def test_the_fallen_and_their_battle(self, signed_in, register, monkeypatch):
        written_on(monkeypatch, 6)
        edit(register, e.UnitFell(unit="3", rule="R35"))
        assert "Fallen a battle" in text_of(signed_in.get(past_of(register, "?after=12")))
        assert "Fallen" not in text_of(signed_in.get(past_of(register, "?after=9")))

    def test_entries_that_were_written_at_once_stand_for_each_other(self, signed_in, register, monkeypatch):
        written_on(monkeypatch, 7)
        first = edit(register, e.UnitAdded(unit="9", card="stormtroopers", rule="R11"), battle="")
        edit(register, e.ExperienceGained(unit="9", amount=1, rule="R39"), battle="")
        assert signed_in.get(past_of(register, f"?after={first.position}")).context["past"].position == 13
        assert signed_in.get(past_of(register, "?after=13")).context["earlier"] == 11

    def test_bad_days(self, signed_in, register):
        no_day = "Enter a date as year-month-day, like 2026-04-21."
        too_early = "The Register was started after this day. Enter a later day."
        values = {
            "?at=yesterday": no_day,
            "?at=2026-02-30": no_day,
            "?at=": no_day,
            "?at=2099-12-31": "This day is in the future. Enter today or an earlier day.",
            "?at=9999-12-31": "Choose a year from 2000 to 2100.",
            "?at=2026-04-01": too_early,
            "?at=2000-01-01": too_early,
            "?at=0001-01-01": "Choose a year from 2000 to 2100.",
            "?after=0": too_early,
            "?after=12": "The history has no entry 12.",
            "?after=-1": "The history has no entry -1.",
            "?after=\u0663": "The history has no entry \u0663.",
        }
        assert refusals(signed_in, register, past_of, values) == values

    def test_from_the_ledger(self, signed_in, register):
        html = html_of(signed_in.get(reverse("registers:ledger", args=[register.pk])))
        assert f'{past_of(register)}?after=9"' in html

    def test_nobody_elses(self, client, other, register):
        client.force_login(other)
        assert [client.get(way(register)).status_code for way in (past_of, difference_of)] == [404, 404]


class TestDifference:
    def rows(self, page) -> list[tuple[str, str, str, str]]:
        return [
            (part["name"], change["label"], change["before"], change["after"])
            for part in page.context["parts"]
            for change in part["changes"]
        ]

    def test_between_two_days(self, signed_in, register):
        page = signed_in.get(difference_of(register, "?from=2026-04-03&to=2026-04-04"))
        assert self.rows(page) == [
            ("The Register", "Reputation", "1", "3"),
            ("Stormtroopers (no. 2)", "Setbacks", "–", "Downtrodden 1"),
        ]
        assert [entry.entry.position for entry in page.context["entries"]] == [9]

    def test_what_was_undone_later(self, signed_in, register):
        page = signed_in.get(difference_of(register, "?from=2026-04-04&to=2026-04-05"))
        assert self.rows(page) == [
            ("The Register", "Reputation", "3", "2"),
            ("Stormtroopers (no. 2)", "Status", "serving", "fallen"),
        ]
        assert "Entry 8 (edited) undone" in text_of(page)

    def test_the_spans_that_are_offered(self, signed_in, register):
        today = localdate()
        page = signed_in.get(difference_of(register))
        spans = [(span.label, span.since, span.until) for span in page.context["spans"]]
        assert spans == [("Last battle", 8, 9), ("Last 7 days", 0, 11), ("From the start", 0, 11)]
        assert (page.context["since"], page.context["until"]) == (8, 9)
        assert page.context["form"].initial == {}
        assert page.context["form"]["to"].value() == today

    def test_from_the_beginning(self, signed_in, register):
        rows = self.rows(signed_in.get(difference_of(register, "?since=0&until=11")))
        assert rows[0] == ("The Register", "Name", "–", "Ashen Patrol")
        assert ("The Register", "Story Arc", "–", "Bring Peace to the Galaxy") in rows
        assert ("Captain Sorne", "Status", "–", "serving") in rows

    def test_nothing_is_different(self, signed_in, register):
        page = signed_in.get(difference_of(register, "?since=4&until=4"))
        assert "No changes Show history" in text_of(page)

    def test_bad_days(self, signed_in, register):
        no_day = "Enter a date as year-month-day, like 2026-04-21."
        backwards = "The second day is before the first. Swap them."
        values = {
            "?from=2026-04-04&to=2026-04-03": backwards,
            "?from=&to=2026-04-03": no_day,
            "?from=2026-04-03": no_day,
            "?from=2026-04-03&to=2099-01-01": "This day is in the future. Enter today or an earlier day.",
            "?from=2026-04-03&to=2999-01-01": "Choose a year from 2000 to 2100.",
            "?since=9&until=3": backwards,
            "?since=3&until=99": "The history has no entry 99.",
        }
        assert refusals(signed_in, register, difference_of, values) == values

    def test_a_register_without_battles(self, signed_in, player, founded):
        page = signed_in.get(difference_of(founded))
        assert [span.label for span in page.context["spans"]] == ["Last 7 days", "From the start"]
        assert (page.context["since"], page.context["until"]) == (0, 7)


@pytest.mark.parametrize("way", [past_of, difference_of])
def test_constant_queries(signed_in, player, book, way):
    numbers = []
    for many in (1, 3):
        register = make_register(player, units=many + 1)
        for key in range(2, many + 2):
            edit(register, e.UnitFell(unit=str(key), rule="R35"), battle=str(key))
            put_in_place_of(edit(register, POINT), POINT)
        query = "?since=0" if way is difference_of else ""
        numbers.append(queries_of(signed_in, way(register, query)))
    assert numbers[0] == numbers[1]
