"""The army of a side as cards, and as a page for who may see it."""

import pytest
from django.urls import reverse

from campaign.battles.pages.armies import plain_side
from catalogue.snapshot import card_index
from lists.exporting import WRITERS
from lists.formats import detect
from lists.formats.plain_army import army_of as read_army
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.register.effects import UnitFell
from tests.campaign.factories import happen, in_play, planned, side_of
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

ARMY = PlainArmy(
    faction="empire",
    size=600,
    title="Ashen Patrol",
    units=(PlainUnit("imperial-officer-ruthless-efficiency"), PlainUnit("stormtroopers"), PlainUnit("stormtroopers")),
)


def address(battle, colour: str = "blue", which: str = "") -> str:
    name, more = ("battles:list_file", [which]) if which else ("battles:list_export", [])
    return reverse(name, args=[side_of(battle, colour).pk, *more])


def test_the_army(table):
    assert plain_side(side_of(in_play(planned(table)), "blue")) == ARMY


def test_who_fell_since_was_in_it(table):
    battle = in_play(planned(table))
    happen(table.alpha, UnitFell(unit="3", rule="R35"))
    assert plain_side(side_of(battle, "blue")) == ARMY


@pytest.mark.parametrize("which", list(WRITERS))
def test_its_files_are_read_again(client, table, which):
    battle = in_play(planned(table))
    client.force_login(table.ada)
    answer = client.get(address(battle, which=which))
    parsed = detect.read_file(answer.content, card_index())
    assert (parsed.open, read_army(parsed).units) == ((), ARMY.units)


@pytest.mark.parametrize(
    ("who", "while_mustering", "in_battle"),
    [("ada", 404, 200), ("ben", 404, 200), ("mia", 404, 200), ("cora", 404, 200), ("eve", 404, 404)],
)
def test_nothing_is_seen_before_both_stand(client, table, who, while_mustering, in_battle):
    battle = planned(table)
    client.force_login(getattr(table, who))
    assert client.get(address(battle)).status_code == while_mustering
    in_play(battle)
    assert client.get(address(battle)).status_code == in_battle


def test_the_own_army_is_seen_as_soon_as_it_stands(client, table):
    battle = planned(table)
    side = side_of(battle, "blue")
    side.army_chosen = True
    side.army = {"fielded": {"1": []}}
    side.save()
    seen = {}
    for who in ("ada", "ben", "mia"):
        client.force_login(getattr(table, who))
        seen[who] = client.get(address(battle)).status_code
    assert seen == {"ada": 200, "ben": 404, "mia": 404}


def test_the_page_of_the_battle_leads_there(client, table):
    battle = in_play(planned(table))
    client.force_login(table.ada)
    assert address(battle) in html_of(client.get(f"{battle.get_absolute_url()}?details"))
    page = client.get(address(battle))
    assert "The units of Ashen Patrol and their upgrades" in text_of(page)
    assert queries_of(client, address(battle)) < 30
