"""The report of a battle on one form."""

import pytest
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.battles.services import army as army_service, reports
from catalogue.snapshot import rulebook
from rules.battle.army import Army, Lent
from rules.register.effects import AgendaProgressed, StoryArcBegun
from tests.campaign.factories import (
    against_guest,
    agendas_chosen,
    complete,
    enlisted,
    happen,
    hold,
    in_play,
    planned,
    reported,
    side_of,
)
from tests.html import html_of
from tests.once import once
from tests.registers.views.reading import queries_of, text_of

BROUGHT = {"blue": {"agenda": "gather-intelligence"}}


@pytest.fixture
def battle(table):
    return begun(table)


@once
def begun(table):
    hold(table.alpha, "contingency-plan")
    blue = {"agenda": "gather-intelligence", "assets": ("contingency-plan",)}
    return in_play(planned(table), blue=blue)


@pytest.fixture
def url(battle):
    return reverse("battles:report", args=[battle.pk])


def form(**words):
    return {"version": "0", "winner": "blue", "blue-shown": "1", "red-shown": "1"} | words


class TestTheForm:
    def test_one_screen_for_both_sides(self, as_ada, url):
        text = text_of(as_ada.get(url))
        for words in (
            "Winner Ashen Patrol Draw Dune Wardens",
            "Ashen Patrol Victory points",
            "Units Defeated Contesting or holding Captain Sorne Paragon",
            "Contingency Plan: the Agenda in play at the end",
            "Gather Intelligence brought",
            "Keep Them in Line switched to",
            "→ does not progress: its condition is not met",
            "No Agenda",
            "You can enter their units too, or leave them to your opponent.",
            "ben confirms it. Report battle",
        ):
            assert words in text
        assert "Save and settle" not in text
        assert text.index("Captain Sorne Paragon") < text.index("No Agenda")

    def test_the_players_own_side_comes_first(self, client, table, url):
        client.force_login(table.ben)
        html = html_of(client.get(url))
        assert html.index('id="report-red"') < html.index("blue-fell")

    def test_an_organizer_sees_both_open(self, client, table, url):
        client.force_login(table.cora)
        html = html_of(client.get(url))
        assert 'id="report-blue"' in html
        assert 'id="report-red"' in html

    def test_an_organizer_saves_and_settles_in_one_act(self, client, table, battle, url):
        client.force_login(table.cora)
        assert "Report battle Save and settle" in text_of(client.get(url))
        answer = client.post(url, form(settle="1", **{"blue-agenda": "gather-intelligence"}), follow=True)
        battle.refresh_from_db()
        assert (battle.status, battle.reported_by) == ("sequence", table.cora)
        assert "Waiting for ben" not in text_of(answer)

    def test_against_a_guest(self, as_ada, table):
        battle = in_play(against_guest(table))
        text = text_of(as_ada.get(reverse("battles:report", args=[battle.pk])))
        assert "Then the Post-Battle Sequence starts. Report battle" in text
        assert "Sal Victory points" in text

    def test_as_many_queries_for_small_armies_and_large(self, as_ada, table, url):
        few = queries_of(as_ada, url)
        table.alpha = enlisted(table.campaign, table.ada, "Second", units=5)
        table.bravo = enlisted(table.campaign, table.ben, "Against Second", units=5)
        other = in_play(planned(table))
        assert queries_of(as_ada, reverse("battles:report", args=[other.pk])) == few

    def test_not_before_the_battle(self, as_ada, table):
        planned_only = planned(table)
        there = as_ada.get(reverse("battles:report", args=[planned_only.pk]))
        assert there.headers["Location"] == planned_only.get_absolute_url()


