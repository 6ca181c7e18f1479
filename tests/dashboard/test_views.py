"""The home page, and what every page says of it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaign.lifecycle.services import close
from campaign.models import Enlistment
from campaign.services import campaigns
from registers.services import building
from tests.campaign.battles.closing import blue_to_step_5, red_to_step_5
from tests.campaign.factories import enlisted, in_play, planned, reported, side_of
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.reading import queries_of, text_of

HOME, BADGE = "/", "/waiting/"


def test_visitors_read_what_it_is(client, db):
    page = client.get(HOME)
    text = text_of(page)
    assert text.partition("Star Wars: Legion Tours of Duty A campaign is a series of battles in your group")[1]
    for words in ("Try the demo", "Create a campaign", "I have an invitation", "Find an event", "Sign up"):
        assert words in text
    pictures = re.findall(r'<img src="[^"]+" width="540" height="960" loading="lazy" alt="[^"]*">', html_of(page))
    assert len(pictures) == 2


def next_step(client, user) -> str:
    """The card with the next step of a user; empty without one."""
    client.force_login(user)
    found = re.search(r'<section class="[^"]+" id="next".*?</section>', html_of(client.get(HOME)), re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found.group().partition(">")[2]).split()) if found else ""


class TestTheNextStep:
    """Nobody is left with nothing to do."""

    def test_of_somebody_new(self, client, table):
        text = next_step(client, table.eve)
        assert text.startswith("Get started Join a campaign by link, or create one.")
        for words in ("Invitation link or code", "Open invitation", "Create a campaign", "Build a Register"):
            assert words in text
        assert "You are not in any open campaign." in text_of(client.get(HOME))

    def test_of_a_register_without_a_campaign(self, client, table):
        strays = make_register(table.eve, name="Strays")
        assert next_step(client, table.eve).startswith("Find a campaign for Strays Join one by link, or create one")
        assert "Create a campaign Play a battle" in next_step(client, table.eve)
        own = campaigns.create_campaign(actor=table.eve, name="Weekend War")
        assert next_step(client, table.eve) == (
            "Add Strays to a campaign A Register fights in one campaign. Add to Weekend War"
        )
        client.post(reverse("campaign:add_register", args=[own.pk, strays.pk]))
        assert next_step(client, table.eve).startswith("Invite an opponent to Weekend War")
        bar = html_of(client.get(own.get_absolute_url())).split('class="action-bar"')[1]
        assert f'{reverse("campaign:people", args=[own.pk])}#invite">Invite an opponent' in bar

    def test_of_a_register_that_is_being_built(self, client, table):
        building.open_register(actor=table.eve, owner=table.eve, faction="rebel")
        assert next_step(client, table.eve).startswith("Find a campaign Join one by link, or create one.")

    def test_of_a_player_whose_campaign_is_over(self, client, table):
        close(actor=table.cora, campaign=table.campaign)
        assert next_step(client, table.ada).startswith("Find a campaign Join one by link, or create one.")
        assert "Plan a battle" not in text_of(client.get(HOME))
        assert next_step(client, table.cora).startswith("Find a campaign Join one by link, or create one.")

    def test_of_an_empty_campaign(self, client, table):
        own = campaigns.create_campaign(actor=table.eve, name="Weekend War")
        assert next_step(client, table.eve).endswith("show them the QR code. Invite an opponent Build your Register")
        assert "First steps Invite an opponent" in text_of(client.get(own.get_absolute_url()))

    def test_of_a_player_without_a_register(self, client, table):
        assert next_step(client, table.mia).startswith("Build your Register for Outer Rim Winter")

    def test_of_a_campaign_without_battles(self, client, table):
        assert next_step(client, table.ada).startswith("Plan the first battle of Outer Rim Winter")
        planned(table)
        assert next_step(client, table.ada) == ""

    def test_of_the_only_register_of_a_campaign(self, client, table):
        Enlistment.objects.filter(register=table.bravo).delete()
        assert next_step(client, table.ada).startswith("Wait for a second Register in Outer Rim Winter")


def test_campaigns_by_name(client, table):
    for name in ("Zeta", "Alpha", "Mid"):
        campaigns.create_campaign(actor=table.eve, name=name)
    client.force_login(table.eve)
    text = text_of(client.get(HOME))
    assert sorted(("Zeta", "Alpha", "Mid"), key=text.index) == ["Alpha", "Mid", "Zeta"]


def test_registers_and_campaigns(as_ada):
    text = text_of(as_ada.get(HOME))
    for words in (
        "Nothing to answer right now.",
        "Ashen Patrol Bring Peace to the Galaxy · Outer Rim Winter",
        "CP 139 /600",
        "Outer Rim Winter 4 members 0 battles",
    ):
        assert words in text


def test_what_waits_leads_to_where_it_is_done(as_ada, table):
    battle = planned(table)
    register = building.open_register(actor=table.ada, owner=table.ada, faction="rebel")
    page = as_ada.get(HOME)
    choose_army = reverse("battles:army", args=[side_of(battle, "blue").pk])
    for words, there in (
        ("Finish building Unnamed Register, Rebel", reverse("registers:building", args=[register.pk])),
        ("Choose the army of Ashen Patrol Outer Rim Winter · Battle 1: Ashen Patrol against Dune Wardens", choose_army),
    ):
        assert words in text_of(page)
        assert f'href="{there}"' in html_of(page)


def test_a_consent_is_one_tap_away(client, table):
    Enlistment.objects.filter(register=table.alpha).update(awaits_consent=True)
    client.force_login(table.cora)
    page = client.get(HOME)
    there = reverse("campaign:consent", args=[table.campaign.pk, table.alpha.pk])
    assert "Review Ashen Patrol" in text_of(page)
    assert f'href="{there}"' in html_of(page)
    assert "Your turn 1" in text_of(page)


def test_who_else_is_waited_for(as_ada, table):
    reported(in_play(planned(table)), table.ada)
    assert "Waiting for ben to confirm your report Outer Rim Winter · Battle 1" in text_of(as_ada.get(HOME))


def test_a_step_says_what_it_asks(client, fought):
    client.force_login(fought.ada_organizes())
    red_to_step_5(fought)
    blue_to_step_5(fought)
    fought.answer("red", "3")
    fought.answer("blue", "7")
    page = client.get(HOME)
    assert "Award a Commendation First Blood · Battle 1: Ashen Patrol against Dune Wardens 6/10" in text_of(page)
    assert reverse("battles:sequence_side", args=[fought.battle.pk, "blue"]) in html_of(page)


def test_as_many_queries_for_three_of_everything(as_ada, table):
    planned(table)
    one = queries_of(as_ada, HOME)
    for name in ("Second", "Third"):
        table.alpha = enlisted(table.campaign, table.ada, name)
        table.bravo = enlisted(table.campaign, table.ben, f"Against {name}")
        planned(table)
    building.open_register(actor=table.ada, owner=table.ada)
    assert queries_of(as_ada, HOME) == one


class TestTheBadge:
    """A link on the cover of every page; its number is asked for once the page is there."""

    def label(self, page) -> str:
        """What it says; "none" without one."""
        found = re.search(r'id="badge".*?</a>', html_of(page), re.DOTALL)
        return " ".join(re.sub("<[^>]+>", " ", found.group().partition(">")[2]).split()) if found else "none"

    def test_visitors_have_none(self, client, db):
        assert self.label(client.get(HOME)) == "none"
        assert client.get(BADGE).status_code == 302

    @pytest.mark.parametrize("name", ["accounts:profile", "campaign:new", "registers:new"])
    def test_every_page_has_the_link_and_reads_nothing_for_it(self, as_ada, table, name):
        planned(table)
        with CaptureQueriesContext(connection) as queries:
            page = as_ada.get(reverse(name))
        assert self.label(page) == "Your turn"
        assert 'hx-trigger="load, poll"' in html_of(page)
        asked = [query["sql"] for query in queries.captured_queries]
        assert [sql for sql in asked if "battles_side" in sql or "campaign_enlistment" in sql] == []

    def test_a_page_that_is_not_found_has_it(self, as_ada, table):
        assert self.label(as_ada.get("/nowhere/")) == "Your turn"

    def test_home_has_the_number_at_once(self, as_ada, table):
        assert self.label(as_ada.get(HOME)) == "Your turn"
        planned(table)
        page = as_ada.get(HOME)
        assert (self.label(page), "load, poll" in html_of(page)) == ("Your turn 1", False)

    def test_it_looks_again(self, as_ada, table):
        planned(table)
        first = as_ada.get(BADGE)
        assert (self.label(first), first.headers["HX-Trigger"]) == ("Your turn 1", '{"waiting-changed": {}}')
        [tag] = re.findall(r'If-None-Match": "\\"(\w+)', html_of(first))
        headers = {"If-None-Match": f'"{tag}"'}
        assert as_ada.get(BADGE, headers=headers).status_code == 304
        building.open_register(actor=table.ada, owner=table.ada)
        again = as_ada.get(BADGE, headers=headers)
        assert (again.status_code, self.label(again)) == (200, "Your turn 2")

    def test_the_page_has_seen_what_it_shows(self, as_ada, table):
        planned(table)
        [tag] = re.findall(r'If-None-Match": "\\"(\w+)', html_of(as_ada.get(HOME)))
        assert as_ada.get(BADGE, headers={"If-None-Match": f'"{tag}"'}).status_code == 304
