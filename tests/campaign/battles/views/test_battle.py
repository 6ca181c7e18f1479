"""The page of a battle, from its armies to its end, and acting for a side."""

import pytest
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.battles.queries.page_versions import page_version
from campaign.battles.services import army as army_service, planning, reports
from rules.register.effects import SetbackGained
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
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


class TestDetail:
    def test_an_army_is_hidden_until_both_stand(self, client, table):
        battle = planned(table)
        url = reverse("battles:army", args=[side_of(battle, "blue").pk])
        client.force_login(table.ada)
        client.post(url, {"unit": ["2"]})
        assert "Change army" in text_of(client.get(battle.get_absolute_url()))
        assert "Captain Sorne" in text_of(client.get(battle.get_absolute_url()))
        client.force_login(table.ben)
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Army chosen. It stays hidden until the battle starts." in text
        assert "Captain Sorne" not in text
        assert "Choose army of Dune Wardens" in text

    def test_organizers_who_play_are_not_led_to_their_opponents_army(self, client, table):
        battle = planned(table)
        table.campaign.memberships.filter(user=table.ada).update(role="organizer")
        client.force_login(table.ada)
        client.post(reverse("battles:army", args=[side_of(battle, "blue").pk]), {"unit": ["2"]})
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Waiting for Dune Wardens" in text
        assert "Choose army of Dune Wardens" not in text
        client.force_login(table.cora)
        assert "Choose army of Dune Wardens" in text_of(client.get(battle.get_absolute_url()))

    def test_both_armies_in_play(self, client, table):
        hold(table.alpha, "medevac")
        happen(table.alpha, SetbackGained(unit="2", setback="downtrodden", rule="R36"))
        blue = {"agenda": "gather-intelligence", "assets": ("medevac",)}
        battle = in_play(planned(table), blue=blue)
        client.force_login(table.mia)
        text = text_of(client.get(f"{battle.get_absolute_url()}?details"))
        for words in (
            "Army 154 of 600",
            "Army 139 of 600",
            "Captain Sorne Paragon",
            "Agenda: Gather Intelligence Your troopers may place Listening Devices",
            "Strategic Assets used: Medevac",
        ):
            assert words in text
        assert "Report battle" not in text
        assert "Cancel battle" not in text

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
        text = text_of(client.get(battle.get_absolute_url()))
        for words in (
            "ada’s report", "Ashen Patrol 7", "4 Dune Wardens", "Ashen Patrol won", "Cold.",
            "Captain Sorne Paragon objective", "Stormtroopers (no. 2) defeated", "Agenda tokens: 3",
            "Experience during the game: 2", "SP during the game: 1", "Gates opened: 2",
            "VP from secondary objectives: 2", "Conceded: yes", "Confirm report", "Dispute report",
        ):  # fmt: skip
            assert words in text
        assert (
            "Defeated Stormtroopers (no. 2) – Contesting or holding Captain Sorne – "
            "Agenda Gather Intelligence +1 progress (1 of 3) –"
        ) in text
        assert "Change report" not in text.split("Dispute report")[0]
        client.force_login(table.ada)
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Waiting for ben" in text
        assert "Change report" in text
        assert "Confirm report" not in text

    def test_in_its_sequence_and_closed(self, as_ada, table):
        battle = reported(in_play(planned(table)), table.ada, winner="")
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
        text = text_of(as_ada.get(battle.get_absolute_url()))
        assert "Draw" in text
        assert "Post-Battle Sequence: Ashen Patrol at step 3, Dune Wardens at step 3." in text
        assert "Continue Post-Battle Sequence" in text
        Battle.objects.update(status="closed")
        assert "View Post-Battle Sequence" in text_of(as_ada.get(battle.get_absolute_url()))

    def test_a_guest(self, as_ada, table):
        text = text_of(as_ada.get(f"{in_play(against_guest(table)).get_absolute_url()}?details"))
        assert "Sal red guest" in text
        assert "Army 500 of 600" in text

    def test_lent_units_and_a_turning_point(self, as_ada, table):
        complete(table.alpha, 2)
        hold(table.bravo, "request-assistance", "requisition-special-equipment")
        battle = planned(table, owner="blue")
        assert "Turning Point Mission: Wipe Them Out Setup" in text_of(as_ada.get(battle.get_absolute_url()))
        client, side = as_ada, side_of(battle, "red")
        client.force_login(table.ben)
        answer = client.post(
            reverse("battles:army", args=[side.pk]),
            {
                "asset": ["request-assistance.1", "requisition-special-equipment.1"],
                "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
                "lent-requisition-special-equipment.1-upgrade": "academy-trained",
                "lent-requisition-special-equipment.1-bearer": "",
                "unit": ["2", "3"],
            },
        )
        assert answer.status_code == 302, text_of(answer)
        text = text_of(client.get(battle.get_absolute_url()))
        assert "Bossk, Trandoshan Terror" in text
        assert "( Request Assistance )".replace(" ", "") in text.replace(" ", "")
        assert "own Turning Point Mission" in text

    def test_called_off(self, as_ada, table):
        battle = planned(table)
        answer = as_ada.post(reverse("battles:cancel", args=[battle.pk]), follow=True)
        assert "Battle 1 canceled." in text_of(answer)
        assert "This battle was canceled." in text_of(as_ada.get(battle.get_absolute_url()))

    def test_not_called_off_by_a_page_that_has_not_seen_how_far_it_is(self, as_ada, table):
        battle = planned(table)
        html = html_of(as_ada.get(battle.get_absolute_url()))
        assert 'name="stage" value="planned-0"' in html
        in_play(battle)
        answer = as_ada.post(reverse("battles:cancel", args=[battle.pk]), {"stage": "planned-0"}, follow=True)
        assert "The battle changed a moment ago. Check it, then try again. R11" in text_of(answer)

    def test_why_it_is_called_off_stays_where_it_was_typed_when_it_is_refused(self, as_ada, table):
        battle = in_play(planned(table))
        url = reverse("battles:cancel", args=[battle.pk])
        answer = as_ada.post(url, {"stage": "planned-0", "reason": "A “storm” came"})
        html = html_of(answer)
        form = html[html.index("Cancel battle") :]
        assert (answer.status_code, 'value="A “storm” came"' in form) == (422, True)
        assert form.index("The battle changed a moment ago.") < form.index("button--danger")
        assert html.count("The battle changed a moment ago.") == 1

    def test_a_reported_battle_is_not_a_players_to_call_off(self, client, table):
        battle = reported(in_play(planned(table)), table.ada)
        seen_by = {}
        for user in (table.ada, table.ben, table.cora):
            client.force_login(user)
            seen_by[user.username] = "Cancel battle" in text_of(client.get(battle.get_absolute_url()))
        assert seen_by == {"ada": False, "ben": False, "cora": True}

    def test_called_off_too_late(self, client, fought):
        client.force_login(fought.ada)
        answer = client.post(reverse("battles:cancel", args=[fought.battle.pk]), follow=True)
        why = "A battle cannot be canceled once its Post-Battle Sequence has started."
        assert f"{why} This battle is in the Post-Battle Sequence. R11" in text_of(answer)

    def test_as_many_queries_for_small_armies_and_large(self, as_ada, table):
        small = in_play(planned(table))
        few = queries_of(as_ada, f"{small.get_absolute_url()}?details")
        table.alpha = enlisted(table.campaign, table.ada, "Second", units=5)
        table.bravo = enlisted(table.campaign, table.ben, "Against Second", units=5)
        assert queries_of(as_ada, f"{in_play(planned(table)).get_absolute_url()}?details") == few

    def test_polled_until_something_has_changed(self, as_ada, table):
        battle = planned(table)
        url = reverse("battles:poll", args=[battle.pk])
        assert as_ada.get(url, {"seen": page_version(battle)}).status_code == 204
        answer = as_ada.get(url, {"seen": "in_play-0-11"})
        assert (answer.status_code, answer.headers["HX-Refresh"]) == (200, "true")

    def test_a_confirmed_report_sends_its_players_on_to_the_sequence(self, client, fought):
        url = reverse("battles:poll", args=[fought.battle.pk])
        for player in (fought.ada, fought.ben):
            client.force_login(player)
            answer = client.get(url, {"seen": "reported-1-1-1"})
            assert answer.headers["HX-Redirect"] == reverse("battles:sequence", args=[fought.battle.pk])