class TestReckoning:
    @pytest.mark.parametrize(
        ("already", "tokens", "expected"),
        [
            (0, "2", "does not progress: its condition is not met"),
            (0, "3", "progresses 1 time"),
            (0, "4", "progresses 2 times"),
            (1, "4", "progresses 2 times and is complete"),
            (2, "4", "progresses 1 time and is complete"),
        ],
    )
    def test_what_the_agenda_comes_to(self, as_ada, table, already, tokens, expected):  # R25
        if already:
            happen(table.alpha, AgendaProgressed(agenda="gather-intelligence", amount=already, rule="R25"))
        battle = in_play(planned(table), blue={"agenda": "gather-intelligence"})
        url = reverse("battles:report", args=[battle.pk])
        answer = as_ada.post(url, form(reckon="outcomes", **{"blue-tokens": tokens}), headers={"HX-Request": "true"})
        assert text_of(answer) == f"→ {expected} R25"
        assert side_of(battle, "blue").report == {}

    def test_without_script_the_whole_page_says_it(self, as_ada, url):
        text = text_of(as_ada.post(url, form(reckon="1", **{"blue-tokens": "3", "notes": "Cold."})))
        assert "→ progresses 1 time" in text
        assert "Cold." in text

    def test_a_switch_brings_the_other_agendas_questions(self, as_ada, url):  # R21
        words = {"blue-agenda": "keep-them-in-line", "blue-tokens": "2", "blue-fell": "2"}
        answer = as_ada.post(url, form(reckon="sides", **words), headers={"HX-Request": "true"})
        html = html_of(answer)
        assert "<html" not in html
        assert 'id="sides" hx-swap-oob="true"' in html
        assert "each time one of your units makes an enemy unit panic" in html
        assert "→ progresses 1 time" in text_of(answer)
        assert 'name="blue-fell" value="2" checked' in html


