"""The chronicle of a campaign, page by page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaign.models import Kind
from campaign.services.chronicle import record
from tests.campaign.factories import in_play, planned, reported
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture
def as_mia(client, table):
    client.force_login(table.mia)
    return client


def address(table) -> str:
    return reverse("campaign:chronicle", args=[table.campaign.pk])


def change(table, number: int) -> None:
    for count in range(number):
        record(
            actor=table.cora,
            campaign=table.campaign,
            kind=Kind.TERMS,
            name="supply_points",
            before=count,
            after=9,
        )


def test_what_happened_newest_first_and_of_which_battle(as_mia, table):
    reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
    said = text_of(as_mia.get(address(table)))
    told = [
        "Battle 1 : The battle is reported: Ashen Patrol won, 7 : 4.",
        "Battle 1 : The battle begins.",
        "Battle 1 : Dune Wardens musters: both armies stand.",
        "Battle 1 : Ashen Patrol musters.",
        "Battle 1 : Ashen Patrol against Dune Wardens is planned: 600 points",
    ]
    places = [said.index(words) for words in told]
    assert places == sorted(places)


def test_fifty_a_page(as_mia, table):
    planned(table)
    change(table, 50)
    first, second = (text_of(as_mia.get(address(table), {"page": page})) for page in (1, 2))
    assert (first.count("Supply Points:"), "is planned" in first, "1 / 2 Older" in first) == (50, False, True)
    assert ("is planned" in second, "Newer 2 / 2" in second) == (True, True)


def test_as_many_queries_for_few_as_for_many(as_mia, table):
    planned(table)
    one = queries_of(as_mia, address(table))
    for other in (table.alpha, table.bravo):
        other.sides.update(open=False)
    reported(in_play(planned(table)), table.ada)
    change(table, 9)
    assert queries_of(as_mia, address(table)) == one


def test_the_page_of_the_campaign_has_the_last_few(as_mia, table):
    planned(table)
    change(table, 5)
    said = text_of(as_mia.get(reverse("campaign:detail", args=[table.campaign.pk])))
    assert (said.count("Supply Points:"), "is planned" in said) == (5, False)
