"""Mustering an army, its hand and its deck."""

import pytest
from django.urls import reverse

from campaign.battles.models import Battle, CommandHand, Side
from catalogue.models import BattleCard
from registers import projection
from registers.services import building
from rules.register.effects import CommandCardUnlocked, ReputationGained, SetbackGained, VeteranRankReached
from tests.campaign.factories import army_of, complete, enlisted, happen, hold, in_play, planned, side_of
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of


class TestMuster:
    @pytest.fixture
    def battle(self, table):
        hold(table.alpha, "request-assistance", "requisition-special-equipment", "requisition-special-equipment",
             "authorized-extraordinary-use", "medevac")  # fmt: skip
        return planned(table)

    @pytest.fixture
    def url(self, battle):
        return reverse("battles:army", args=[side_of(battle, "blue").pk])

    def test_the_first_look(self, as_ada, table, url):
        happen(table.alpha, SetbackGained(unit="2", setback="downtrodden", rule="R36"))
        happen(table.bravo, ReputationGained(amount=1, rule="R48"))
        text = text_of(as_ada.get(url))
        for words in (
            "Blue, against Dune Wardens, 600 points (Recon)",
            "Army: 3 units 154 of 650",
            "Includes 50 points of reinforcements",
            "Captain Sorne Paragon Imperial Officer, Ruthless Efficiency",
            "Captain Sorne needs a Doctrine upgrade. Add it under Upgrades.",
            "Downtrodden 1, +15 points",
            "Medevac In step 4 one defeated unit makes no Casualty Check.",
        ):
            assert words in text
        assert "Gather Intelligence" not in text

    def test_a_register_that_does_not_fit_starts_with_its_paragon(self, as_ada, url):
        Battle.objects.update(size=100)
        text = text_of(as_ada.get(url))
        assert "Army: 1 unit 55 of 100" in text
        assert "Recon: at least 2 corps (the army has 0)." in text

    def test_reckoned_without_being_kept(self, as_ada, url, battle):
        answer = as_ada.post(url, {"unit": ["2"], "upgrade": [], "reckon": "1"})
        assert "Army: 2 units 97 of 600" in text_of(answer)
        assert side_of(battle, "blue").army_chosen is False

    def test_reckoned_for_htmx_in_parts(self, as_ada, url):
        form = {"unit": ["2"], "asset": "request-assistance.1", "reckon": "1"}
        answer = as_ada.post(url, form, headers={"HX-Request": "true"})
        html = html_of(answer)
        assert 'id="tally"' in html
        assert 'id="assets" hx-swap-oob="true"' in html
        assert "<html" not in html
        assert "Choose what Request Assistance brings, or untick it." in text_of(answer)

    def test_take_everything(self, as_ada, url):
        answer = as_ada.post(url, {"reckon": "everything"})
        assert "Army: 3 units 139 of 600" in text_of(answer)

    def test_fielded(self, as_ada, url, battle):
        form = {"unit": ["2", "3"], "asset": ["medevac.1"], "rank_reason": "Cold."}
        for _ in range(2):  # the form comes twice
            assert as_ada.post(url, form).headers["Location"] == battle.get_absolute_url()
        assert side_of(battle, "blue").army == {
            "fielded": {"1": [], "2": [], "3": []}, "assets": ["medevac"], "lent": [],
            "battle_force": "", "battle_deck": [], "rank_reason": "Cold.",
        }  # fmt: skip
        html = html_of(as_ada.get(url))
        for kept in ('value="2" checked', 'value="medevac.1" checked'):
            assert kept in html

    def test_lent_by_assets(self, as_ada, url, battle):
        form = {
            "unit": ["2"],
            "asset": ["request-assistance.1", "requisition-special-equipment.2", "authorized-extraordinary-use.1"],
            "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
            "lent-request-assistance.1-for": "bossk-trandoshan-terror",
            "lent-request-assistance.1-upgrade": ["", "duck-and-cover"],
            "lent-requisition-special-equipment.2-upgrade": "academy-trained",
            "lent-requisition-special-equipment.2-bearer": "1",
            "lent-authorized-extraordinary-use.1-bearer": "2",
        }
        reckoned = as_ada.post(url, {**form, "reckon": "1"})
        assert 'value="duck-and-cover" selected' in html_of(reckoned)
        answer = as_ada.post(url, form)
        assert answer.status_code == 302, text_of(answer)
        assert side_of(battle, "blue").army["lent"] == [
            {"asset": "request-assistance", "key": "L1", "unit": "bossk-trandoshan-terror",
             "upgrades": ["duck-and-cover"], "bearer": ""},
            {"asset": "requisition-special-equipment", "key": "", "unit": "",
             "upgrades": ["academy-trained"], "bearer": "1"},
            {"asset": "authorized-extraordinary-use", "key": "", "unit": "", "upgrades": [], "bearer": "2"},
        ]  # fmt: skip
        html = html_of(as_ada.get(url))
        for kept in ("bossk-trandoshan-terror", "duck-and-cover", "academy-trained"):
            assert f'value="{kept}" selected' in html

    def test_another_lent_unit_forgets_the_upgrades_of_the_first(self, as_ada, url):
        form = {
            "asset": "request-assistance.1", "reckon": "1",
            "lent-request-assistance.1-unit": "bossk-trandoshan-terror",
            "lent-request-assistance.1-for": "din-djarin-the-mandalorian",
            "lent-request-assistance.1-upgrade": "duck-and-cover",
        }  # fmt: skip
        assert 'value="duck-and-cover" selected' not in html_of(as_ada.post(url, form))

    def test_a_refusal_loses_nothing(self, as_ada, table, url, battle):
        Battle.objects.update(size=90)
        form = {"unit": ["2", "99"], "asset": "authorized-extraordinary-use.1", "rank_reason": "Cold."}
        answer = as_ada.post(url, form)
        assert answer.status_code == 422
        text = text_of(answer)
        for words in (
            "This unit is not on the Register.",
            "The army has 97 points, but only 90 are allowed. Remove units or upgrades.",
            "Choose what Authorized Extraordinary Use brings, or untick it.",
        ):
            assert text.count(words) == 1
        html = html_of(answer)
        for kept in ('value="2" checked', 'value="authorized-extraordinary-use.1" checked', 'value="Cold."'):
            assert kept in html
        assert side_of(battle, "blue").army_chosen is False

    def test_drawn_from_another_army_it_is_refused_once(self, as_ada, url, battle):
        assert as_ada.post(url, {"unit": ["2"], "version": "0"}).status_code == 302
        assert as_ada.post(url, {"unit": ["2"], "version": "0"}).status_code == 302  # the same form, come twice
        answer = as_ada.post(url, {"unit": ["3"], "version": "0"})
        assert answer.status_code == 422
        assert "This army or its Agenda changed a moment ago. Check it, then save yours again. R19" in text_of(answer)
        assert 'name="version" value="1"' in html_of(answer)
        assert list(side_of(battle, "blue").army["fielded"]) == ["1", "2"]

    def test_too_late_loses_nothing_either(self, as_ada, url, battle):
        in_play(battle)
        assert as_ada.get(url).headers["Location"] == battle.get_absolute_url()
        answer = as_ada.post(url, {"unit": ["2"]})
        assert answer.status_code == 422
        assert "Armies can be changed until the battle starts. This battle is in play." in text_of(answer)
        assert 'value="2" checked' in html_of(answer)

    def test_ones_own_turning_point(self, as_ada, table, url, battle):  # R21
        complete(table.alpha, 2)
        Battle.objects.update(owner="blue", turning_point="bring-peace-to-the-galaxy")
        text = text_of(as_ada.get(url))
        assert "Request Assistance not in your own Turning Point Mission (R21)" in text

    def test_other_rank_limits(self, as_ada, url):  # R18
        Battle.objects.update(rank_table="grand-army")
        assert "Grand Army: at least 6 corps (the army has 2)." in text_of(as_ada.get(url))

    def test_as_many_queries_for_few_units_and_many(self, as_ada, table, url):
        few = queries_of(as_ada, url)
        table.alpha = enlisted(table.campaign, table.ada, "Second", units=5)
        table.bravo = enlisted(table.campaign, table.ben, "Against Second", units=5)
        other = reverse("battles:army", args=[side_of(planned(table), "blue").pk])
        assert queries_of(as_ada, other) == few

    def test_upgrades_stay_behind_one_by_one(self, as_ada, table):
        act = {"actor": table.mia, "position": None}
        pk = building.open_register(actor=table.mia, owner=table.mia, faction="empire").pk
        building.add_unit(**act, register_id=pk, card="imperial-officer-ruthless-efficiency", name="Vane")
        for _ in range(2):
            building.add_unit(**act, register_id=pk, card="stormtroopers", upgrades=["dlt-19-stormtrooper"])
        building.choose_story_arc(**act, register_id=pk, story_arc="bring-peace-to-the-galaxy")
        building.name_register(**act, register_id=pk, name="Iron Watch")
        building.commission(**act, register_id=pk)
        from campaign.enlistments.services import enlistments

        table.alpha = enlistments.add_register(actor=table.mia, campaign=table.campaign, register_id=pk)
        battle = planned(table)
        as_ada.force_login(table.mia)
        url = reverse("battles:army", args=[side_of(battle, "blue").pk])
        assert 'value="2/dlt-19-stormtrooper" checked' in html_of(as_ada.get(url))
        as_ada.post(url, {"unit": ["2", "3"], "upgrade": ["3/dlt-19-stormtrooper"]})
        assert side_of(battle, "blue").army["fielded"] == {"1": [], "2": [], "3": ["dlt-19-stormtrooper"]}
        html = html_of(as_ada.get(url))
        assert 'value="2/dlt-19-stormtrooper" checked' not in html
        assert 'value="3/dlt-19-stormtrooper" checked' in html
        assert army_of(table.alpha).fielded["2"] == ("dlt-19-stormtrooper",)
        assert projection.state_of(table.alpha).dossiers["2"].upgrades == ("dlt-19-stormtrooper",)


