"""The page of a Register."""

import pytest
from django.urls import reverse

from registers import campaign_side
from registers.campaign_side import BattleName, CampaignSide
from registers.services import building, editing
from rules.register import effects as e
from tests.html import html_of
from tests.registers.charts.drawing import outside
from tests.registers.factories import make_register
from tests.registers.views.reading import happen, queries_of, text_of

NAMED = CampaignSide(battle_names=lambda ids: {battle: BattleName(f"Battle {battle}", "/b/") for battle in ids})


def detail(register) -> str:
    return reverse("registers:detail", args=[register.pk])


def ledger_of(register, query: str = "") -> str:
    return reverse("registers:ledger", args=[register.pk]) + query


class TestDetail:
    def test_everything_of_the_printed_form(self, signed_in, founded):
        happen(
            founded,
            e.SetbackGained(unit="2", setback="battle-shaken", rule="R36"),
            e.SetbackGained(unit="2", setback="downtrodden", rule="R36"),
            e.SetbackGained(unit="2", setback="downtrodden", rule="R36"),
            e.KeywordGained(unit="2", keyword="Strategize 1", rule="R26"),
            e.AgendaProgressed(agenda="keep-them-in-line", amount=2, rule="R25"),
            e.AssetGained(asset="medevac", rule="R43"),
            e.TraitGained(trait="tunnel-vision", games=2, rule="R37"),
            e.ReputationGained(amount=1, rule="R48"),
            e.UnitNamed(unit="3", name="Grim Hounds", rule="R9"),
        )
        text = text_of(signed_in.get(detail(founded)))
        for words in (
            "Ashen Patrol Empire ada",
            "Combat Potential 139 of 600",
            "Supply Points 5",
            "Reputation 1",
            "Paragon Captain Sorne Imperial Officer, Ruthless Efficiency Veteran Rank 0 Commander · 55 points",
            "Tunnel Vision (2 games left)",
            "Battle-Shaken",
            "Downtrodden 1 ×2",
            "Medevac",
            "Bring Peace to the Galaxy",
            "Grim Hounds Stormtroopers 42 points VR 0 0 XP",
            "Strategize 1",
        ):
            assert words in text

    def test_what_the_player_should_know(self, signed_in, founded):  # R4, R7, R9
        happen(founded, e.UnitFell(unit="3", rule="R35"), e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"))
        assert [w["rule"] for w in signed_in.get(detail(founded)).context["warnings"]] == ["R4", "R7", "R9"]

    def test_above_the_combat_potential(self, signed_in, founded):  # R2
        happen(founded, e.CombatPotentialRaised(amount=-500, rule="R0"))
        assert "39 points over the Combat Potential" in text_of(signed_in.get(detail(founded)))

    def test_combat_potential_by_rank(self, signed_in, founded):
        page = signed_in.get(detail(founded))
        assert "139 of 600 points used, 461 free." in text_of(page)
        assert "Commander × 1 55 Corps × 2 84 Free 461" in text_of(page)
        assert outside(html_of(page)) == []

    def test_the_fallen_with_their_battle(self, signed_in, founded, monkeypatch):
        happen(founded, e.UnitFell(unit="3", rule="R35"), e.UnitReassigned(unit="2", rule="R46"))
        assert "Stormtroopers (no. 3) Fallen a battle 42 points" in text_of(signed_in.get(detail(founded)))
        monkeypatch.setattr(campaign_side, "campaigns", NAMED)
        assert "Fallen Battle 7" in text_of(signed_in.get(detail(founded)))
        assert "Go to Battle 7 No. 8 Step 4" in text_of(signed_in.get(ledger_of(founded)))

    def test_the_last_deed_of_the_paragon_with_its_battle(self, signed_in, founded, monkeypatch):
        """It did more than take part in the older of two battles."""
        took_part = e.ExperienceGained(unit="1", amount=1, rule="R39", why="took part")
        happen(founded, e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"), battle="7")
        happen(founded, took_part, battle="8")
        monkeypatch.setattr(campaign_side, "campaigns", NAMED)
        assert "Last deed Reached Veteran Rank 1 Battle 7" in text_of(signed_in.get(detail(founded)))

    def test_a_biography(self, signed_in, founded, player):
        editing.write_biography(actor=player, register_id=founded.pk, text="**Bold** <script>alert(1)</script>")
        html = html_of(signed_in.get(detail(founded)))
        assert "<strong>Bold</strong>" in html
        assert "<script>alert" not in html

    def test_where_to_go_on(self, signed_in, founded, empty):
        edit, go_on = (reverse("registers:edit", args=[founded.pk]), reverse("registers:building", args=[empty.pk]))
        assert edit in html_of(signed_in.get(detail(founded)))
        assert go_on in html_of(signed_in.get(detail(empty)))
        happen(founded, e.FieldTaken(battle="7", rule="R11"))
        page = signed_in.get(detail(founded))
        assert edit not in html_of(page)
        assert "in a battle" in text_of(page)

    def test_nobody_elses(self, client, other, founded):
        client.force_login(other)
        assert client.get(detail(founded)).status_code == 404
        assert client.get(ledger_of(founded)).status_code == 404


@pytest.mark.parametrize("name", ["detail", "edit"])
def test_constant_queries(signed_in, player, book, name):
    numbers = []
    for many in (2, 6):
        register = make_register(player, units=many)
        for key in range(2, many + 1):
            happen(register, e.UnitFell(unit=str(key), rule="R35"))
        address = reverse(f"registers:{name}", args=[register.pk])
        numbers.append(queries_of(signed_in, address))
    assert numbers[0] == numbers[1]


def test_founding_is_not_lost_from_sight(signed_in, player, empty):
    building.add_unit(actor=player, register_id=empty.pk, position=None, card="stormtroopers")
    assert "draft" in text_of(signed_in.get(detail(empty)))
