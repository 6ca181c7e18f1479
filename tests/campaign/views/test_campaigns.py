"""The pages of a campaign: founding it, its members and Registers."""

from datetime import date
from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.battles.services import reports
from campaign.models import ActivityKind, Campaign
from campaign.pages.standings import standings_table
from campaign.services.activity import log_activity
from campaign.views import campaigns
from registers.models import Register
from registers.services import building
from rules.core.campaign_rules import CampaignRules
from rules.register.effects import CombatPotentialRaised
from tests.campaign.factories import address, enlisted, happen, in_play, planned, reported
from tests.campaign.fights import over
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


class TestNew:
    def test_founded_by_a_form_that_comes_twice(self, as_cora, table):
        form = {
            "campaign": uuid4(), "name": "Second", "about": "Thursdays", "unreleased": "on",
            "combat_potential": 800, "supply_points": 4, "length": "",
        }  # fmt: skip
        for _ in range(2):
            answer = as_cora.post(reverse("campaign:new"), form)
            assert answer.headers["Location"] == reverse("campaign:detail", args=[form["campaign"]])
        found = Campaign.objects.get(name="Second")
        assert (found.about, found.campaign_rules) == (
            "Thursdays", CampaignRules(unreleased=True, combat_potential=800, supply_points=4),
        )  # fmt: skip

    def test_a_refusal_loses_nothing(self, as_cora):
        answer = as_cora.post(reverse("campaign:new"), {"campaign": uuid4(), "name": " ", "about": "Thursdays"})
        assert answer.status_code == 422
        assert "Give the campaign a name." in text_of(answer)
        assert "Thursdays" in text_of(answer)


class TestDetail:
    def test_everything_of_it(self, as_cora, table):
        battle = reported(in_play(planned(table)), table.ada, victory_points={"blue": 7, "red": 4})
        text = text_of(as_cora.get(address(table, "campaign:detail")))
        for words in (
            "Outer Rim Winter",
            "Ashen Patrol against Dune Wardens Battle 1, 600 points: reported 7–4",
            "1 Ashen Patrol ada Empire Bring Peace to the Galaxy 0 139/ 600 0 won 0 drawn 0 lost",
            "cora organizer",
            "Invite people, change roles",
            "Plan a battle",
        ):
            assert words in text
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
        text = text_of(as_cora.get(address(table, "campaign:detail")))
        assert "600 points: Ashen Patrol at step 3, Dune Wardens at step 3" in text

    @pytest.mark.parametrize(
        ("winner", "words", "alpha", "bravo"),
        [
            ("blue", "Ashen Patrol won", (1, 0, 0), (0, 0, 1)),
            ("red", "Dune Wardens won", (0, 0, 1), (1, 0, 0)),
            ("", "a draw", (0, 1, 0), (0, 1, 0)),
        ],
    )
    def test_won_drawn_lost(self, as_cora, table, winner, words, alpha, bravo):
        battle = in_play(planned(table))
        battle.winner, battle.status = winner, "closed"
        battle.save()
        text = text_of(as_cora.get(address(table, "campaign:detail")))
        results = ["139/ 600 {} won {} drawn {} lost".format(*each) for each in (alpha, bravo)]
        assert [each for each in (words, *results) if each not in text] == []

    def test_an_empty_one_says_what_to_do(self, client, table):
        campaign = Campaign.objects.create(name="Empty")
        campaign.memberships.create(user=table.mia, role="player")
        client.force_login(table.mia)
        text = text_of(client.get(campaign.get_absolute_url()))
        assert "First steps Build your Register, or add one that you have. Plan the first battle" in text
        assert "No Register yet" not in text
        assert "Invite" not in text

    def test_it_leads_whoever_has_no_register_to_founding_one(self, client, table):
        def bar() -> str:
            return html_of(client.get(address(table, "campaign:detail"))).split('class="action-bar"')[1]

        client.force_login(table.mia)
        assert 'href="#registers">New Register' in bar()
        client.post(address(table, "campaign:new_register"), {"register": uuid4(), "faction": "rebel"})
        register = table.mia.registers.get()
        assert f'href="{reverse("registers:building", args=[register.pk])}">Continue building' in bar()
        table.campaign.enlistments.filter(register=register).delete()
        assert 'href="#registers">Add your Register' in bar()
        client.force_login(table.ada)
        assert f'href="{address(table, "battles:plan")}">Plan a battle' in bar()

    def test_as_many_queries_for_three_of_everything(self, as_cora, table):
        def lately() -> None:
            """Let the last act be of one kind, so that one set of names is looked up."""
            for number in range(5):
                log_activity(
                    actor=table.cora, campaign=table.campaign, kind=ActivityKind.ARC, arc="A", version=number, what=""
                )

        planned(table)
        lately()
        one = queries_of(as_cora, address(table, "campaign:detail"))
        for name in ("Second", "Third"):
            table.alpha = enlisted(table.campaign, table.ada, name)
            table.bravo = enlisted(table.campaign, table.ben, f"Against {name}", commissioned=True)
            planned(table)
        lately()
        assert queries_of(as_cora, address(table, "campaign:detail")) == one

    def test_ones_own_battle_comes_first(self, as_ben, table):
        table.alpha, alpha = enlisted(table.campaign, table.mia, "Second"), table.alpha
        table.bravo, bravo = enlisted(table.campaign, table.mia, "Third"), table.bravo
        planned(table, date=date(2026, 5, 2))
        table.alpha, table.bravo = alpha, bravo
        planned(table, date=date(2026, 5, 9))
        text = text_of(as_ben.get(address(table, "campaign:detail")))
        assert text.index("Battle 2, 600 points") < text.index("Battle 1, 600 points")