class TestActFor:
    """An organizer acts for their own opponent only once they have said so."""

    @pytest.fixture
    def battle(self, table):
        table.campaign.memberships.filter(user=table.ada).update(role="organizer")
        battle = planned(table)
        side = side_of(battle, "red")
        army_service.choose_army(actor=table.ben, side_id=side.pk, army=army_of(table.bravo))
        return battle

    def url(self, battle, name="battles:act_for", colour="red"):
        return reverse(name, args=[side_of(battle, colour).pk])

    def test_until_then_the_army_is_as_hidden_as_ever(self, as_ada, table, battle):
        text = text_of(as_ada.get(battle.get_absolute_url()))
        assert "Captain Sorne" not in text
        assert "Change army" not in text
        army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army_of(table.alpha))
        text = text_of(as_ada.get(battle.get_absolute_url()))
        assert 0 < text.find("Act for ben") < text.find("Armies, date, dice and activity")
        found = {
            name: as_ada.get(self.url(battle, name)).status_code for name in ("battles:army", "battles:list_export")
        }
        assert found == {"battles:army": 404, "battles:list_export": 404}

    def test_said_once_and_for_this_side(self, as_ada, table, battle):
        assert "You play against Dune Wardens yourself." in text_of(as_ada.get(self.url(battle)))
        for _ in range(2):  # the form comes twice
            assert as_ada.post(self.url(battle)).headers["Location"] == battle.get_absolute_url()
        text = text_of(as_ada.get(battle.get_absolute_url()))
        assert text.count("ada for ben The opponent, who is an organizer, now acts for Dune Wardens.") == 1
        assert "Change army" in text
        assert "Act for ben" not in text
        assert "You are acting for ben ." in text_of(as_ada.get(self.url(battle, "battles:army")))

    def test_only_for_ones_opponent_and_as_an_organizer(self, client, table, battle):
        found = {}
        for user in (table.ada, table.ben, table.cora, table.mia):
            client.force_login(user)
            for colour in ("blue", "red"):
                found[user.username, colour] = client.get(self.url(battle, colour=colour)).status_code
        assert [key for key, status in found.items() if status != 404] == [("ada", "red")]

    def test_a_battle_that_is_over_has_nothing_to_act_for(self, as_ada, table, battle):
        planning.cancel(actor=table.ben, battle_id=battle.pk)
        answer = as_ada.post(self.url(battle), follow=True)
        words = "You can act for a player only until the battle is over. This battle is canceled. R50"
        assert words in text_of(answer)
        assert "Act for ben" not in text_of(as_ada.get(battle.get_absolute_url()))
