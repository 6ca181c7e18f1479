"""The calendar pages."""

import datetime

import pytest
from django.urls import reverse

from campaign.calendar.models import CalendarAddress
from campaign.chronicle.services import stories
from tests.campaign.factories import planned
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

DAY = datetime.date(2025, 12, 4)


@pytest.fixture
def there(table) -> str:
    return reverse("calendar:campaign", args=[table.campaign.pk])


def test_a_month(as_mia, table, there):
    planned(table, date=DAY, time=datetime.time(19), time_zone="Europe/Berlin", place="Hall B")
    text = text_of(as_mia.get(there, {"day": "2025-12-01"}))
    assert "December 2025" in text
    assert (
        "Thursday, 4 December Ashen Patrol against Dune Wardens "
        "19:00 Europe/Berlin, Hall B, 600 points, both are choosing armies"
    ) in text


def test_a_week(as_mia, table, there):
    planned(table, date=DAY)
    assert "Ashen Patrol" in text_of(as_mia.get(there, {"view": "week", "day": "2025-12-01"}))
    later = text_of(as_mia.get(there, {"view": "week", "day": "2025-12-08"}))
    assert "Week of 8 December 2025" in later
    assert "Ashen Patrol" not in later


def test_an_empty_month_leads_on(as_mia, table, there):
    planned(table, date=DAY)
    answer = as_mia.get(there, {"day": "2025-10-01"})
    assert "Nothing planned" in text_of(answer)
    assert "?view=month&amp;day=2025-12-04" in html_of(answer)


@pytest.mark.parametrize("asked", [{"day": "nonsense"}, {"view": "year"}, {"day": "9999-12-31"}, {"day": "0001-01-01"}])
def test_what_is_no_day_is_today(as_mia, there, asked):
    assert as_mia.get(there, asked).status_code == 200


def test_ones_own_over_all_campaigns(client, table):
    planned(table, date=DAY)
    own = reverse("calendar:personal")
    found = {}
    for user in (table.ada, table.mia):
        client.force_login(user)
        found[user] = "Outer Rim Winter" in text_of(client.get(own, {"day": "2025-12-01"}))
    assert found == {table.ada: True, table.mia: False}


def test_the_address_is_made_on_request(as_mia, table, there):
    assert "webcal:" not in html_of(as_mia.get(there))
    answer = as_mia.post(reverse("calendar:address"), {"campaign": table.campaign.pk})
    assert answer.headers["Location"] == f"{there}#subscribe"
    token = CalendarAddress.objects.get().token
    html = html_of(as_mia.get(there))
    assert f"http://testserver/calendar/{token}/{table.campaign.pk}.ics" in html
    assert f'href="webcal://testserver/calendar/{token}/{table.campaign.pk}.ics"' in html


def test_the_public_address_once_the_campaign_is_public(as_mia, table, there):
    assert "Public address" not in text_of(as_mia.get(there))
    stories.open_chronicle(actor=table.cora, campaign=table.campaign)
    assert "Public address" in text_of(as_mia.get(there))


def test_as_many_queries_for_one_battle_as_for_two(as_mia, table, there):
    at = f"{there}?day=2025-12-01"
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


def test_battles_of_a_day_are_in_order_of_time(as_mia, table, there):
    for number, hour in enumerate((None, 21, None, 19), 1):
        planned(
            table, date=DAY, time=hour and datetime.time(hour), time_zone=hour and "Europe/Berlin", size=number * 100
        )
    text = text_of(as_mia.get(there, {"day": "2025-12-01"}))
    shown = sorted((text.index(f"{points} points"), points) for points in (100, 200, 300, 400))
    assert [points for _place, points in shown] == [400, 200, 100, 300]


def test_a_month_has_all_its_days(as_mia, table, there):
    planned(table, date=DAY)
    html = html_of(as_mia.get(there, {"day": "2025-12-01"}))
    assert (html.count('class="day '), html.count("day--free")) == (31, 30)
