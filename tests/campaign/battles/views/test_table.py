"""The page of the table: two phones take what falls, with and without JavaScript, and the report starts from it."""

import re

import pytest
from django.urls import reverse

from campaign.battles.models import CommandHand, Side, Tally
from campaign.battles.services import army as army_service, table
from tests.campaign.battles.hands import HAND
from tests.campaign.factories import against_guest, agendas_chosen, army_of, in_play, planned, reported, side_of
from tests.html import html_of
from tests.once import once
from tests.registers.views.reading import queries_of, text_of

BROUGHT = {"agenda": "keep-them-in-line"}
SCRIPTED = {"HX-Request": "true"}


@pytest.fixture
def battle(table):
    return begun(table)


@once
def begun(table):
    battle = planned(table)
    for colour, player, register in (("blue", table.ada, table.alpha), ("red", table.ben, table.bravo)):
        army = army_of(register)
        army_service.choose_army(actor=player, side_id=side_of(battle, colour).pk, army=army, hand=HAND)
    agendas_chosen(battle, blue="keep-them-in-line", red="keep-them-in-line")
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    battle.refresh_from_db()
    return battle


@pytest.fixture
def blue(battle):
    return side_of(battle, "blue")


@pytest.fixture
def url(battle):
    return reverse("battles:table", args=[battle.pk])


class TestThePage:
    def test_both_sides_on_it_ones_own_first(self, as_ben, url):
        answer = as_ben.get(url)
        text = text_of(answer)
        for words in (
            "Keep Them in Line 1 token each time one of your units makes an enemy unit panic.",
            "You have 2 or more tokens",
            "Captain Sorne Imperial Officer, Ruthless Efficiency Inspire 1 · Equip: Doctrine",
            "Activated 0 of 3 Defeated 0",
            "Your Command Hand: 7 cards",
        ):
            assert words in text
        html = html_of(answer)
        assert f'<a href="{url}?side=red" aria-current="page">' in html
        assert html.count("table-side--other") == 1

    def test_readers_look_on(self, client, table, url):
        table.campaign.memberships.filter(user=table.mia).update(role="viewer")
        client.force_login(table.mia)
        html = html_of(client.get(url))
        assert html.count('aria-label="Captain Sorne was defeated" disabled') == 2
        assert "Report battle" not in html
        assert client.post(url).status_code == 404

    def test_a_guest_is_named(self, as_ada, table):
        battle = in_play(against_guest(table))
        text = text_of(as_ada.get(reverse("battles:table", args=[battle.pk])))
        assert "A guest’s army is not recorded." in text

    def test_it_is_there_while_the_battle_is_in_play(self, as_ada, table, battle, url):
        assert as_ada.get(battle.get_absolute_url()).headers["Location"] == url
        assert f'href="{url}"' in html_of(as_ada.get(f"{battle.get_absolute_url()}?details"))
        reported(battle, table.ada, blue=BROUGHT, red=BROUGHT)
        assert as_ada.get(url).headers["Location"] == battle.get_absolute_url()
        assert as_ada.get(url, headers=SCRIPTED).headers["HX-Redirect"] == battle.get_absolute_url()
        form = {"side": side_of(battle, "blue").pk, "unit": "2", "defeated": "yes"}
        answer = as_ada.post(url, form, headers=SCRIPTED)
        assert answer.headers["HX-Redirect"] == battle.get_absolute_url()
        assert not Tally.objects.exists()

    def test_as_many_queries_for_one_unit_as_for_three(self, as_ada, table, url):
        counts = [queries_of(as_ada, url)]
        for side in Side.objects.all():
            side.army = side.army | {"fielded": {"1": []}}
            side.save()
        counts.append(queries_of(as_ada, url))
        assert counts[0] == counts[1]


