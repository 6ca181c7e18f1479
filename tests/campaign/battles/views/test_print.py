"""Muster sheets and the cards of own Story Arcs."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.urls import reverse
from pypdf import PdfReader

from campaign.battles.models import Battle, CommandHand
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services.story_arcs import load_arcs
from rules.register.effects import CommendationAwarded, CommendationOwed, KeywordGained, SetbackGained
from tests.campaign.factories import against_guest, army_chosen, happen, hold, in_play, planned, side_of
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

BROUGHT = {"agenda": "keep-them-in-line", "assets": ("medevac",)}


@pytest.fixture
def battle(table):
    hold(table.alpha, "medevac")
    happen(
        table.alpha,
        SetbackGained(unit="2", setback="downtrodden", rule="R36"),
        CommendationOwed(unit="2", rule="R15"),
        CommendationAwarded(unit="2", commendation="resilient", rule="R15"),
        KeywordGained(unit="2", keyword="Aim 1", rule="R26"),
    )
    return planned(table)


@pytest.fixture
def url(battle):
    return reverse("battles:print", args=[battle.pk])


def printed(client, user, url, **query):
    client.force_login(user)
    return client.get(url, query).context["printed"]


class TestAMusterSheet:
    def test_what_holds_for_an_army(self, client, table, battle, url, book):
        in_play(battle, blue=BROUGHT)
        client.force_login(table.ada)
        said = text_of(client.get(url))
        squeezed = "".join(said.split())
        agenda, asset = book.agendas["keep-them-in-line"], book.assets["medevac"]
        for words in (
            "Ashen Patrol",
            f"Outer Rim Winter, Battle 1, {battle.date:%-d %B %Y}",
            agenda.name,
            agenda.tally,
            f"{asset.name}.{asset.effect}",
            f"Downtrodden 1.{book.setbacks['downtrodden'].effect}",
            f"Resilient.{book.commendations['resilient'].effect}",
            "Keywords gained Aim 1",
            "defeated objective marked",
        ):
            assert "".join(words.split()) in squeezed, words
        troopers, officer = book.units["stormtroopers"], book.units["imperial-officer-ruthless-efficiency"]
        points = 2 * troopers.points + 15 + officer.points
        assert f"Army points: {points} of 600" in said
        assert f"Army points {troopers.points + 15}" in said

    def test_a_pdf_has_the_same_pages(self, client, table, battle, url):
        in_play(battle, blue=BROUGHT)
        shown = printed(client, table.ada, url, side="both")
        answer = client.get(url, {"side": "both", "as": "pdf"})
        pages = [page.extract_text() for page in PdfReader(BytesIO(answer.content)).pages]
        assert len(pages) == len(shown.pages) == 2
        assert ["Ashen Patrol" in pages[0], "Dune Wardens" in pages[1]] == [True, True]

    def test_ones_own_army_first(self, client, table, battle, url):
        in_play(battle)
        for user, first in ((table.ada, "blue"), (table.ben, "red"), (table.mia, "blue")):
            [asked, _paper] = printed(client, user, url).choices
            assert (asked.current, {value for value, *_ in asked.options}) == (first, {"blue", "red", "both"})

    def test_an_army_is_hidden_until_the_battle_begins(self, client, table, battle, url):
        army_chosen(battle)
        assert "Dune Wardens" not in text_of_leaves(client, table.ada, url, side="red")
        assert "Dune Wardens" not in text_of_leaves(client, table.ada, url, side="both")
        assert "There is no army to print" in text_of_leaves(client, table.mia, url)

    def test_the_command_hand_is_never_on_it(self, client, table, battle, url, book):
        in_play(battle)
        hand = sorted(book.commands)[:7]
        CommandHand.objects.create(side=side_of(battle, "blue"), cards=hand)
        for user in (table.ada, table.ben, table.cora):
            said = text_of_leaves(client, user, url, side="both")
            assert [slug for slug in hand if book.commands[slug].name in said] == []

    def test_nothing_after_the_battle(self, client, table, battle, url):
        in_play(battle)
        Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)
        assert printed(client, table.ada, url).pages == []

    def test_against_a_guest(self, client, table):
        battle = in_play(against_guest(table))
        shown = printed(client, table.ada, reverse("battles:print", args=[battle.pk]))
        assert (len(shown.pages), [asked.name for asked in shown.choices]) == (1, ["paper"])

    def test_the_page_of_the_battle_leads_here_when_there_is_something(self, client, table, battle, url):
        client.force_login(table.mia)
        assert url not in html_of(client.get(battle.get_absolute_url()))
        in_play(battle)
        assert url in html_of(client.get(battle.get_absolute_url()))

    def test_not_for_strangers(self, client, table, url):
        client.force_login(table.eve)
        assert client.get(url).status_code == 404

    def test_as_many_queries_for_both_sides(self, client, table, battle, url):
        in_play(battle)
        client.force_login(table.ada)
        assert queries_of(client, f"{url}?side=blue") == queries_of(client, f"{url}?side=both")


def text_of_leaves(client, user, url, **query) -> str:
    client.force_login(user)
    return text_of(client.get(url, query)).split("What to print", 1)[-1]


class TestAnOwnArc:
    @pytest.fixture
    def version(self, book):
        load_arcs()
        return ArcVersion.objects.select_related("story_arc").first()

    def test_its_cards(self, client, table, version):
        url = reverse("story_arcs:print", args=[table.campaign.pk, version.pk])
        client.force_login(table.mia)
        said = text_of(client.get(url))
        content = version.content
        for name in (content["name"], *(agenda["name"] for agenda in content["agendas"])):
            assert name in said
        page = reverse("story_arcs:version", args=[table.campaign.pk, version.pk])
        assert url in html_of(client.get(page))

    def test_not_for_strangers(self, client, table, version):
        client.force_login(table.eve)
        url = reverse("story_arcs:print", args=[table.campaign.pk, version.pk])
        assert client.get(url).status_code == 404
