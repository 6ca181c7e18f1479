"""The calendar pages."""

from __future__ import annotations

import datetime

import pytest
from django.urls import reverse

from campaign.calendar.models import CalendarAddress
from campaign.chronicle.services import stories
from tests.campaign.factories import planned
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

DAY = datetime.date(2026, 11, 26)


@pytest.fixture
def page(table) -> str:
    return reverse("calendar:campaign", args=[table.campaign.pk])


def test_a_month(as_mia, table, page):
    planned(table, date=DAY, time=datetime.time(19), time_zone="Europe/Berlin", place="Hall B")
    text = text_of(as_mia.get(page, {"day": "2026-11-01"}))
    assert "November 2026" in text
    assert (
        "Thursday, 26 November Ashen Patrol against Dune Wardens "
        "19:00 Europe/Berlin, Hall B, 600 points, both are choosing armies"
    ) in text


def test_a_week(as_mia, table, page):
    planned(table, date=DAY)
    assert "Ashen Patrol" in text_of(as_mia.get(page, {"view": "week", "day": "2026-11-23"}))
    later = text_of(as_mia.get(page, {"view": "week", "day": "2026-11-30"}))
    assert "Week of 30 November 2026" in later
    assert "Ashen Patrol" not in later


def test_an_empty_month_leads_on(as_mia, table, page):
    planned(table, date=DAY)
    answer = as_mia.get(page, {"day": "2026-10-01"})
    assert "Nothing planned" in text_of(answer)
    assert "?view=month&amp;day=2026-11-26" in html_of(answer)


@pytest.mark.parametrize("asked", [{"day": "nonsense"}, {"view": "year"}, {"day": "9999-12-31"}, {"day": "0001-01-01"}])
def test_what_is_no_day_is_today(as_mia, page, asked):
    assert as_mia.get(page, asked).status_code == 200


def test_ones_own_over_all_campaigns(client, table):
    planned(table, date=DAY)
    own = reverse("calendar:personal")
    found = {}
    for user in (table.ada, table.mia):
        client.force_login(user)
        found[user] = "Outer Rim Winter" in text_of(client.get(own, {"day": "2026-11-01"}))
    assert found == {table.ada: True, table.mia: False}


def test_the_address_is_made_on_request(as_mia, table, page):
    assert "webcal:" not in html_of(as_mia.get(page))
    answer = as_mia.post(reverse("calendar:address"), {"campaign": table.campaign.pk})
    assert answer.headers["Location"] == f"{page}#subscribe"
    token = CalendarAddress.objects.get().token
    html = html_of(as_mia.get(page))
    assert f"http://testserver/calendar/{token}/{table.campaign.pk}.ics" in html
    assert f'href="webcal://testserver/calendar/{token}/{table.campaign.pk}.ics"' in html


def test_the_public_address_once_the_campaign_is_public(as_mia, table, page):
    assert "Public address" not in text_of(as_mia.get(page))
    stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    assert "Public address" in text_of(as_mia.get(page))


def test_as_many_queries_for_one_battle_as_for_two(as_mia, table, page):
    at = f"{page}?day=2026-11-01"
    planned(table, date=DAY)
    one = queries_of(as_mia, at)
    battle = table.campaign.battles.get()
    battle.sides.update(open=False)
    planned(table, date=DAY)
    assert queries_of(as_mia, at) == one


@pytest.fixture
def as_mia(client, table):
    client.force_login(table.mia)
    return client
