"""The public page of a campaign, alone and in a frame on another site."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import localdate, now

from campaign.battles.models import Battle, Side
from campaign.chronicle.models import ShareLink
from campaign.chronicle.services import stories
from campaign.discussion.services.announcements import announce
from campaign.discussion.services.comments import add_comment
from campaign.schedule.models import Phase
from campaign.teams.services.teams import assign_registers, save_team
from rules.register.effects import UnitNamed, VeteranRankReached
from tests.campaign.factories import activity_rows, against_guest, army_chosen, happen, planned
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


@pytest.fixture
def link(table) -> ShareLink:
    return stories.open_chronicle(actor=table.cora, campaign=table.campaign)


def closed_battle(table) -> Battle:
    """A closed battle that alpha won."""
    battle = against_guest(table)
    Side.objects.filter(battle=battle).update(open=False)
    Battle.objects.filter(pk=battle.pk).update(status="closed", closed_at=now(), winner="blue", notes="Ben was late")
    return battle


@pytest.fixture
def fought(table) -> Battle:
    return closed_battle(table)


@pytest.mark.parametrize("query", ["", "?embed"])
def test_what_it_shows(client, table, link, fought, query):
    happen(
        table.alpha, UnitNamed(unit="2", name="Grim Hounds", rule="R15"),
        VeteranRankReached(unit="2", veteran_rank=1, rule="R12"),
    )  # fmt: skip
    planned(table)
    Battle.objects.filter(pk=fought.pk).update(date=date(2026, 3, 5))
    text = text_of(client.get(link.get_absolute_url() + query))
    for words in (
        "1 Ashen Patrol Empire 0 1–0–0",
        "Ashen Patrol against Dune Wardens",
        "Ashen Patrol defeated Sal 5 March 2026",
        "Grim Hounds",
        "Veteran Rank 1",
    ):
        assert words in text


@pytest.mark.parametrize("query", ["", "?embed"])
def test_teams_heroes_and_the_phase_without_its_note(client, table, link, fought, query):
    about = {"actor": table.cora, "campaign": table.campaign}
    team = save_team(**about, team_id=uuid4(), name="Rim Alliance", colour="teal", emblem="star")
    assign_registers(**about, teams={table.alpha.pk: team.pk})
    days = {"first_day": localdate(), "last_day": localdate()}
    Phase.objects.create(campaign=table.campaign, name="Winter", note="At Mia’s garage", **days)
    happen(table.alpha, VeteranRankReached(unit="2", veteran_rank=1, rule="R12"))
    text = text_of(client.get(link.get_absolute_url() + query))
    for words in ("Winter now", "1 Rim Alliance 1 Register 0 1–0–0", "Heroes"):
        assert words in text
    assert "garage" not in text


@pytest.mark.parametrize("query", ["", "?embed"])
def test_nothing_secret_is_shown(client, table, link, fought, query):
    battle = army_chosen(planned(table))
    Battle.objects.filter(pk=battle.pk).update(place="Elm Street 5", arrangements="Bring snow")
    type(table.campaign).objects.update(about="We meet at Mia’s")
    announce(actor=table.cora, campaign=table.campaign, title="Friday", text="Prizes")
    add_comment(actor=table.ada, about=battle, text="Ambush!")
    page = html_of(client.get(link.get_absolute_url() + query)).lower()
    secret = (
        ">ada", ">ben", ">cora", "elm street", "snow", "was late", "mia’s", "prizes", "ambush", "friday",
        str(table.alpha.pk), str(battle.pk),
    )  # fmt: skip
    assert [words for words in secret if words in page] == []
    Battle.objects.filter(pk=battle.pk).update(status="in_play")
    assert "Dune Wardens" not in text_of(client.get(link.get_absolute_url() + query))


def test_places_only_if_an_organizer_shows_them(client, as_cora, table, link):
    planned(table, place="Elm Street 5")
    page = reverse("chronicle:share_link", args=[table.campaign.pk])
    visitor = Client()
    for sent, shown in (({"show_places": "on"}, True), ({}, False)):
        for _ in range(2):
            as_cora.post(page, {"do": "places", **sent})
        assert ("Elm Street 5" in text_of(visitor.get(link.get_absolute_url()))) is shown
    kinds = [facts["what"] for _kind, _actor, facts in activity_rows(table.campaign, "public")]
    assert kinds == ["opened", "places shown", "places hidden"]


def test_only_the_embedded_page_may_be_framed(client, table, link):
    whole, embedded = (client.get(link.get_absolute_url() + query) for query in ("", "?embed"))
    policies = [answer["Content-Security-Policy"] for answer in (whole, embedded)]
    assert ["frame-ancestors *" in policy for policy in policies] == [False, True]
    assert [answer.get("X-Frame-Options") for answer in (whole, embedded)] == ["DENY", None]
    page = html_of(embedded)
    assert [tag for tag in ("<form", "<nav", "<button", "<script") if tag in page] == []


def test_the_embedded_page_is_kept_for_a_while(client, table, link):
    address = f"{link.get_absolute_url()}?embed"
    answer = client.get(address)
    assert answer["Cache-Control"] == "public, max-age=300"
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, "frame-ancestors *" in again["Content-Security-Policy"]) == (304, True)
    type(table.campaign).objects.update(name="Inner Rim")
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 200


def test_the_code_to_embed_it(as_cora, table, link):
    type(table.campaign).objects.update(name='Rim "Winter"')
    page = html_of(as_cora.get(reverse("chronicle:share_link", args=[table.campaign.pk])))
    code = (
        f"&lt;iframe src=&quot;http://testserver{link.get_absolute_url()}?embed&quot; "
        "title=&quot;Rim &amp;quot;Winter&amp;quot;&quot;"
    )
    assert code in page


def test_as_many_queries_for_one_battle_as_for_three(table, link):
    closed_battle(table)
    planned(table)
    client = Client()
    client.force_login(table.mia)
    one = queries_of(client, link.get_absolute_url())
    Side.objects.update(open=False)
    closed_battle(table)
    planned(table)
    assert (queries_of(client, link.get_absolute_url()), one <= 15) == (one, True)