class TestSending:
    def test_everything_that_can_be_said(self, as_ada, table, battle, url):
        words = {
            "blue-vp": "7", "red-vp": "4", "blue-fell": ["2"], "blue-held": ["1", "3"], "blue-tokens": "3",
            "blue-xp-1": "2", "blue-sp": "1", "red-fell": ["3"], "red-conceded": "on", "mission": "Intercept",
            "notes": "Cold.\r\nVery.",
        }  # fmt: skip
        assert as_ada.post(url, form(**words)).headers["Location"] == battle.get_absolute_url()
        battle.refresh_from_db()
        assert (battle.status, battle.winner, battle.mission, battle.notes, battle.reported_by) == (
            "reported", "blue", "Intercept", "Cold.\nVery.", table.ada,
        )  # fmt: skip
        blue, red = battle.sides.all()
        assert (blue.victory_points, red.victory_points) == (7, 4)
        assert blue.report == {
            "defeated": ["2"], "contesting": ["1", "3"], "marked": [], "agenda": "gather-intelligence",
            "contingency_switched": False, "tokens": 3, "secondary_vp": 0, "confirmed": [], "claims": [],
            "asks": {}, "conceded": False, "in_game_experience": {"1": 2}, "in_game_supply": 1,
        }  # fmt: skip
        assert (red.report["defeated"], red.report["conceded"]) == (["3"], True)

    def test_sent_twice_counts_once(self, as_ada, battle, url):
        for _ in range(2):
            assert as_ada.post(url, form()).status_code == 302
        battle.refresh_from_db()
        assert battle.version == 1

    def test_against_a_guest_the_sequence_begins(self, as_ada, table):
        battle = in_play(against_guest(table))
        url = reverse("battles:report", args=[battle.pk])
        for _ in range(2):  # the form comes twice
            answer = as_ada.post(url, form(winner="draw", **{"blue-fell": ["2"]}))
            assert answer.headers["Location"] == reverse("battles:sequence", args=[battle.pk])
        battle.refresh_from_db()
        assert (battle.status, battle.winner) == ("sequence", "")

    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_everything_that_is_wrong_with_the_form_and_nothing_lost(self, as_ada, battle, url, headers):
        words = {"winner": "", "blue-vp": "many", "blue-tokens": "-1", "red-vp": "1000", "blue-xp-1": "x",
                 "notes": "Cold.", "blue-fell": ["2"]}  # fmt: skip
        answer = as_ada.post(url, form(**words), headers=headers)
        assert (answer.status_code, 'id="sides">' in html_of(answer)) == (422, True)
        text = text_of(answer)
        for expected in (
            "Choose the winner, or Draw.",
            "Victory points: enter a whole number from 0 to 999.",
            "Agenda tokens: enter a whole number from 0 to 999.",
            "Experience during the game: enter a whole number from 0 to 999.",
        ):
            assert expected in text
        html = html_of(answer)
        assert all(f'id="refusal_{field}"' in html for field in ("blue-vp", "red-vp", "blue-xp-1"))
        for kept in ('value="many"', 'value="-1"', 'value="1000"', 'name="blue-fell" value="2" checked'):
            assert kept in html
        assert "Cold." in text
        battle.refresh_from_db()
        assert battle.version == 0

    def test_what_the_rules_refuse_stands_at_its_side(self, as_ada, url):
        words = {"blue-fell": ["2"], "blue-held": ["2"], "red-fell": ["9"], "red-conceded": "on"}
        answer = as_ada.post(url, form(winner="red", **words))
        assert answer.status_code == 422
        text = text_of(answer)
        for expected in (
            "The red side conceded, so the other side won. Change the winner.",
            "Stormtroopers (no. 2) was defeated, so it cannot contest or hold an objective. Untick one of them.",
            "Only units of the army can be reported as defeated, once each.",
        ):
            assert text.count(expected) == 1
        html = html_of(answer)
        row = html.index('aria-label="Stormtroopers (no. 2) was defeated"')
        assert (
            row
            < html.index("Stormtroopers (no. 2) was defeated, so")
            < html.index("Stormtroopers (no. 3) was defeated")
        )
        assert html.index("(no. 2) was defeated, so") < html.index("Only units of the army can be")
        assert 'report-other" data-faction="empire" open>' in html

    def winner(self, client, url, **words):
        """The winner that the page shows after a change, and the one it took from the victory points."""
        answer = client.post(url, form(reckon="outcomes", **words), headers={"HX-Request": "true"})
        html = html_of(answer)
        shown = [value for value in ("blue", "draw", "red") if f'name="winner" value="{value}" checked' in html]
        return shown, 'id="winner" hx-swap-oob="true"' in html

    def test_the_winner_follows_the_victory_points(self, as_ada, battle, url):
        points = {"blue-vp": "6", "red-vp": "4"}
        assert self.winner(as_ada, url, winner="", **points) == (["blue"], True)
        assert self.winner(as_ada, url, winner="blue", prefilled="blue", **points) == ([], False)
        assert self.winner(as_ada, url, winner="blue", prefilled="blue", **points | {"red-vp": "7"}) == (["red"], True)
        assert self.winner(as_ada, url, winner="", **points | {"blue-vp": "4"}) == (["draw"], True)
        assert self.winner(as_ada, url, winner="", **points | {"blue-conceded": "on"}) == (["red"], True)
        assert as_ada.post(url, form(winner="", **points)).status_code == 302
        battle.refresh_from_db()
        assert battle.winner == "blue"

    def test_another_winner_is_confirmed_once(self, as_ada, battle, url):
        words = {"winner": "draw", "blue-vp": "6", "red-vp": "4"}
        answer = as_ada.post(url, form(**words))
        assert answer.status_code == 422
        text = text_of(answer)
        assert "6–4, but you chose Draw. Is that right?" in text
        assert "Yes, it was a draw No, Ashen Patrol won" in text
        # The answer holds only for these points.
        assert as_ada.post(url, form(sure="draw 6 4", **words | {"red-vp": "5"})).status_code == 422
        assert as_ada.post(url, form(sure="draw 6 4", **words)).status_code == 302
        battle.refresh_from_db()
        assert battle.winner == ""
        assert as_ada.post(url, form(sure="points", **words | {"version": "1"})).status_code == 302
        battle.refresh_from_db()
        assert battle.winner == "blue"

    @pytest.mark.parametrize("version", ["", "x", "9" * 12])
    def test_a_form_without_its_version(self, as_ada, url, version):
        answer = as_ada.post(url, form(version=version))
        assert "This form is incomplete. Reload the page." in text_of(answer)

    def test_a_stale_form_says_so_and_keeps_what_was_typed(self, client, table, battle, url):
        reported(battle, table.ben, winner="red", **BROUGHT)
        client.force_login(table.ada)
        answer = client.post(url, form(**{"blue-tokens": "4", "notes": "Mine."}))
        assert answer.status_code == 422
        text = text_of(answer)
        assert "The report changed a moment ago. Check it, then enter your changes again." in text
        assert "Current report" in text
        assert "Mine." in text
        html = html_of(answer)
        assert 'name="blue-tokens" value="4"' in html
        assert 'name="version" value="1"' in html  # having read that, the next one counts
        battle.refresh_from_db()
        assert (battle.version, battle.winner) == (1, "red")

    def test_confirmed_meanwhile_keeps_what_was_typed(self, client, table, battle, url):
        reported(battle, table.ada, **BROUGHT)
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
        client.force_login(table.ada)
        answer = client.post(url, form(version="1", notes="Mine."))
        assert answer.status_code == 422
        assert "Only a battle in play can be reported." in text_of(answer)
        assert "Mine." in text_of(answer)

    def test_changed_by_the_other_it_goes_back(self, client, table, battle, url):
        reported(battle, table.ada, notes="Ada's.", **BROUGHT)
        client.force_login(table.ben)
        page = client.get(url)
        assert "Ada's." in text_of(page)
        assert 'value="blue" checked' in html_of(page)
        client.post(url, form(version="1", winner="draw"))
        battle.refresh_from_db()
        assert (battle.version, battle.reported_by, battle.winner) == (2, table.ben, "")