class TestTaking:
    def test_without_javascript_one_is_led_back_to_the_side(self, as_ada, url, blue):
        answer = as_ada.post(url, {"side": blue.pk, "unit": "2", "defeated": "yes"})
        assert answer.headers["Location"] == f"{url}?side=blue"
        html = html_of(as_ada.get(answer.headers["Location"]))
        assert 'name="defeated" value="no" aria-pressed="true" aria-label="Stormtroopers (no. 2) was defeated"' in html

    def test_a_tap_brings_the_form_of_its_unit_alone(self, as_ada, url, blue):
        answer = as_ada.post(url, {"side": blue.pk, "unit": "2", "defeated": "yes"}, headers=SCRIPTED)
        html = html_of(answer)
        assert answer.status_code == 200
        assert html.count("<form") == 1
        assert 'id="marks-blue-2"' in html
        assert 'aria-pressed="true"' in html

    def test_the_next_tap_is_answered_like_the_first(self, as_ada, url, blue):
        for unit in ("2", "3"):
            answer = as_ada.post(url, {"side": blue.pk, "unit": unit, "contesting": "yes"}, headers=SCRIPTED)
            html = html_of(answer)
            assert (f'id="marks-blue-{unit}"' in html, "disabled" in html) == (True, False)

    def test_a_new_round_answers_with_all_marks(self, as_ada, url, blue):
        form = {"side": blue.pk, "unit": "2", "in_round": "1", "activated": "yes"}
        assert "Activated 1 of 3" in text_of(as_ada.post(url, form, headers=SCRIPTED))
        answer = as_ada.post(url, {"side": blue.pk, "before": "1", "round": "2"}, headers=SCRIPTED)
        html = html_of(answer)
        assert "Activated 0 of 3" in text_of(answer)
        assert html.count('name="in_round" value="2"') == html.count('class="marks"') > 0
        assert 'name="round" value="3"' in html

    def test_victory_points_show_on_the_tab_too(self, as_ada, url, blue):
        html = html_of(as_ada.post(url, {"side": blue.pk, "before": "0", "vp": "1"}, headers=SCRIPTED))
        assert '<span data-shows="vp-blue">1</span>' in html
        assert 'name="vp" value="2"' in html

    def test_tokens(self, as_ada, url, blue):
        for _ in range(2):  # it comes twice
            answer = as_ada.post(url, {"side": blue.pk, "before": "0", "tokens": "1"}, headers=SCRIPTED)
        assert 'name="before" value="1"' in html_of(answer)
        answer = as_ada.post(url, {"side": blue.pk, "before": "4", "tokens": "5"}, headers=SCRIPTED)
        assert answer.status_code == 422
        assert "The tokens changed a moment ago. There are 1 now." in text_of(answer)

    def test_a_card_is_played_for_both_to_see(self, as_ada, client, table, url, blue):
        answer = as_ada.post(url, {"side": blue.pk, "play": "push"}, headers=SCRIPTED)
        assert "Command Hand: 6 cards" in text_of(answer)
        client.force_login(table.ben)
        text = text_of(client.get(f"{url}?side=blue"))
        assert "Command Hand: 6 cards, 1 played 2 Push played" in text
        assert text.count("Ambush") == 1  # in his own hand
        client.force_login(table.ada)
        assert client.post(url, {"side": blue.pk, "undo": "push"}).status_code == 302
        assert CommandHand.objects.get(side=blue).discarded == []

    def test_the_opponent_plays_none_of_them(self, as_ben, url, blue):
        answer = as_ben.post(url, {"side": blue.pk, "play": "push"}, headers=SCRIPTED)
        assert answer.status_code == 422
        assert "Only its player can play cards of a Command Hand." in text_of(answer)

    @pytest.mark.parametrize(
        "form",
        [
            {},
            {"side": "7000", "unit": "2", "defeated": "yes"},
            {"unit": "2"},
            {"unit": "2", "defeated": "perhaps"},
            {"unit": "2", "defeated": "yes", "contesting": "yes"},
            {"before": "0", "tokens": "many"},
            {"before": "", "tokens": "1"},
            {"unit": "2", "activated": "yes"},
            {"before": "0", "tokens": "99999999999"},
        ],
    )
    def test_what_is_no_form_of_ours_changes_nothing(self, as_ada, url, blue, form):
        for headers in ({}, SCRIPTED):
            answer = as_ada.post(url, {"side": blue.pk} | form, headers=headers, follow=True)
            assert "This form is incomplete. Reload the page." in text_of(answer)
        assert not Tally.objects.exists()


class TestThePoll:
    def test_it_brings_what_the_other_phone_took(self, as_ada, table, url, blue):
        seen = {"seen": "in_play-1-0-0"}
        assert as_ada.get(url, seen, headers=SCRIPTED).status_code == 204
        service_mark(table, blue)
        answer = as_ada.get(url, seen, headers=SCRIPTED)
        html = html_of(answer)
        assert 'id="marks-blue-2"' in html
        assert "seen=in_play-1-1-0" in html
        assert "<html" not in html
        assert as_ada.get(url, {"seen": "in_play-1-1-0"}, headers=SCRIPTED).status_code == 204


def service_mark(world, side) -> None:
    table.mark_unit(actor=world.ben, side_id=side.pk, word="defeated", unit="2", yes=True)


class TestTheReport:
    def test_it_starts_from_what_was_taken(self, as_ben, table, url, battle, blue):
        as_ben.post(url, {"side": blue.pk, "unit": "2", "defeated": "yes"})
        as_ben.post(url, {"side": blue.pk, "before": "0", "tokens": "1"})
        as_ben.post(url, {"side": blue.pk, "before": "0", "vp": "4"})
        report = reverse("battles:report", args=[battle.pk])
        answer = as_ben.get(report)
        html = html_of(answer)
        assert text_of(answer).count("Filled in from the table page. Check it.") == 1
        assert 'name="blue-fell" value="2" checked' in html
        assert 'name="blue-fell" value="1" aria' in html
        assert 'id="id_blue-tokens" name="blue-tokens" value="1"' in html
        assert 'id="id_blue-vp" name="blue-vp" value="4"' in html
        assert re.search(r'name="winner"\s+value="blue"\s+checked', html)

    def test_a_report_that_was_written_stands(self, as_ada, table, url, battle, blue):
        service_mark(table, blue)
        reported(battle, table.ada, blue=BROUGHT, red=BROUGHT)
        html = html_of(as_ada.get(reverse("battles:report", args=[battle.pk])))
        assert "checked" not in html.split("report-blue")[1].split("</table>")[0]
        assert "taken at the table" not in html


def test_the_service_worker_is_for_battles_alone(client, db):
    answer = client.get(reverse("battles:table_worker"))
    assert (answer.headers["Content-Type"], "/battles/offline/" in html_of(answer)) == ("text/javascript", True)
    assert "No connection" in text_of(client.get(reverse("battles:offline")))
