"""Army sheets and the cards of own Story Arcs."""

from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.urls import reverse
from pypdf import PdfReader

from campaign.battles.models import Battle, CommandHand
from campaign.pages.register_links import campaign_name_of_register
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services.story_arcs import load_arcs
from registers.print.paper_sizes import ColumnPage
from registers.print.preview import Printed
from rules.register.effects import CommendationAwarded, CommendationOwed, KeywordGained, SetbackGained
from tests.campaign.battles.closing import closed
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


class TestArmySheets:
    def test_what_holds_for_an_army(self, client, table, battle, url, book):
        in_play(battle, blue=BROUGHT)
        client.force_login(table.ada)
        text = text_of(client.get(url))
        squeezed = "".join(text.split())
        agenda, asset = book.agendas["keep-them-in-line"], book.assets["medevac"]
        for words in (
            "Ashen Patrol",
            f"Player: ada · Outer Rim Winter Battle 1 · against Dune Wardens · {battle.date:%-d %B %Y}",
            agenda.name,
            agenda.tally,
            f"{asset.name}.{asset.effect}",
            f"Downtrodden 1.{book.setbacks['downtrodden'].effect}",
            f"Resilient.{book.commendations['resilient'].effect}",
            "Gained keywords Aim 1",
            "Round 1 2 3 4 5 6",
            "4 minis · 1 wound each",
            "Wounds",
            "Activated 1 2 3 4 5 6 Defeated Objective Marked",
            f"Keywords {', '.join(book.units['stormtroopers'].keywords)}",
        ):
            assert "".join(words.split()) in squeezed, words
        troopers, officer = book.units["stormtroopers"], book.units["imperial-officer-ruthless-efficiency"]
        points = 2 * troopers.points + 15 + officer.points
        assert f"Army points: {points} of 600" in text
        assert f"{troopers.points + 15} points" in text

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
        asked = [printed(client, table.ada, url, side=side) for side in ("red", "both")]
        assert [sheets_of(each) for each in asked] == [["Ashen Patrol"], ["Ashen Patrol"]]
        assert "No army to print yet." in text_of_leaves(client, table.mia, url)

    def test_the_command_hand_is_never_on_it(self, client, table, battle, url, book):
        in_play(battle)
        hand = sorted(book.commands)[:7]
        CommandHand.objects.create(side=side_of(battle, "blue"), cards=hand)
        for user in (table.ada, table.ben, table.cora):
            text = text_of_leaves(client, user, url, side="both")
            assert [slug for slug in hand if book.commands[slug].name in text] == []

    def test_the_armies_of_a_closed_battle_as_they_fought(self, client, fought, book):
        battle = closed(fought)
        for user in (fought.ada, fought.ben):
            client.force_login(user)
            text = text_of(client.get(reverse("battles:print", args=[battle.pk]), {"side": "both"}))
            for name in ("Ashen Patrol", "Dune Wardens", "Rebel Troopers"):
                assert name in text

    def test_against_a_guest(self, client, table):
        battle = in_play(against_guest(table))
        shown = printed(client, table.ada, reverse("battles:print", args=[battle.pk]))
        assert (len(shown.pages), [asked.name for asked in shown.choices]) == (1, ["paper"])

    def test_the_page_of_the_battle_leads_here_when_there_is_something(self, client, table, battle, url):
        client.force_login(table.mia)
        assert url not in html_of(client.get(battle.get_absolute_url()))
        in_play(battle)
        assert url in html_of(client.get(f"{battle.get_absolute_url()}?details"))

    def test_not_for_strangers(self, client, table, url):
        client.force_login(table.eve)
        assert client.get(url).status_code == 404

    def test_as_many_queries_for_both_sides(self, client, table, battle, url):
        in_play(battle)
        client.force_login(table.ada)
        assert queries_of(client, f"{url}?side=blue") == queries_of(client, f"{url}?side=both")


