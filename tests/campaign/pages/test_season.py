"""Where a campaign stands."""

from datetime import date

from django.urls import reverse

from campaign.pages.season import season_of
from campaign.pages.standings_chart import fought
from campaign.schedule.models import Phase
from tests.campaign.factories import complete
from tests.campaign.fights import over
from tests.registers.views.reading import queries_of, text_of


def test_arcs_rivalries_and_numbers(table):
    for winner in ("blue", "red", "red", ""):
        over(table, winner)
    complete(table.bravo, 2)
    season = season_of(table.campaign, fought(table.campaign))
    [rivalry] = season["rivalries"]
    assert (rivalry.one, rivalry.won, rivalry.drawn, rivalry.lost) == (table.bravo, 2, 1, 1)
    [near] = season["arcs"]
    assert (near.register, near.done, near.words) == (table.bravo, 2, "can be played now")
    [faction] = season["factions"]
    assert (faction["registers"], faction["won"], faction["lost"], season["battles"]) == (2, 3, 3, 4)


def test_the_page_says_so(as_cora, table):
    over(table, "blue")
    over(table, "blue")
    Phase.objects.create(campaign=table.campaign, name="Winter", first_day=date(2020, 1, 1), last_day=date(2099, 1, 1))
    here = reverse("campaign:standings", args=[table.campaign.pk])
    text = text_of(as_cora.get(here))
    assert "Winter, 1 January 2020 – 1 January 2099" in text
    assert "Rivalries Ashen Patrol against Dune Wardens 2–0–0" in text
    assert queries_of(as_cora, here) <= 15
