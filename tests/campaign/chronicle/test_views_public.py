"""The chronicle as strangers read it, its feed, and the page of its link."""

import re
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from campaign.battles.models import Battle, CommandHand, Side
from campaign.chronicle.models import ShareLink
from campaign.chronicle.narrative import after_action
from campaign.chronicle.narrative.entries import battle_entries
from campaign.chronicle.services import stories
from registers.models import Register
from tests.campaign.factories import against_guest, planned
from tests.html import flat, html_of
from tests.registers.views.reading import queries_of, text_of

HAND = ["assault", "ambush", "push", "pinned-down", "coordinated-fire", "standing-orders", "turning-the-tide"]
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def link(table) -> ShareLink:
    return stories.open_chronicle(actor=table.cora, campaign=table.campaign)


def closed_battle(table, number: int = 1) -> Battle:
    """So many battles, closed, each with a piece of ada's; the last of them."""
    for count in range(number):
        battle = against_guest(table)
        Side.objects.filter(battle=battle).update(open=False)
        Battle.objects.filter(pk=battle.pk).update(
            status="closed", closed_at=now(), winner="blue", place="Elm Street 5", notes="Cora was late"
        )
        stories.write(
            actor=table.ada, campaign=table.campaign, battle=battle, title=f"Piece {count}",
            text="Snow.", byline="The Captain",
        )  # fmt: skip
    return battle


def stories_page(link: ShareLink) -> str:
    return reverse("chronicle:public_stories", args=[link.token])


def addresses(link: ShareLink, battle: Battle) -> list[str]:
    return [
        stories_page(link),
        reverse("chronicle:public_entry", args=[link.token, battle.pk]),
        reverse("chronicle:public_feed", args=[link.token]),
    ]


def test_what_strangers_read_and_what_not(client, table, link):
    battle = closed_battle(table)
    CommandHand.objects.create(side=battle.sides.get(colour="blue"), cards=HAND)
    type(table.campaign).objects.update(about="We meet at Ben’s")
    for address in addresses(link, battle):
        answer = client.get(address)
        text = text_of(answer)
        shown = [words for words in ("Ashen Patrol defeated Sal", "Snow.", "The Captain") if words in text]
        assert shown == ["Ashen Patrol defeated Sal", "Snow.", "The Captain"], address
        page = html_of(answer).lower()
        secret = ("ada", "cora", "elm street", "was late", "ambush", "at ben", "/accounts/profile")
        assert [words for words in secret if re.search(rf"\b{words}\b", page)] == [], address
        assert answer["X-Robots-Tag"] == "noindex, nofollow, noarchive"
        assert "no-store" in answer["Cache-Control"]


def test_only_what_is_told(client, table, link):
    planned(table)
    for address in (link.get_absolute_url(), stories_page(link)):
        assert "No stories yet" in text_of(client.get(address))


def test_a_link_that_was_removed_or_renewed_leads_nowhere(client, table, link):
    battle = closed_battle(table)
    old = addresses(link, battle)
    new = stories.renew(actor=table.cora, campaign=table.campaign, token=link.token)
    assert [client.get(address).status_code for address in old] == [404] * 3
    assert [client.get(address).status_code for address in addresses(new, battle)] == [200] * 3
    stories.close_chronicle(actor=table.cora, campaign=table.campaign)
    assert [client.get(address).status_code for address in addresses(new, battle)] == [404] * 3


def test_no_entry_of_another_campaign_and_none_that_is_not_told(client, table, link):
    running = planned(table)
    story = stories.write(actor=table.ada, campaign=table.campaign, battle=running, title="A", text="B")
    for key in (running.pk, story.pk):
        assert client.get(reverse("chronicle:public_entry", args=[link.token, key])).status_code == 404


def test_messengers_are_told_what_it_is(client, table, link):
    page = html_of(client.get(link.get_absolute_url()))
    for meta in (
        '<meta name="robots" content="noindex, nofollow, noarchive">',
        '<meta property="og:title" content="Outer Rim Winter">',
        f'<meta property="og:url" content="http://testserver{link.get_absolute_url()}">',
        f'type="application/atom+xml" title="Outer Rim Winter" href="{link.get_absolute_url()}feed/"',
    ):
        assert meta in page
    battle = closed_battle(table)
    battle.refresh_from_db()
    page = html_of(client.get(reverse("chronicle:public_entry", args=[link.token, battle.pk])))
    text = " ".join(battle_entries([battle])[0].narrative.battle)
    assert f'<meta property="og:description" content="{text}">' in page


