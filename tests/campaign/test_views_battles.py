"""Planning a battle, its page, mustering, calling it off."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.models import Battle, CommandHand, Side
from campaign.services import battles, reports
from campaign.views.battle import seen
from catalogue.models import BattleCard
from registers.services import founding, ledger
from rules.effects import CommandCardUnlocked, ReputationGained, SetbackGained, VeteranRankReached
from tests.campaign.factories import (
    against_guest,
    army_of,
    complete,
    enlisted,
    happen,
    hold,
    in_play,
    planned,
    reported,
    side_of,
)
from tests.registers.views.reading import queries_of, text_of


def page(battle) -> str:
    return battle.get_absolute_url()


class TestPlan:
    def url(self, table) -> str:
        return reverse("campaign:plan", args=[table.campaign.pk])

    def form(self, table, **words):
        return {
            "battle": str(uuid4()), "own": str(table.alpha.pk), "opponent": str(table.bravo.pk),
            "size": "600", "colour": "blue", **words,
        }  # fmt: skip

    def test_planned_by_a_form_that_comes_twice(self, as_ada, table):
        form = self.form(table, date="2026-05-01", mission="Intercept", rank_table="standard")
        for _ in range(2):
            assert as_ada.post(self.url(table), form).headers["Location"] == f"/battles/{form['battle']}/"
        battle = Battle.objects.get()
        assert (battle.size, str(battle.date), battle.mission, battle.rank_table) == (
            600, "2026-05-01", "Intercept", "standard",
        )  # fmt: skip
        assert [side.name for side in battle.sides.all()] == ["Ashen Patrol", "Dune Wardens"]

    def test_ones_own_register_stands_first(self, as_ada, table):
        def drawn(name):
            html = as_ada.get(self.url(table)).content.decode()
            return re.findall(rf'name="{name}" value="([^"]*)"( checked)?', html)

        alpha, bravo = str(table.alpha.pk), str(table.bravo.pk)
        assert drawn("own") == [(alpha, " checked")]
        assert drawn("opponent") == [(bravo, ""), ("guest", "")]
        table.campaign.memberships.filter(user=table.ada).update(role="organiser")
        assert drawn("own") == [(alpha, " checked"), (bravo, "")]
        assert drawn("opponent") == [(bravo, ""), ("guest", "")]
        again = enlisted(table.campaign, table.ada, "Strays")
        assert drawn("own") == [(alpha, " checked"), (str(again.pk), ""), (bravo, "")]
        assert drawn("opponent") == [(alpha, ""), (str(again.pk), ""), (bravo, ""), ("guest", "")]

    def test_nobody_is_asked_to_plan_without_a_register(self, as_ada, table):
        assert "Plan it, then muster" in text_of(as_ada.get(self.url(table)))
        planned(table)
        assert "Plan it, then muster" not in text_of(as_ada.get(self.url(table)))

    def test_against_a_guest_as_red(self, as_ada, table):
        guest = {"opponent": "guest", "guest_name": "Sal", "guest_faction": "rebel", "guest_points": "550"}
        as_ada.post(self.url(table), self.form(table, colour="red", size="other", other_size="750", **guest))
        battle = Battle.objects.get()
        blue = side_of(battle, "blue")
        assert (blue.name, blue.guest_faction, blue.guest_points, battle.size) == ("Sal", "rebel", 550, 750)
        assert side_of(battle, "red").register == table.alpha

    def test_the_owner_of_a_turning_point_is_blue(self, as_ada, table):  # R22
        complete(table.bravo, 2)
        assert "may Dune Wardens" in text_of(as_ada.get(self.url(table)))
        as_ada.post(self.url(table), self.form(table, turning_point="opponent"))
        battle = Battle.objects.get()
        assert (battle.owner, side_of(battle, "blue").register) == ("blue", table.bravo)
        table.bravo.sides.update(open=False)
        table.alpha.sides.update(open=False)
        complete(table.alpha, 2)
        as_ada.post(self.url(table), self.form(table, turning_point="own", colour="red"))
        assert side_of(Battle.objects.get(number=2), "blue").register == table.alpha

    def test_must_be_played(self, as_ada, table):  # R22
        complete(table.alpha, 3)
        assert "must Ashen Patrol" in text_of(as_ada.get(self.url(table)))
        answer = as_ada.post(self.url(table), self.form(table))
        assert answer.status_code == 422
        assert "Ashen Patrol has completed its Agendas: a Turning Point Mission must be played." in text_of(
            answer
        )

    def test_everything_that_is_wrong_at_once_and_nothing_lost(self, as_ada, table):
        form = self.form(
            table, own="", opponent="", size="other", other_size="many", date="tomorrow", mission="Intercept"
        )
        answer = as_ada.post(self.url(table), form)
        assert answer.status_code == 422
        said = text_of(answer)
        for words in (
            "Choose the first Register.",
            "Choose who stands against it.",
            "Agree on a size in points first.",
            "Write the date as in 2026-04-21.",
        ):
            assert words in said
        assert "A guest has a name" not in said
        html = answer.content.decode()
        for kept in ('value="many"', 'value="tomorrow"', 'value="Intercept"', f'value="{form["battle"]}"'):
            assert kept in html
        assert not Battle.objects.exists()

    def test_an_impossible_day_alone_is_refused_too(self, as_ada, table):
        answer = as_ada.post(self.url(table), self.form(table, date="2026-02-31"))
        assert "Write the date as in 2026-04-21." in text_of(answer)
        assert not Battle.objects.exists()

    def test_the_guest_is_named_and_what_was_typed_stays(self, as_ada, table):
        form = self.form(table, opponent="guest", guest_name=" ", guest_points="550", own="nonsense")
        answer = as_ada.post(self.url(table), form)
        assert "The first Register is one that you lead." in text_of(answer)
        answer = as_ada.post(self.url(table), self.form(table, opponent="guest", guest_points="550"))
        assert "A guest has a name. § R17" in text_of(answer).replace("R17", "§ R17")
        assert 'value="550"' in answer.content.decode()

    def test_nobody_leads_anothers_register(self, client, table):
        client.force_login(table.mia)
        answer = client.post(self.url(table), self.form(table))
        assert answer.status_code == 422
        assert "The first Register is one that you lead." in text_of(answer)

    def test_who_cannot_fight_now(self, as_ada, table):
        planned(table)
        founding.open_register(actor=table.ada, owner=table.ada)
        enlisted(table.campaign, table.ben, "Half Done", commissioned=False)
        said = text_of(as_ada.get(self.url(table)))
        assert "No Register of yours is free" in said
        assert "Ashen Patrol : in another battle that is not over yet (R11)" in said
        assert "Half Done : not commissioned yet (R4)" in said

    def test_busy_meanwhile_is_said_beside_the_field(self, as_ada, table):
        against_guest(table)
        answer = as_ada.post(self.url(table), self.form(table))
        assert answer.status_code == 422
        assert 'id="refusal_own"' in answer.content.decode()
        assert 'id="refusal_opponent"' not in answer.content.decode()

    def test_as_many_queries_for_three_as_for_one(self, as_ada, table):
        one = queries_of(as_ada, self.url(table))
        for name in ("Second", "Third"):
            enlisted(table.campaign, table.ada, name)
        assert queries_of(as_ada, self.url(table)) == one


class TestReplan:
    def url(self, battle) -> str:
        return reverse("campaign:replan", args=[battle.pk])

    def form(self, **words):
        return {
            "version": 0,
            "date": "2026-05-02",
            "place": "The attic",
            "size": 800,
            "arrangements": "",
            **words,
        }

    def test_either_player_changes_the_plan_and_the_page_says_so(self, client, table):
        battle = planned(table)
        client.force_login(table.ben)
        assert 'value="600"' in client.get(self.url(battle)).content.decode()
        for _ in range(2):  # the form comes twice
            assert client.post(self.url(battle), self.form()).headers["Location"] == page(battle)
        said = text_of(client.get(page(battle)))
        assert "800 points" in said
        assert "2 May 2026, The attic" in said
        assert said.count("The plan is changed") == 1

    def test_what_is_wrong_is_said_and_nothing_lost(self, as_ada, table):
        battle = planned(table)
        answer = as_ada.post(self.url(battle), self.form(date="soon", size="0", place="The cellar"))
        assert answer.status_code == 422
        assert "Write the date as in 2026-04-21." in text_of(answer)
        answer = as_ada.post(self.url(battle), self.form(size="0", place="The cellar"))
        assert "Agree on a size in points first. R18" in text_of(answer)
        assert 'value="The cellar"' in answer.content.decode()

    def test_what_was_changed_meanwhile_is_not_overwritten(self, as_ada, table):
        battle = planned(table)
        as_ada.post(self.url(battle), self.form())
        answer = as_ada.post(self.url(battle), self.form(place="The cellar"))
        assert (answer.status_code, "The plan has been changed meanwhile." in text_of(answer)) == (422, True)

    def test_a_battle_in_play_leads_back_to_its_page(self, as_ada, table):
        battle = in_play(planned(table))
        assert as_ada.get(self.url(battle)).headers["Location"] == page(battle)


class TestDetail:
    def test_an_army_is_hidden_until_both_stand(self, client, table):
        battle = planned(table)
        url = reverse("campaign:muster", args=[side_of(battle, "blue").pk])
        client.force_login(table.ada)
        client.post(url, {"unit": ["2"], "agenda": ""})
        assert "Muster anew" in text_of(client.get(page(battle)))
        assert "Captain Sorne" in text_of(client.get(page(battle)))
        client.force_login(table.ben)
        said = text_of(client.get(page(battle)))
        assert "Mustered. The army stays hidden until the battle begins." in said
        assert "Captain Sorne" not in said
        assert "Muster Dune Wardens" in said

    def test_organisers_who_play_are_not_led_to_their_opponents_army(self, client, table):
        battle = planned(table)
        table.campaign.memberships.filter(user=table.ada).update(role="organiser")
        client.force_login(table.ada)
        client.post(
            reverse("campaign:muster", args=[side_of(battle, "blue").pk]), {"unit": ["2"], "agenda": ""}
        )
        said = text_of(client.get(page(battle)))
        assert "Waiting for Dune Wardens" in said
        assert "Muster Dune Wardens" not in said
        client.force_login(table.cora)
        assert "Muster Dune Wardens" in text_of(client.get(page(battle)))

    def test_both_armies_in_play(self, client, table):
        hold(table.alpha, "medevac")
        happen(table.alpha, SetbackGained(unit="2", setback="downtrodden", rule="R36"))
        blue = {"agenda": "gather-intelligence", "assets": ("medevac",)}
        battle = in_play(planned(table), blue=blue)
        client.force_login(table.mia)
        said = text_of(client.get(page(battle)))
        for words in (
            "Army 154 of 600",
            "Army 139 of 600",
            "Captain Sorne Paragon",
            "Agenda: Gather Intelligence Your troopers may place Listening Devices",
            "Assets in use: Medevac",
        ):
            assert words in said
        assert "Report the battle" not in said
        assert "Call the battle off" not in said

    def test_the_report_and_who_confirms(self, client, table):
        battle = reported(
            in_play(planned(table), blue={"agenda": "gather-intelligence"}), table.ada,
            blue={
                "agenda": "gather-intelligence", "tokens": 3, "defeated": ["2"], "contesting": ["1"],
                "in_game_experience": {"1": 2}, "in_game_supply": 1, "asks": {"gates_opened": 2},
            },
            red={"conceded": True, "secondary_vp": 2}, victory_points={"blue": 7, "red": 4}, notes="Cold.",
        )  # fmt: skip
        client.force_login(table.ben)
        said = text_of(client.get(page(battle)))
        for words in (
            "ada’s report", "Ashen Patrol 7", "4 Dune Wardens", "Ashen Patrol won", "Cold.",
            "Captain Sorne Paragon objective", "Stormtroopers (no. 2) fell", "Agenda tokens 3",
            "Experience during the game 2", "SP during the game 1", "Gates opened 2",
            "VP from secondary objectives 2", "Conceded yes", "Confirm, and begin the sequence", "Change it",
        ):  # fmt: skip
            assert words in said
        client.force_login(table.ada)
        said = text_of(client.get(page(battle)))
        assert "Waiting for ben" in said
        assert "Confirm, and begin" not in said

    def test_in_its_sequence_and_closed(self, as_ada, table):
        battle = reported(in_play(planned(table)), table.ada, winner="")
        reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
        said = text_of(as_ada.get(page(battle)))
        assert "A draw" in said
        assert "The Post-Battle Sequence: Ashen Patrol at step 3, Dune Wardens at step 3." in said
        assert "To the Post-Battle Sequence" in said
        Battle.objects.update(status="closed")
        assert "What the sequence brought" in text_of(as_ada.get(page(battle)))

    def test_a_guest(self, as_ada, table):
        said = text_of(as_ada.get(page(in_play(against_guest(table)))))
        assert "Sal red a guest" in said
        assert "Army 500 of 600" in said

    def test_lent_units_and_a_turning_point(self, as_ada, table):
        complete(table.alpha, 2)
        hold(table.bravo, "request-assistance", "requisition-special-equipment")
        battle = planned(table, owner="blue")
        assert "Turning Point Mission: Wipe Them Out Set-up" in text_of(as_ada.get(page(battle)))
        client, side = as_ada, side_of(battle, "red")
        client.force_login(table.ben)
        answer = client.post(
            reverse("campaign:muster", args=[side.pk]),
            {
                "asset": ["request-assistance.1", "requisition-special-equipment.1"],
                "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
                "lent-requisition-special-equipment.1-upgrade": "academy-trained",
                "lent-requisition-special-equipment.1-bearer": "",
                "unit": ["2", "3"],
                "agenda": "",
            },
        )
        assert answer.status_code == 302, text_of(answer)
        said = text_of(client.get(page(battle)))
        assert "Bossk, Trandoshan Terror" in said
        assert "( Request Assistance )".replace(" ", "") in said.replace(" ", "")
        assert "plays its own Turning Point Mission" in said

    def test_called_off(self, as_ada, table):
        battle = planned(table)
        answer = as_ada.post(reverse("campaign:call_off", args=[battle.pk]), follow=True)
        assert "Battle 1 is called off." in text_of(answer)
        assert "This battle was called off." in text_of(as_ada.get(page(battle)))

    def test_not_called_off_by_a_page_that_has_not_seen_how_far_it_is(self, as_ada, table):
        battle = planned(table)
        html = as_ada.get(page(battle)).content.decode()
        assert 'name="stage" value="planned-0"' in html
        in_play(battle)
        answer = as_ada.post(
            reverse("campaign:call_off", args=[battle.pk]), {"stage": "planned-0"}, follow=True
        )
        assert "The battle has gone on meanwhile. Look at it once more first. R11" in text_of(answer)

    def test_a_reported_battle_is_not_a_players_to_call_off(self, client, table):
        battle = reported(in_play(planned(table)), table.ada)
        seen_by = {}
        for user in (table.ada, table.ben, table.cora):
            client.force_login(user)
            seen_by[user.username] = "Call the battle off" in text_of(client.get(page(battle)))
        assert seen_by == {"ada": False, "ben": False, "cora": True}

    def test_called_off_too_late(self, client, fought):
        client.force_login(fought.ada)
        answer = client.post(reverse("campaign:call_off", args=[fought.battle.pk]), follow=True)
        assert (
            "Once its sequence has begun a battle cannot be called off. This one is in its sequence. R11"
            in text_of(answer)
        )

    def test_as_many_queries_for_small_armies_and_large(self, as_ada, table):
        small = in_play(planned(table))
        few = queries_of(as_ada, page(small))
        table.alpha = enlisted(table.campaign, table.ada, "Second", units=5)
        table.bravo = enlisted(table.campaign, table.ben, "Against Second", units=5)
        assert queries_of(as_ada, page(in_play(planned(table)))) == few

    def test_polled_until_something_has_changed(self, as_ada, table):
        battle = planned(table)
        url = reverse("campaign:poll", args=[battle.pk])
        assert as_ada.get(url, {"seen": seen(battle)}).status_code == 204
        answer = as_ada.get(url, {"seen": "in_play-0-11"})
        assert (answer.status_code, answer.headers["HX-Refresh"]) == (200, "true")


class TestActFor:
    """An organiser acts for their own opponent only once they have said so."""

    @pytest.fixture
    def battle(self, table):
        table.campaign.memberships.filter(user=table.ada).update(role="organiser")
        battle = planned(table)
        side = side_of(battle, "red")
        battles.muster(actor=table.ben, side_id=side.pk, army=army_of(table.bravo))
        return battle

    def url(self, battle, name="act_for", colour="red"):
        return reverse(f"campaign:{name}", args=[side_of(battle, colour).pk])

    def test_until_then_the_army_is_as_hidden_as_ever(self, as_ada, table, battle):
        said = text_of(as_ada.get(page(battle)))
        assert "Captain Sorne" not in said
        assert "Muster anew" not in said
        assert "Act for ben" in said
        found = {name: as_ada.get(self.url(battle, name)).status_code for name in ("muster", "side_list")}
        assert found == {"muster": 404, "side_list": 404}

    def test_said_once_and_for_this_side(self, as_ada, table, battle):
        assert "You play against Dune Wardens yourself." in text_of(as_ada.get(self.url(battle)))
        for _ in range(2):  # the form comes twice
            assert as_ada.post(self.url(battle)).headers["Location"] == page(battle)
        said = text_of(as_ada.get(page(battle)))
        assert said.count("ada for ben An opponent who organises acts for Dune Wardens from now on.") == 1
        assert "Muster anew" in said
        assert "Act for ben" not in said
        assert "You act for ben ." in text_of(as_ada.get(self.url(battle, "muster")))

    def test_only_for_ones_opponent_and_as_an_organiser(self, client, table, battle):
        found = {}
        for user in (table.ada, table.ben, table.cora, table.mia):
            client.force_login(user)
            for colour in ("blue", "red"):
                found[user.username, colour] = client.get(self.url(battle, colour=colour)).status_code
        assert [key for key, status in found.items() if status != 404] == [("ada", "red")]

    def test_a_battle_that_is_over_has_nothing_to_act_for(self, as_ada, table, battle):
        battles.call_off(actor=table.ben, battle_id=battle.pk)
        answer = as_ada.post(self.url(battle), follow=True)
        words = "Nobody has to act for a player once a battle is over. This one is called off. R50"
        assert words in text_of(answer)
        assert "Act for ben" not in text_of(as_ada.get(page(battle)))


class TestMuster:
    @pytest.fixture
    def battle(self, table):
        hold(table.alpha, "request-assistance", "requisition-special-equipment", "requisition-special-equipment",
             "authorized-extraordinary-use", "medevac")  # fmt: skip
        return planned(table)

    @pytest.fixture
    def url(self, battle):
        return reverse("campaign:muster", args=[side_of(battle, "blue").pk])

    def test_the_first_look(self, as_ada, table, url):
        happen(table.alpha, SetbackGained(unit="2", setback="downtrodden", rule="R36"))
        happen(table.bravo, ReputationGained(amount=1, rule="R48"))
        said = text_of(as_ada.get(url))
        for words in (
            "Blue, against Dune Wardens, 600 points (Recon)",
            "Army: 1 unit 55 of 650",
            "50 of them are reinforcements",
            "Recon: at least 2 corps, the army has 0.",
            "Captain Sorne Paragon Imperial Officer, Ruthless Efficiency",
            "Imperial Officer cannot be fielded legally without doctrine.",
            "Downtrodden 1, +15 points",
            "Medevac In step 4 one defeated unit makes no Casualty Check.",
            "Gather Intelligence",
        ):
            assert words in said

    def test_reckoned_without_being_kept(self, as_ada, url, battle):
        answer = as_ada.post(url, {"unit": ["2"], "upgrade": [], "reckon": "1"})
        assert "Army: 2 units 97 of 600" in text_of(answer)
        assert side_of(battle, "blue").mustered is False

    def test_reckoned_for_htmx_in_parts(self, as_ada, url):
        form = {"unit": ["2"], "asset": "request-assistance.1", "reckon": "1"}
        answer = as_ada.post(url, form, headers={"HX-Request": "true"})
        html = answer.content.decode()
        assert 'id="tally"' in html
        assert 'id="assets" aria-labelledby="assets-heading" hx-swap-oob="true"' in html
        assert "<html" not in html
        assert "Choose what Request Assistance brings, or keep it." in text_of(answer)

    def test_take_everything(self, as_ada, url):
        answer = as_ada.post(url, {"reckon": "everything", "agenda": "gather-intelligence"})
        assert "Army: 3 units 139 of 600" in text_of(answer)
        assert 'value="gather-intelligence" checked' in answer.content.decode()

    def test_fielded(self, as_ada, url, battle):
        form = {
            "unit": ["2", "3"],
            "asset": ["medevac.1"],
            "agenda": "gather-intelligence",
            "rank_reason": "Cold.",
        }
        for _ in range(2):  # the form comes twice
            assert as_ada.post(url, form).headers["Location"] == page(battle)
        assert side_of(battle, "blue").army == {
            "fielded": {"1": [], "2": [], "3": []}, "assets": ["medevac"], "agenda": "gather-intelligence",
            "lent": [], "battle_force": "", "battle_deck": [],
        }  # fmt: skip
        battle.refresh_from_db()
        assert battle.rank_reason == "Cold."
        html = as_ada.get(url).content.decode()
        for kept in ('value="2" checked', 'value="medevac.1" checked', 'value="gather-intelligence" checked'):
            assert kept in html

    def test_lent_by_assets(self, as_ada, url, battle):
        form = {
            "unit": ["2"],
            "agenda": "",
            "asset": [
                "request-assistance.1",
                "requisition-special-equipment.2",
                "authorized-extraordinary-use.1",
            ],
            "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
            "lent-request-assistance.1-for": "bossk-trandoshan-terror",
            "lent-request-assistance.1-upgrade": ["", "duck-and-cover"],
            "lent-requisition-special-equipment.2-upgrade": "academy-trained",
            "lent-requisition-special-equipment.2-bearer": "1",
            "lent-authorized-extraordinary-use.1-bearer": "2",
        }
        reckoned = as_ada.post(url, {**form, "reckon": "1"})
        assert 'value="duck-and-cover" selected' in reckoned.content.decode()
        answer = as_ada.post(url, form)
        assert answer.status_code == 302, text_of(answer)
        assert side_of(battle, "blue").army["lent"] == [
            {"asset": "request-assistance", "key": "L1", "unit": "bossk-trandoshan-terror",
             "upgrades": ["duck-and-cover"], "bearer": ""},
            {"asset": "requisition-special-equipment", "key": "", "unit": "",
             "upgrades": ["academy-trained"], "bearer": "1"},
            {"asset": "authorized-extraordinary-use", "key": "", "unit": "", "upgrades": [], "bearer": "2"},
        ]  # fmt: skip
        html = as_ada.get(url).content.decode()
        for kept in ("bossk-trandoshan-terror", "duck-and-cover", "academy-trained"):
            assert f'value="{kept}" selected' in html

    def test_another_lent_unit_forgets_the_upgrades_of_the_first(self, as_ada, url):
        form = {
            "asset": "request-assistance.1", "reckon": "1",
            "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
            "lent-request-assistance.1-for": "din-djarin-the-mandalorian",
            "lent-request-assistance.1-upgrade": "duck-and-cover",
        }  # fmt: skip
        assert 'value="duck-and-cover" selected' not in as_ada.post(url, form).content.decode()

    def test_a_refusal_loses_nothing(self, as_ada, table, url, battle):
        Battle.objects.update(size=90)
        form = {"unit": ["2", "99"], "asset": "authorized-extraordinary-use.1", "rank_reason": "Cold.",
                "agenda": "nonsense"}  # fmt: skip
        answer = as_ada.post(url, form)
        assert answer.status_code == 422
        said = text_of(answer)
        for words in (
            "This unit is not on the Register.",
            "The army has 97 points; 90 are allowed.",
            "Bring an Agenda of the current Story Arc that is not completed.",
            "Choose what Authorized Extraordinary Use brings, or keep it.",
        ):
            assert said.count(words) == 1
        html = answer.content.decode()
        for kept in ('value="2" checked', 'value="authorized-extraordinary-use.1" checked', 'value="Cold."'):
            assert kept in html
        assert side_of(battle, "blue").mustered is False

    def test_nothing_is_brought_unasked(self, as_ada, url, battle):  # R23
        none = 'name="agenda" value="" checked'
        assert none not in as_ada.get(url).content.decode()
        answer = as_ada.post(url, {"unit": ["2", "3"]})
        assert answer.status_code == 422
        assert text_of(answer).count("Choose an Agenda, or none.") == 1
        assert side_of(battle, "blue").mustered is False
        assert as_ada.post(url, {"unit": ["2", "3"], "agenda": ""}).headers["Location"] == page(battle)
        assert none in as_ada.get(url).content.decode()

    def test_nothing_is_asked_where_no_agenda_is_left(self, as_ada, table, url, battle):
        complete(table.alpha, 3)
        assert 'name="agenda" value="" checked' in as_ada.get(url).content.decode()
        assert as_ada.post(url, {"unit": ["2", "3"]}).headers["Location"] == page(battle)

    def test_the_second_army_begins_the_battle_in_one_go(self, as_ada, table, url, battle):
        assert "and begin" not in text_of(as_ada.get(url))
        red = side_of(battle, "red")
        battles.muster(actor=table.ben, side_id=red.pk, army=army_of(table.bravo))
        assert "Dune Wardens stands already. Field this army Field it, and begin" in text_of(as_ada.get(url))
        form = {"unit": ["2"], "agenda": "", "version": "0", "then": "begin"}
        assert as_ada.post(url, form).headers["Location"] == page(battle)
        battle.refresh_from_db()
        assert battle.status == "in_play"

    def test_drawn_from_another_army_it_is_refused_once(self, as_ada, url, battle):
        assert as_ada.post(url, {"unit": ["2"], "agenda": "", "version": "0"}).status_code == 302
        assert (
            as_ada.post(url, {"unit": ["2"], "agenda": "", "version": "0"}).status_code == 302
        )  # the same form, come twice
        answer = as_ada.post(url, {"unit": ["3"], "agenda": "", "version": "0"})
        assert answer.status_code == 422
        assert "Another army was fielded meanwhile. Look at it, then field yours again. R19" in text_of(
            answer
        )
        assert 'name="version" value="1"' in answer.content.decode()
        assert list(side_of(battle, "blue").army["fielded"]) == ["1", "2"]

    def test_too_late_loses_nothing_either(self, as_ada, url, battle):
        in_play(battle)
        assert as_ada.get(url).headers["Location"] == page(battle)
        answer = as_ada.post(url, {"unit": ["2"], "agenda": ""})
        assert answer.status_code == 422
        assert "Armies are mustered until the battle begins. This one is in play." in text_of(answer)
        assert 'value="2" checked' in answer.content.decode()

    def test_ones_own_turning_point(self, as_ada, table, url, battle):  # R21, R22
        complete(table.alpha, 2)
        Battle.objects.update(owner="blue", turning_point="bring-peace-to-the-galaxy")
        said = text_of(as_ada.get(url))
        assert "You play your own Turning Point Mission, so you bring no Agenda." in said
        assert "Request Assistance not in your own Turning Point Mission (R21)" in said

    def test_other_rank_limits(self, as_ada, url):  # R18
        Battle.objects.update(rank_table="grand-army")
        assert "Grand Army: at least 6 corps, the army has 0." in text_of(as_ada.get(url))

    def test_as_many_queries_for_few_units_and_many(self, as_ada, table, url):
        few = queries_of(as_ada, url)
        table.alpha = enlisted(table.campaign, table.ada, "Second", units=5)
        table.bravo = enlisted(table.campaign, table.ben, "Against Second", units=5)
        other = reverse("campaign:muster", args=[side_of(planned(table), "blue").pk])
        assert queries_of(as_ada, other) == few

    def test_upgrades_stay_behind_one_by_one(self, as_ada, table):
        act = {"actor": table.mia, "position": None}
        pk = founding.open_register(actor=table.mia, owner=table.mia, faction="empire").pk
        founding.add_unit(**act, register_id=pk, card="imperial-officer-ruthless-efficiency", name="Vane")
        for _ in range(2):
            founding.add_unit(**act, register_id=pk, card="stormtroopers", upgrades=["dlt-19-stormtrooper"])
        founding.choose_story_arc(**act, register_id=pk, story_arc="bring-peace-to-the-galaxy")
        founding.name_register(**act, register_id=pk, name="Iron Watch")
        founding.commission(**act, register_id=pk)
        from campaign.services import campaigns

        table.alpha = campaigns.enlist(actor=table.mia, campaign=table.campaign, register_id=pk)
        battle = planned(table)
        as_ada.force_login(table.mia)
        url = reverse("campaign:muster", args=[side_of(battle, "blue").pk])
        assert 'value="2/dlt-19-stormtrooper" checked' in as_ada.get(url).content.decode()
        as_ada.post(url, {"unit": ["2", "3"], "upgrade": ["3/dlt-19-stormtrooper"], "agenda": ""})
        assert side_of(battle, "blue").army["fielded"] == {"1": [], "2": [], "3": ["dlt-19-stormtrooper"]}
        html = as_ada.get(url).content.decode()
        assert 'value="2/dlt-19-stormtrooper" checked' not in html
        assert 'value="3/dlt-19-stormtrooper" checked' in html
        assert army_of(table.alpha).fielded["2"] == ("dlt-19-stormtrooper",)
        assert ledger.force_of(table.alpha).dossiers["2"].upgrades == ("dlt-19-stormtrooper",)


class TestCards:
    """Battle force, Command Hand and Battle Deck on the page of the muster, and on the page of the battle."""

    HAND = ("ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire")

    @pytest.fixture
    def battle(self, table):
        return planned(table)

    @pytest.fixture
    def url(self, battle):
        return reverse("campaign:muster", args=[side_of(battle, "blue").pk])

    def test_as_a_plain_army(self, as_ada, url):
        said = text_of(as_ada.post(url, {"unit": ["2", "3"], "reckon": "1"}))
        assert "As a plain army: 1 thing" in said
        assert "Imperial Officer must have doctrine. Core: Upgrades" in said

    def test_a_battle_force_brings_its_ranks(self, as_ada, url, battle):
        said = text_of(as_ada.post(url, {"battle_force": "imperial-remnant", "reckon": "1"}))
        assert "Imperial Remnant: at least 2 corps, the army has 0." in said
        form = {"agenda": "", "unit": ["2", "3"], "battle_force": "tempest-force"}
        assert as_ada.post(url, form).status_code == 302
        assert side_of(battle, "blue").army["battle_force"] == "tempest-force"
        assert 'value="tempest-force" selected' in as_ada.get(url).content.decode()
        assert "Battle force: Tempest Force" in text_of(as_ada.get(page(battle)))

    def test_a_hand_is_recorded_and_kept_when_the_army_changes(self, as_ada, url, battle):
        assert "Command Hand not needed" in text_of(as_ada.get(url))
        form = {"agenda": "", "unit": ["2", "3"], "hand": self.HAND}
        for _ in range(2):  # the form comes twice
            assert as_ada.post(url, form).status_code == 302
        hand = CommandHand.objects.get()
        assert tuple(hand.cards) == (*self.HAND, "standing-orders")
        assert "7 of 7 cards" in text_of(as_ada.get(url))
        assert as_ada.post(url, {"agenda": "", "unit": ["2"], "hand": self.HAND}).status_code == 302
        assert CommandHand.objects.get().cards == hand.cards
        assert "Command Hand: 7 cards" in text_of(as_ada.get(page(battle)))

    def test_what_is_wrong_is_told_beside_the_hand_and_nothing_is_lost(self, as_ada, url):
        wrong = ["implacable", "ambush", "ambush"]
        said = text_of(as_ada.post(url, {"hand": wrong, "reckon": "1"}))
        assert "Implacable needs Darth Vader in the army." in said
        assert "A Command Hand holds" not in said
        answer = as_ada.post(url, {"agenda": "", "hand": wrong})
        assert answer.status_code == 422
        assert text_of(answer).count("A Command Hand holds 2 cards of 2 pips, this one 0.") == 1
        html = answer.content.decode()
        assert '<option value="implacable" selected>' in html
        assert html.count('<option value="ambush" selected>') == 2
        assert not CommandHand.objects.exists()

    def test_standing_orders_of_the_paragon(self, as_ada, table, url):
        happen(
            table.alpha,
            VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
            CommandCardUnlocked(command_card="paragon-standing-orders", rule="R16"),
        )
        assert "Standing Orders (Paragon)" in text_of(as_ada.get(url))
        form = {"agenda": "", "hand": self.HAND, "standing": "paragon-standing-orders"}
        assert as_ada.post(url, form).status_code == 302
        assert CommandHand.objects.get().cards[-1] == "paragon-standing-orders"

    def test_an_organiser_writes_a_hand_without_reading_the_old_one(self, client, as_ada, table, url):
        as_ada.post(url, {"agenda": "", "unit": ["2"], "hand": self.HAND})
        client.force_login(table.cora)
        answer = client.get(url)
        assert "7 cards are recorded and stay unseen." in text_of(answer)
        assert 'value="ambush" selected' not in answer.content.decode()
        assert client.post(url, {"agenda": "", "unit": ["2"], "hand": [""] * 6}).status_code == 302
        assert tuple(CommandHand.objects.get().cards[:6]) == self.HAND
        other = tuple(reversed(self.HAND))
        assert client.post(url, {"agenda": "", "unit": ["2"], "hand": other}).status_code == 302
        assert tuple(CommandHand.objects.get().cards[:6]) == other

    def test_an_opponent_who_organises_is_not_asked(self, client, table, url):
        table.campaign.memberships.filter(user=table.ben).update(role="organiser")
        client.force_login(table.ben)
        client.post(reverse("campaign:act_for", args=[Side.objects.get(register=table.alpha).pk]))
        assert "Command Hand" not in text_of(client.get(url))
        assert client.post(url, {"agenda": "", "unit": ["2"], "hand": self.HAND}).status_code == 302
        assert not CommandHand.objects.exists()

    def test_a_recon_deck_is_all_nine(self, as_ada, url, battle):
        answer = as_ada.post(url, {"reckon": "deck"})
        assert "9 of 9 cards" in text_of(answer)
        deck = [card.slug for card in BattleCard.objects.filter(format="recon")]
        assert as_ada.post(url, {"agenda": "", "deck": deck}).status_code == 302
        assert sorted(side_of(battle, "blue").army["battle_deck"]) == sorted(deck)
        assert "Battle Deck: 9 cards" in text_of(as_ada.get(page(battle)))

    def test_a_deck_is_chosen_by_type(self, as_ada, url):
        Battle.objects.update(size=1000)
        html = as_ada.get(url).content.decode()
        assert html.count('name="deck"') == 9
        assert '<optgroup label="empire">' in html
        answer = as_ada.post(url, {"deck": ["breakthrough", "surface-scan-recon"]})
        assert answer.status_code == 422
        said = text_of(answer)
        assert said.count("Surface Scan is a recon card; this battle is standard.") == 1
        assert '<option value="surface-scan-recon" selected>' in answer.content.decode()