class TestQuestionsOfCards:
    def play(self, table, agenda, arc):
        """A battle in which alpha, on that Story Arc, has brought that Agenda."""
        happen(table.alpha, StoryArcBegun(story_arc=arc, rule="R49"))
        return in_play(planned(table), blue={"agenda": agenda})

    def test_marks_and_a_condition_to_confirm(self, as_ada, table):
        battle = self.play(table, "daring-defense", "peacekeeping-mission")
        url = reverse("battles:report", args=[battle.pk])
        text = text_of(as_ada.get(url))
        assert "Units Defeated Contesting or holding Marked" in text
        assert "Mark 1 (you)." in text
        words = {"blue-marked": ["2"], "blue-tokens": "3", "blue-confirmed": ["daring-defense/0"]}
        as_ada.post(url, form(**words))
        report = side_of(battle, "blue").report
        assert (report["marked"], report["confirmed"]) == (
            ["2"], ["The chosen unit contests the marked point at the end of the game"],
        )  # fmt: skip
        as_ada.force_login(table.ben)
        assert "→ progresses 2 times" in text_of(as_ada.get(url))

    def test_marks_spare_the_paragon(self, as_ada, table):
        battle = self.play(table, "protect-your-allies", "birth-of-a-legend")
        html = html_of(as_ada.get(reverse("battles:report", args=[battle.pk])))
        assert html.count('name="blue-marked" value="1" disabled') == 1
        assert "Mark 3 (you 1, opponent 2)." in html

    def test_secondary_vp_where_they_count(self, as_ada, table):
        battle = self.play(table, "concentrated-efforts", "peacekeeping-mission")
        url = reverse("battles:report", args=[battle.pk])
        answer = as_ada.post(
            url, form(reckon="outcomes", **{"blue-secondary_vp": "3", "red-secondary_vp": "2"}),
            headers={"HX-Request": "true"},
        )  # fmt: skip
        assert "progresses 2 times" in text_of(answer)

    def test_claims_of_a_turning_point(self, as_ada, table):
        complete(table.alpha, 2)
        battle = in_play(planned(table, owner="blue"))
        Battle.objects.update(turning_point="liberate-the-system")
        url = reverse("battles:report", args=[battle.pk])
        text = text_of(as_ada.get(url))
        assert "Turning Point Mission: The Big One Setup" in text
        assert text.count("An allied unit holds a Holorecorder") == 2
        as_ada.post(url, form(**{"blue-claims": ["1"], "red-claims": ["0", "1"]}))
        assert [len(side.report["claims"]) for side in battle.sides.all()] == [1, 2]

    def test_numbers_its_own_turning_point_asks_for(self, as_ada, table):
        complete(table.alpha, 2)
        battle = in_play(planned(table, owner="blue"))
        Battle.objects.update(turning_point="a-pirates-life")
        url = reverse("battles:report", args=[battle.pk])
        assert text_of(as_ada.get(url)).count("How many Military Equipment were removed") == 1
        as_ada.post(url, form(**{"blue-ask-equipment_removed": "2"}))
        assert [side.report["asks"] for side in battle.sides.all()] == [{"equipment_removed": 2}, {}]

    def test_lent_units_are_ticked_too(self, as_ada, table):
        hold(table.alpha, "request-assistance")
        battle = planned(table)
        lent = Lent("request-assistance", "L1", rulebook().units["bossk-trandoshan-terror"])
        army = Army(fielded={"1": ()}, assets=("request-assistance",), lent=(lent,))
        army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army)
        army_service.choose_army(actor=table.ben, side_id=side_of(battle, "red").pk, army=Army(fielded={"1": ()}))
        agendas_chosen(battle)
        army_service.begin(actor=table.ada, battle_id=battle.pk)
        url = reverse("battles:report", args=[battle.pk])
        assert "Bossk, Trandoshan Terror from Request Assistance" in text_of(as_ada.get(url))
        as_ada.post(url, form(**{"blue-fell": ["L1"]}))
        assert side_of(battle, "blue").report["defeated"] == ["L1"]
