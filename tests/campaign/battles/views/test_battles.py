"""Planning a battle and changing the plan."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.battles.pages.candidates import UNSEEN
from tests.campaign.factories import complete, enlisted, in_play, planned, side_of
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


class TestPlan:
    def url(self, table) -> str:
        return reverse("battles:plan", args=[table.campaign.pk])

    def form(self, table, **words):
        return {
            "battle": str(uuid4()), "own": str(table.alpha.pk), "opponent": str(table.bravo.pk),
            "size": "600", "colour": "blue", **words,
        }  # fmt: skip

    def test_planned_by_a_form_that_comes_twice(self, as_ada, table):
        form = self.form(table, date="2026-05-01", mission="Intercept", rank_table="standard")
        for _ in range(2):
            answer = as_ada.post(self.url(table), form)
        battle = Battle.objects.get(pk=form["battle"])
        assert answer.headers["Location"] == reverse("battles:army", args=[side_of(battle, "blue").pk])
        assert (battle.size, str(battle.date), battle.mission, battle.rank_table) == (
            600, "2026-05-01", "Intercept", "standard",
        )  # fmt: skip
        assert [side.name for side in battle.sides.all()] == ["Ashen Patrol", "Dune Wardens"]

    @pytest.mark.parametrize("key", ["", None])
    def test_planned_by_a_form_without_its_key(self, as_ada, table, key):
        form = {name: value for name, value in self.form(table, battle=key).items() if value is not None}
        assert as_ada.post(self.url(table), form).status_code == 302
        assert Battle.objects.get().size == 600

    def test_too_much_that_was_agreed_on_is_not_lost(self, as_ada, table):
        answer = as_ada.post(self.url(table), self.form(table, arrangements="x" * 4001))
        assert (answer.status_code, Battle.objects.count()) == (422, 0)
        assert "Use up to 4000 characters. You typed 4001." in text_of(answer)
        assert "x" * 4001 in html_of(answer)

    def test_a_time_that_clocks_skip(self, as_ada, table):
        skipped = {"date": "2026-03-29", "time": "02:30", "time_zone": "Europe/Berlin"}
        answer = as_ada.post(self.url(table), self.form(table, **skipped))
        assert (answer.status_code, Battle.objects.count()) == (422, 0)
        text = "Clocks in Europe/Berlin skip 02:30 on 29 March 2026. Choose another time."
        assert (text in text_of(answer), answer.context["form"].errors["time"]) == (True, [text])
        battle = planned(table)
        change = {"version": 0, "size": 600, **skipped}
        answer = as_ada.post(reverse("battles:replan", args=[battle.pk]), change)
        assert (answer.status_code, text in text_of(answer)) == (422, True)
        table.campaign.time_zone = "Europe/Berlin"
        table.campaign.save()
        assert as_ada.post(self.url(table), self.form(table, **skipped | {"time_zone": ""})).status_code == 422
        assert as_ada.post(self.url(table), self.form(table, **skipped | {"time_zone": "UTC"})).status_code == 302

    def test_ones_own_register_stands_first(self, as_ada, table):
        def drawn(name):
            html = html_of(as_ada.get(self.url(table)))
            return re.findall(rf'name="{name}" value="([^"]*)"( checked)?', html)

        alpha, bravo = str(table.alpha.pk), str(table.bravo.pk)
        assert drawn("own") == [(alpha, " checked")]
        assert drawn("opponent") == [(bravo, " checked"), ("guest", "")]
        table.campaign.memberships.filter(user=table.ada).update(role="organizer")
        assert drawn("own") == [(alpha, " checked"), (bravo, "")]
        assert drawn("opponent") == [(bravo, " checked"), ("guest", "")]
        again = enlisted(table.campaign, table.ada, "Strays")
        assert drawn("own") == [(alpha, " checked"), (str(again.pk), ""), (bravo, "")]
        assert drawn("opponent") == [(alpha, ""), (str(again.pk), ""), (bravo, ""), ("guest", "")]

    def test_nobody_is_asked_to_plan_without_a_register(self, as_ada, table):
        in_play(planned(table))
        planned(table)
        text = text_of(as_ada.get(self.url(table)))
        assert "Create battle" in text
        assert "139 points · in a battle · 1 battle planned" in text
        table.campaign.enlistments.update(awaits_consent=True)
        text = text_of(as_ada.get(self.url(table)))
        for words in ("Create battle", "Size in points", "Turning Point Mission"):
            assert words not in text
        assert f"None of your Registers can fight now Go to Outer Rim Winter Ashen Patrol : {UNSEEN}" in text
        table.campaign.enlistments.all().delete()
        assert "Create a Register in this campaign, or add one" in text_of(as_ada.get(self.url(table)))

    def test_against_a_guest_as_red(self, as_ada, table):
        guest = {"opponent": "guest", "guest_name": "Sal", "guest_faction": "mercenary", "guest_points": "550"}
        as_ada.post(self.url(table), self.form(table, colour="red", size="other", other_size="750", **guest))
        battle = Battle.objects.get()
        blue = side_of(battle, "blue")
        assert (blue.name, blue.guest_faction, blue.guest_points, battle.size) == ("Sal", "mercenary", 550, 750)
        assert side_of(battle, "red").register == table.alpha

    def test_the_owner_of_a_turning_point_is_blue(self, as_ada, table):  # R22
        complete(table.bravo, 2)
        assert "may Dune Wardens" in text_of(as_ada.get(self.url(table)))
        as_ada.post(self.url(table), self.form(table, turning_point="opponent"))
        battle = Battle.objects.get()
        assert (battle.owner, side_of(battle, "blue").register) == ("blue", table.bravo)
        complete(table.alpha, 2)
        as_ada.post(self.url(table), self.form(table, turning_point="own", colour="red"))
        assert side_of(Battle.objects.get(number=2), "blue").register == table.alpha

    def test_must_be_played(self, as_ada, table):  # R22
        complete(table.alpha, 3)
        assert "must Ashen Patrol" in text_of(as_ada.get(self.url(table)))
        answer = as_ada.post(self.url(table), self.form(table))
        assert answer.status_code == 422
        assert "Ashen Patrol has completed all its Agendas, so a Turning Point Mission must be played." in text_of(
            answer
        )

    def test_everything_that_is_wrong_at_once_and_nothing_lost(self, as_ada, table):
        form = self.form(
            table, own="", opponent="", size="other", other_size="many", date="tomorrow", mission="Intercept"
        )
        answer = as_ada.post(self.url(table), form)
        assert answer.status_code == 422
        text = text_of(answer)
        for words in (
            "Choose your Register.",
            "Choose an opponent.",
            "Choose a size from 100 to 3,000 points.",
            "Enter a date, such as 2026-04-21.",
        ):
            assert words in text
        assert "A guest has a name" not in text
        html = html_of(answer)
        for kept in ('value="many"', 'value="tomorrow"', 'value="Intercept"', f'value="{form["battle"]}"'):
            assert kept in html
        assert not Battle.objects.exists()

    @pytest.mark.parametrize("size", ["99999999", "99", "3001", ""])
    def test_a_size_has_its_limits(self, as_ada, table, size):
        answer = as_ada.post(self.url(table), self.form(table, size="other", other_size=size))
        assert "Choose a size from 100 to 3,000 points." in text_of(answer)
        assert 'data-by="50"' in html_of(answer)
        assert not Battle.objects.exists()

    def test_an_impossible_day_alone_is_refused_too(self, as_ada, table):
        answer = as_ada.post(self.url(table), self.form(table, date="2026-02-31"))
        assert "Enter a date, such as 2026-04-21." in text_of(answer)
        assert not Battle.objects.exists()

    def test_the_guest_is_named_and_what_was_typed_stays(self, as_ada, table):
        form = self.form(table, opponent="guest", guest_name=" ", guest_points="550", own="nonsense")
        answer = as_ada.post(self.url(table), form)
        assert "Choose a Register that you play." in text_of(answer)
        answer = as_ada.post(self.url(table), self.form(table, opponent="guest", guest_points="550"))
        assert "Enter the guest’s name. § R17" in text_of(answer).replace("R17", "§ R17")
        assert 'value="550"' in html_of(answer)

    def test_nobody_leads_anothers_register(self, client, table):
        client.force_login(table.mia)
        answer = client.post(self.url(table), self.form(table))
        assert answer.status_code == 422
        assert "Choose a Register that you play." in text_of(answer)

    def test_drafts_do_not_fight(self, as_ada, table):
        enlisted(table.campaign, table.ben, "Half Done", commissioned=False)
        assert "Half Done" not in text_of(as_ada.get(self.url(table)))

    def test_as_many_queries_for_three_as_for_one(self, as_ada, table):
        one = queries_of(as_ada, self.url(table))
        for name in ("Second", "Third"):
            enlisted(table.campaign, table.ada, name)
        assert queries_of(as_ada, self.url(table)) == one


class TestReplan:
    def url(self, battle) -> str:
        return reverse("battles:replan", args=[battle.pk])

    def form(self, **words):
        return {"version": 0, "date": "2026-05-02", "place": "The attic", "size": 800, "arrangements": "", **words}

    def test_either_player_changes_the_plan_and_the_page_says_so(self, client, table):
        battle = planned(table)
        client.force_login(table.ben)
        assert 'value="600"' in html_of(client.get(self.url(battle)))
        for _ in range(2):  # the form comes twice
            assert client.post(self.url(battle), self.form()).headers["Location"] == battle.get_absolute_url()
        text = text_of(client.get(battle.get_absolute_url()))
        assert "800 points" in text
        assert "2 May 2026, The attic" in text
        assert text.count("Plan changed") == 1

    def test_what_is_wrong_is_said_and_nothing_lost(self, as_ada, table):
        battle = planned(table)
        answer = as_ada.post(self.url(battle), self.form(date="soon", size="0", place="The cellar"))
        assert answer.status_code == 422
        assert "Enter a date, such as 2026-04-21." in text_of(answer)
        answer = as_ada.post(self.url(battle), self.form(size="0", place="The cellar"))
        assert "Choose a size from 100 to 3,000 points." in text_of(answer)
        assert 'value="The cellar"' in html_of(answer)

    def test_what_was_changed_meanwhile_is_not_overwritten(self, as_ada, table):
        battle = planned(table)
        as_ada.post(self.url(battle), self.form())
        answer = as_ada.post(self.url(battle), self.form(place="The cellar"))
        assert (answer.status_code, "The plan changed a moment ago." in text_of(answer)) == (422, True)

    def test_a_battle_in_play_leads_back_to_its_page(self, as_ada, table):
        battle = in_play(planned(table))
        assert as_ada.get(self.url(battle)).headers["Location"] == battle.get_absolute_url()