def test_strangers_are_shown_the_way_in(client, table, link):
    for address in (link.get_absolute_url(), *addresses(link, closed_battle(table))[:2]):
        assert "Your own campaign" in text_of(Client().get(address))
    client.force_login(table.ada)
    assert "Your own campaign" not in text_of(client.get(link.get_absolute_url()))


@pytest.mark.parametrize("which", [0, 2])
def test_as_many_queries_for_one_entry_as_for_three(table, link, which):
    address = addresses(link, closed_battle(table))[which]
    one = queries_of(Client(), address)
    closed_battle(table, 2)
    assert queries_of(Client(), address) == one


class TestFeed:
    def test_newest_first(self, client, table, link):
        battle = closed_battle(table, 2)
        answer = client.get(f"{link.get_absolute_url()}feed/")
        feed = ElementTree.fromstring(answer.content)  # noqa: S314
        assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
        assert (feed.findtext(f"{ATOM}title"), feed.findtext(f"{ATOM}id")) == (
            "Outer Rim Winter", table.campaign.pk.urn
        )  # fmt: skip
        assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Outer Rim Winter"  # Atom asks for one
        first = feed.find(f"{ATOM}entry")
        page = f"http://testserver{link.get_absolute_url()}{battle.pk}/"
        assert len(feed.findall(f"{ATOM}entry")) == 2
        assert first.find(f"{ATOM}link").get("href") == page
        assert (first.findtext(f"{ATOM}title"), first.findtext(f"{ATOM}id")) == (
            "Ashen Patrol defeated Sal", battle.pk.urn
        )  # fmt: skip
        assert "<h3>Piece 1</h3><p>Snow.</p>" in flat(first.findtext(f"{ATOM}summary"))
        assert first.findtext(f"{ATOM}updated") > first.findtext(f"{ATOM}published")

    def test_names_that_xml_cannot_hold(self, client, table, link):
        closed_battle(table)
        Register.objects.update(name="Ashen\x07\x1b\uffff Patrol")
        feed = client.get(f"{link.get_absolute_url()}feed/").content
        assert "Ashen Patrol defeated Sal" in ElementTree.fromstring(feed)[-1].findtext(f"{ATOM}title")  # noqa: S314

    def test_it_stays_the_same_under_another_link(self, client, table, link):
        closed_battle(table)
        before = html_of(client.get(f"{link.get_absolute_url()}feed/")).replace(link.token, "")
        new = stories.renew(actor=table.cora, campaign=table.campaign, token=link.token)
        after = html_of(client.get(f"{new.get_absolute_url()}feed/")).replace(new.token, "")
        assert before == after


class TestThePageOfTheLink:
    @pytest.fixture
    def as_cora(self, client, table):
        client.force_login(table.cora)
        return client

    def test_made_renewed_and_undone(self, as_cora, table):
        address = reverse("chronicle:share_link", args=[table.campaign.pk])
        assert "Only members of the campaign can read the chronicle now." in text_of(as_cora.get(address))
        as_cora.post(address, {"do": "open"})
        first = ShareLink.objects.get()
        assert f"http://testserver{first.get_absolute_url()}" in text_of(as_cora.get(address))
        for _ in range(2):
            as_cora.post(address, {"do": "renew", "token": first.token})
        second = ShareLink.objects.get()
        assert second.token != first.token
        as_cora.post(address, {"do": "nothing of this"})
        assert ShareLink.objects.get() == second
        as_cora.post(address, {"do": "close"})
        assert not ShareLink.objects.exists()

    def test_the_chronicle_says_who_reads_it(self, client, table, link):
        client.force_login(table.mia)
        address = reverse("chronicle:index", args=[table.campaign.pk])
        assert "Members of the campaign, and anyone with the public link." in text_of(client.get(address))
        stories.close_chronicle(actor=table.cora, campaign=table.campaign)
        assert "Only members of the campaign." in text_of(client.get(address))


def test_the_picture_for_messengers(client, table, link, monkeypatch, settings):
    """It has a limit of its own, because messengers share addresses."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"public_card": "1/h/ip"}
    monkeypatch.setattr(after_action, "picture_png", lambda html, width, height: f"{width} {height}".encode())
    closed_battle(table)
    page = html_of(client.get(link.get_absolute_url()))
    address = reverse("chronicle:public_card", args=[link.token])
    assert f'<meta property="og:image" content="http://testserver{address}">' in page
    answer = client.get(address)
    assert (answer["Content-Type"], answer["X-Robots-Tag"]) == ("image/png", "noindex, nofollow, noarchive")
    assert (answer.content, answer["Cache-Control"]) == (b"1200 630", "private, max-age=3600")
    assert client.get(address).status_code == 429
    stories.close_chronicle(actor=table.cora, campaign=table.campaign)
    assert client.get(address).status_code == 404
