"""The home page."""

from __future__ import annotations

import pytest
from django.urls import reverse

from campaign.services import campaigns, reports
from registers.services import founding
from rules.effects import UnitReassigned
from tests.campaign.factories import (
    army_of,
    enlisted,
    happen,
    in_play,
    planned,
    reported,
    side_of,
)
from tests.registers.views.reading import queries_of, text_of

HOME = "/"


@pytest.fixture
def as_ada(client, table):
    client.force_login(table.ada)
    return client


@pytest.fixture
def as_ben(client, table):
    client.force_login(table.ben)
    return client


def test_visitors_read_what_it_is(client, db):
    said = text_of(client.get(HOME))
    assert "The campaign log for your Tours of Duty" in said
    assert "Sign up" in said


def test_nobody_yet(client, table):
    client.force_login(table.eve)
    said = text_of(client.get(HOME))
    for words in (
        "Nothing yet. Follow the link of an invitation or found a campaign, then found your Register in it.",
        "No Register yet",
        "None yet. Whoever organises one sends you a link, or adds you by your sign-in name.",
    ):
        assert words in said


def test_an_organiser_who_does_not_play(client, table):
    client.force_login(table.cora)
    said = text_of(client.get(HOME))
    assert "Nothing. If you play, found your Register in your campaign." in said


def test_campaigns_by_name(client, table):
    for name in ("Zeta", "Alpha", "Mid"):
        campaigns.found_campaign(actor=table.eve, name=name)
    client.force_login(table.eve)
    said = text_of(client.get(HOME))
    assert sorted(("Zeta", "Alpha", "Mid"), key=said.index) == ["Alpha", "Mid", "Zeta"]


def test_registers_and_campaigns(as_ada):
    said = text_of(as_ada.get(HOME))
    for words in (
        "Nothing. Plan a battle in one of your campaigns.",
        "Ashen Patrol Bring Peace to the Galaxy · Outer Rim Winter",
        "CP 139 /600",
        "Outer Rim Winter 4 members 0 battles",
    ):
        assert words in said


class TestWaiting:
    def test_for_the_founding(self, as_ada, table):
        register = founding.open_register(actor=table.ada, owner=table.ada, faction="rebel")
        page = as_ada.get(HOME)
        assert "Finish founding Unnamed Register, Rebel" in text_of(page)
        assert reverse("registers:founding", args=[register.pk]) in page.content.decode()

    def test_for_corps_units(self, as_ada, table):  # R4
        happen(table.alpha, UnitReassigned(unit="2", rule="R46"))
        assert "Add corps units Ashen Patrol has fewer than 2 (R4)" in text_of(as_ada.get(HOME))

    def test_for_an_army(self, as_ada, table):
        battle = planned(table)
        page = as_ada.get(HOME)
        assert "Muster Ashen Patrol Battle 1: Ashen Patrol against Dune Wardens" in text_of(page)
        assert reverse("campaign:muster", args=[side_of(battle, "blue").pk]) in page.content.decode()

    def test_for_the_others_army(self, as_ada, table):
        from campaign.services import battles

        side = side_of(planned(table), "blue")
        battles.muster(actor=table.ada, side_id=side.pk, army=army_of(table.alpha))
        assert "Dune Wardens musters Battle 1" in text_of(as_ada.get(HOME))

    def test_for_a_report(self, as_ada, table):
        in_play(planned(table))
        assert "Report the battle Battle 1" in text_of(as_ada.get(HOME))

    def test_for_the_others_yes(self, as_ada, table):
        reported(in_play(planned(table)), table.ada)
        assert "ben looks at your report Battle 1" in text_of(as_ada.get(HOME))

    def test_for_ones_own_yes(self, as_ben, table):
        reported(in_play(planned(table)), table.ada)
        assert "Confirm ada’s report Battle 1: Dune Wardens against Ashen Patrol" in text_of(as_ben.get(HOME))

    def test_for_a_step(self, as_ada, table):
        battle = reported(in_play(planned(table)), table.ada)
        reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
        page = as_ada.get(HOME)
        assert "Award Supply Points Battle 1: Ashen Patrol against Dune Wardens 3/10" in text_of(page)
        assert reverse("campaign:sequence", args=[battle.pk]) in page.content.decode()

    @pytest.mark.parametrize(
        ("own", "other", "idle"),
        [
            ({"step": 5}, {"step": 3}, True),
            ({"step": 5, "rival": ""}, {"step": 5}, True),
            ({"step": 5}, {"step": 5}, False),
            ({"step": 5, "rival": ""}, {"step": 6}, False),
            ({"step": 4}, {"step": 3}, False),
        ],
    )
    def test_for_the_others_step(self, as_ada, table, own, other, idle):  # R39
        battle = reported(in_play(planned(table)), table.ada)
        reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
        battle.sides.filter(colour="blue").update(**own)
        battle.sides.filter(colour="red").update(**other)
        assert (f"Dune Wardens is at step {other['step']} Battle 1" in text_of(as_ada.get(HOME))) is idle


def test_as_many_queries_for_three_of_everything(as_ada, table):
    planned(table)
    one = queries_of(as_ada, HOME)
    for name in ("Second", "Third"):
        table.alpha = enlisted(table.campaign, table.ada, name)
        table.bravo = enlisted(table.campaign, table.ben, f"Against {name}")
        planned(table)
    founding.open_register(actor=table.ada, owner=table.ada)
    assert queries_of(as_ada, HOME) == one