class TestADay:
    """All that the battles of a day need."""

    @pytest.fixture
    def day(self, table):
        return reverse("battles:print_day", args=[table.campaign.pk])

    def test_armies_registers_agendas_and_missions(self, client, table, battle, day, book):
        in_play(battle, blue=BROUGHT)
        Battle.objects.filter(pk=battle.pk).update(turning_point="bring-peace-to-the-galaxy")
        shown = printed(client, table.mia, day)
        mission = book.story_arcs["bring-peace-to-the-galaxy"].turning_point.name
        agenda = book.agendas["keep-them-in-line"].name
        assert sheets_of(shown) == ["Ashen Patrol", "Dune Wardens"]
        assert titles(shown) == ["Ashen Patrol", agenda, mission, "Dune Wardens"]

    def test_before_armies_are_chosen_registers_agendas_and_what_is_missing(self, client, table, battle, day, book):
        agendas = [
            [each.name for each in book.story_arcs[one.story_arc_id].agendas] for one in (table.alpha, table.bravo)
        ]
        assert titles(printed(client, table.ada, day)) == ["Ashen Patrol", *agendas[0], "Dune Wardens", *agendas[1]]
        missing = "No army sheet yet: Ashen Patrol (Battle 1), Dune Wardens (Battle 1)."
        assert missing in text_of(client.get(day))
        army_chosen(battle, blue=BROUGHT)
        agenda = book.agendas["keep-them-in-line"].name
        assert titles(printed(client, table.ada, day))[:3] == ["Ashen Patrol", agenda, "Dune Wardens"]
        assert "No army sheet yet: Dune Wardens (Battle 1)." in text_of(client.get(day))

    def test_armies_that_are_hidden_and_command_hands_are_left_out(self, client, table, battle, day, book):
        army_chosen(battle)
        hand = sorted(book.commands)[:7]
        CommandHand.objects.create(side=side_of(battle, "blue"), cards=hand)
        users = (table.ada, table.ben, table.mia)
        assert [sheets_of(printed(client, user, day)) for user in users] == [["Ashen Patrol"], ["Dune Wardens"], []]
        seen = " ".join(text_of_leaves(client, user, day) for user in users)
        assert [slug for slug in hand if book.commands[slug].name in seen] == []

    def test_the_next_day_first_and_no_battle_of_another_day(self, client, table, battle, day):
        in_play(battle)
        later = battle.date + timedelta(days=7)
        [asked, *_others] = printed(client, table.ada, day).choices
        assert [value for value, *_ in asked.options] == [battle.date.isoformat()]
        Battle.objects.filter(pk=battle.pk).update(date=later)
        shown = printed(client, table.ada, day, day=battle.date.isoformat())
        assert (shown.choices[0].current, len(shown.pages)) == (later.isoformat(), 3)

    def test_the_campaign_links_here_until_the_sequence_begins(self, client, table, battle, day):
        client.force_login(table.mia)
        assert day in html_of(client.get(table.campaign.get_absolute_url()))
        Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.SEQUENCE)
        assert day not in html_of(client.get(table.campaign.get_absolute_url()))

    def test_strangers_get_nothing(self, client, table, day):
        client.force_login(table.eve)
        assert client.get(day).status_code == 404

    def test_as_many_queries_for_three_battles_as_for_one(self, client, table, day):
        first = in_play(planned(table))
        client.force_login(table.mia)
        numbers = [queries_of(client, day)]
        for number in (2, 3):
            sides = list(first.sides.all())
            Battle.objects.filter(pk=first.pk).update(number=10 + number)
            first.pk, first.number = uuid4(), number
            first.save(force_insert=True)
            for side in sides:
                side.pk, side.battle_id, side.open = None, first.pk, False
                side.save(force_insert=True)
        numbers.append(queries_of(client, day))
        assert len(client.get(day).context["printed"].pages) == 6 + 1
        assert numbers[0] == numbers[1]


def sheets_of(shown: Printed) -> list[str]:
    """The Registers that have an army sheet, in order."""
    return [
        banner.head[0].plate.title for page in shown.pages if isinstance(page, ColumnPage) for banner in page.banners
    ]


def titles(shown: Printed) -> list[str]:
    """What the cards are of, in order, each card once."""
    cards = [page for page in shown.pages if page.card_format.slug == "small"]
    faces = [face for page in cards for face in page.faces if face.corner in ("", f"1/{face.corner[2:]}")]
    return [face.head[0].plate.title for face in faces]


def text_of_leaves(client, user, url, **query) -> str:
    client.force_login(user)
    return text_of(client.get(url, query)).split("Print", 1)[-1]


def test_a_register_names_its_campaign_to_members_only(client, table):
    table.alpha.refresh_from_db()
    url = reverse("registers:print", args=[table.alpha.pk])
    assert "ada · Outer Rim Winter" in text_of_leaves(client, table.ada, url)
    assert campaign_name_of_register(table.eve, table.alpha) == ""


class TestAnOwnArc:
    @pytest.fixture
    def version(self, book):
        load_arcs()
        return ArcVersion.objects.select_related("story_arc").first()

    def test_its_cards(self, client, table, version):
        url = reverse("story_arcs:print", args=[table.campaign.pk, version.pk])
        client.force_login(table.mia)
        text = text_of(client.get(url))
        content = version.content
        for name in (content["name"], *(agenda["name"] for agenda in content["agendas"])):
            assert name in text
        page = reverse("story_arcs:version", args=[table.campaign.pk, version.pk])
        assert url in html_of(client.get(page))

    def test_not_for_strangers(self, client, table, version):
        client.force_login(table.eve)
        url = reverse("story_arcs:print", args=[table.campaign.pk, version.pk])
        assert client.get(url).status_code == 404
