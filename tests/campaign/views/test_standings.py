"""The page of a campaign's standings over time."""

import pytest
from django.urls import reverse
from django.utils.translation import override

from tests.campaign.factories import enlisted
from tests.campaign.fights import gain_reputation, over
from tests.html import html_of
from tests.registers.charts.drawing import outside
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture
def as_mia(client, table):
    client.force_login(table.mia)
    return client


def address(table) -> str:
    return reverse("campaign:standings", args=[table.campaign.pk])


def test_both_pictures_and_their_numbers(as_mia, table):
    battle = over(table, "blue")
    over(table, "")
    gain_reputation(table.alpha, 2, battle)
    page = as_mia.get(address(table))
    text = text_of(page)
    for words in (
        "Over 2 battles; highest Reputation: 2.",
        "2 Reputation Battle 1 : won Battle 2 : drawn",
        "Ashen Patrol Battle 1 +2 2 Dune Wardens None yet 0",
        "2 finished battles.",
        "Ashen Patrol Dune Wardens 1–1–0",
    ):
        assert words in text
    html = html_of(page)
    assert f'href="{battle.get_absolute_url()}" aria-label="Battle 1, won"' in html
    assert 'aria-label="Battle 1, lost"' in html
    assert outside(html) == []


def test_nothing_has_happened_yet(as_mia, table):
    assert "No battle yet" in text_of(as_mia.get(address(table)))


def test_attributes_have_points_in_every_language(as_mia, table):
    for _ in range(3):
        over(table, "blue")
    with override("de"):
        html = html_of(as_mia.get(address(table)))
    assert outside(html) == []


def test_the_campaign_leads_there(as_mia, table):
    page = as_mia.get(reverse("campaign:detail", args=[table.campaign.pk]))
    assert address(table) in html_of(page)


def test_constant_queries(as_mia, table):
    numbers = []
    for name in ("First", "Second", "Third"):
        gain_reputation(enlisted(table.campaign, table.mia, name), 1, over(table, "red"))
        numbers.append(queries_of(as_mia, address(table)))
    assert numbers[0] == numbers[1] == numbers[2]