class TestCards:
    """Battle force, Command Hand and Battle Deck on the page of the muster, and on the page of the battle."""

    HAND = ("ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire")

    @pytest.fixture
    def battle(self, table):
        return planned(table)

    @pytest.fixture
    def url(self, battle):
        return reverse("battles:army", args=[side_of(battle, "blue").pk])

    def test_as_a_plain_army(self, as_ada, url):
        text = text_of(as_ada.post(url, {"unit": ["2", "3"], "reckon": "1"}))
        assert "Not legal in standard Legion (1 reason)" in text
        assert "Imperial Officer needs a Doctrine upgrade. Core: Upgrades" in text

    def test_a_battle_force_brings_its_ranks(self, as_ada, url, battle):
        text = text_of(as_ada.post(url, {"battle_force": "imperial-remnant", "reckon": "1"}))
        assert "Imperial Remnant: at least 2 corps (the army has 0)." in text
        form = {"unit": ["2", "3"], "battle_force": "tempest-force"}
        assert as_ada.post(url, form).status_code == 302
        assert side_of(battle, "blue").army["battle_force"] == "tempest-force"
        assert 'value="tempest-force" selected' in html_of(as_ada.get(url))
        assert "Battle force: Tempest Force" in text_of(as_ada.get(battle.get_absolute_url()))

    def test_a_hand_is_recorded_and_kept_when_the_army_changes(self, as_ada, url, battle):
        assert "Command Hand optional" in text_of(as_ada.get(url))
        form = {"unit": ["2", "3"], "hand": self.HAND}
        for _ in range(2):  # the form comes twice
            assert as_ada.post(url, form).status_code == 302
        hand = CommandHand.objects.get()
        assert tuple(hand.cards) == (*self.HAND, "standing-orders")
        assert "7 of 7 cards" in text_of(as_ada.get(url))
        assert as_ada.post(url, {"unit": ["2"], "hand": self.HAND}).status_code == 302
        assert CommandHand.objects.get().cards == hand.cards
        assert "Command Hand: 7 cards" in text_of(as_ada.get(battle.get_absolute_url()))

    def test_what_is_wrong_is_told_beside_the_hand_and_nothing_is_lost(self, as_ada, url):
        wrong = ["implacable", "ambush", "ambush"]
        text = text_of(as_ada.post(url, {"hand": wrong, "reckon": "1"}))
        assert "Implacable needs Darth Vader in the army." in text
        assert "A Command Hand has" not in text
        answer = as_ada.post(url, {"hand": wrong})
        assert answer.status_code == 422
        assert text_of(answer).count("A Command Hand has 2 cards of 2 pips. This one has 0.") == 1
        html = html_of(answer)
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
        form = {"hand": self.HAND, "standing": "paragon-standing-orders"}
        assert as_ada.post(url, form).status_code == 302
        assert CommandHand.objects.get().cards[-1] == "paragon-standing-orders"

    def test_an_organizer_writes_a_hand_without_reading_the_old_one(self, client, as_ada, table, url):
        as_ada.post(url, {"unit": ["2"], "hand": self.HAND})
        client.force_login(table.cora)
        answer = client.get(url)
        assert "7 cards are recorded, and you cannot see them." in text_of(answer)
        assert 'value="ambush" selected' not in html_of(answer)
        assert client.post(url, {"unit": ["2"], "hand": [""] * 6}).status_code == 302
        assert tuple(CommandHand.objects.get().cards[:6]) == self.HAND
        other = tuple(reversed(self.HAND))
        assert client.post(url, {"unit": ["2"], "hand": other}).status_code == 302
        assert tuple(CommandHand.objects.get().cards[:6]) == other

    def test_an_opponent_who_organizes_is_not_asked(self, client, table, url):
        table.campaign.memberships.filter(user=table.ben).update(role="organizer")
        client.force_login(table.ben)
        client.post(reverse("battles:act_for", args=[Side.objects.get(register=table.alpha).pk]))
        assert "Command Hand" not in text_of(client.get(url))
        assert client.post(url, {"unit": ["2"], "hand": self.HAND}).status_code == 302
        assert not CommandHand.objects.exists()

    def test_a_recon_deck_is_all_nine(self, as_ada, url, battle):
        answer = as_ada.post(url, {"reckon": "deck"})
        assert "9 of 9 cards" in text_of(answer)
        deck = [card.slug for card in BattleCard.objects.filter(format="recon")]
        assert as_ada.post(url, {"deck": deck}).status_code == 302
        assert sorted(side_of(battle, "blue").army["battle_deck"]) == sorted(deck)
        assert "Battle Deck: 9 cards" in text_of(as_ada.get(battle.get_absolute_url()))

    def test_a_deck_is_chosen_by_type(self, as_ada, url):
        Battle.objects.update(size=1000)
        html = html_of(as_ada.get(url))
        assert html.count('name="deck"') == 9
        assert '<optgroup label="empire">' in html
        answer = as_ada.post(url, {"deck": ["breakthrough", "surface-scan-recon"]})
        assert answer.status_code == 422
        text = text_of(answer)
        assert text.count("Surface Scan is a recon card, but this battle is standard. Choose another card.") == 1
        assert '<option value="surface-scan-recon" selected>' in html_of(answer)