class TestStandings:
    def test_sorted_by_a_link(self, as_cora, table):
        happen(table.bravo, CombatPotentialRaised(amount=150, rule="R41"))
        html = html_of(as_cora.get(f"{address(table, 'campaign:detail')}?sort=potential"))
        assert html.index("Dune Wardens</a></th>") < html.index("Ashen Patrol</a></th>")
        head = 'aria-sort="descending"><a id="sort-potential" href="{}?sort=-potential#standings"'
        assert head.format(address(table, "campaign:detail")) in html
        assert html.count("aria-sort") == 1

    def test_htmx_gets_them_alone_with_fewer_queries(self, as_cora, table):
        whole = as_cora.get(f"{address(table, 'campaign:detail')}?sort=-register")
        part = as_cora.get(
            f"{address(table, 'campaign:detail')}?sort=-register",
            headers={"HX-Request": "true", "HX-Target": "standings"},
        )
        html = html_of(part)
        assert html.startswith("<section")
        assert html.strip() in html_of(whole)
        assert "HX-Target" in part.headers["Vary"]

    def test_of_forty_the_first_and_a_link_to_all(self, as_cora, table, monkeypatch):
        monkeypatch.setattr(
            campaigns, "standings_table", lambda *asked: standings_table([table.alpha] * 40, *asked[1:])
        )
        short = html_of(as_cora.get(address(table, "campaign:detail")))
        whole = html_of(as_cora.get(f"{address(table, 'campaign:detail')}?all=1"))
        assert [html.count("<tr data-faction") for html in (short, whole)] == [6, 40]
        assert f'href="{address(table, "campaign:detail")}?sort=reputation&amp;all=1#standings"' in short
        assert ">All 40</a>" in short
        assert ">All 40</a>" not in whole
        assert [len(html) < limit for html, limit in ((short, 40_000), (whole, 80_000))] == [True, True]


class TestBattles:
    def test_all_of_them_newest_first_thirty_a_page(self, as_cora, table, monkeypatch):
        monkeypatch.setattr("campaign.views.campaigns.BATTLES_A_PAGE", 2)
        for winner in ("blue", "", "red"):
            over(table, winner)
        first = text_of(as_cora.get(address(table, "campaign:battles")))
        assert first.index("Battle 3, 600 points: Dune Wardens won") < first.index("Battle 2, 600 points: a draw")
        assert "Battle 1," not in first
        assert "Battle 1, 600 points: Ashen Patrol won" in text_of(
            as_cora.get(f"{address(table, 'campaign:battles')}?page=2")
        )

    def test_the_campaign_shows_the_last_few_and_leads_there(self, as_cora, table):
        for _ in range(5):
            over(table, "blue")
        page = as_cora.get(address(table, "campaign:detail"))
        assert text_of(page).count("600 points: Ashen Patrol won") == 3
        assert f'href="{address(table, "campaign:battles")}"' in html_of(page)

    def test_none_yet(self, as_cora, table):
        assert "No battle yet" in text_of(as_cora.get(address(table, "campaign:battles")))

    def test_constant_queries(self, as_cora, table):
        over(table, "blue")
        one = queries_of(as_cora, address(table, "campaign:battles"))
        for winner in ("", "red"):
            over(table, winner)
        assert queries_of(as_cora, address(table, "campaign:battles")) == one


class TestRegisters:
    def test_founded_by_a_form_that_comes_twice(self, client, table):
        client.force_login(table.mia)
        form = {"register": uuid4(), "faction": "rebel"}
        for _ in range(2):
            answer = client.post(address(table, "campaign:new_register"), form)
            assert answer.headers["Location"] == reverse("registers:building", args=[form["register"]])
        found = Register.objects.get(owner=table.mia)
        assert (found.faction, found.enlistment.campaign) == ("rebel", table.campaign)

    def test_without_a_faction(self, client, table):
        client.force_login(table.mia)
        answer = client.post(address(table, "campaign:new_register"), {"register": uuid4()})
        assert answer.status_code == 422
        assert "Choose a Faction." in text_of(answer)

    def test_not_where_somebody_elses_stands(self, client, table):
        client.force_login(table.mia)
        form = {"register": table.alpha.pk, "faction": "rebel"}
        answer = client.post(address(table, "campaign:new_register"), form)
        assert answer.status_code == 422
        assert "This Register belongs to another player." in text_of(answer)

    def test_one_that_serves_nowhere_is_brought_in(self, client, table):
        own = building.open_register(actor=table.mia, owner=table.mia, faction="rebel")
        client.force_login(table.mia)
        assert "Unnamed Register is not in a campaign yet." in text_of(client.get(address(table, "campaign:detail")))
        answer = client.post(address(table, "campaign:add_register", own.pk), follow=True)
        assert "Unnamed Register was added to Outer Rim Winter." in text_of(answer)
        assert table.campaign.registers.filter(pk=own.pk).exists()

    def test_one_of_another_campaign_is_not(self, client, table):
        other = Campaign.objects.create(name="Another")
        other.memberships.create(user=table.ada, role="player")
        client.force_login(table.ada)
        answer = client.post(reverse("campaign:add_register", args=[other.pk, table.alpha.pk]))
        assert answer.status_code == 422
        assert "Ashen Patrol is in another campaign." in text_of(answer)
