"""What can be added now, and for the rest why not."""

import json
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from registers.options.offers import (
    closed_shelves,
    shelves,
    unit_choice,
    units_to_name,
    units_with_upgrades_due,
    upgrade_offers,
    upgrade_search,
)
from rules.core.campaign_rules import CampaignRules
from rules.register.building import add_unit
from rules.register.state import Dossier, RegisterState

EMPIRE = RegisterState(faction="empire", combat_potential=600, supply_points=5)


def corps(book, state=EMPIRE, **asked):
    [shelf] = shelves(book, state, rank="corps", **asked)
    return shelf


def test_by_tap_or_by_choice(book):
    commander = shelves(book, EMPIRE)[0]
    assert (commander.slug, commander.offers[0].answer) == ("commander", "")
    assert commander.offers[0].href == "?unit=imperial-officer-ruthless-efficiency"
    snow = next(offer for offer in corps(book).offers if offer.title == "Snowtroopers")
    assert (json.loads(snow.answer), snow.points) == ({"add": {"unit": "snowtroopers"}}, 42)


def test_mercenaries_stand_last(book):
    hired = ["mercenary" in offer.note for offer in corps(book).offers]
    assert hired == sorted(hired)
    assert any(hired)


def test_an_offer_says_what_the_unit_is_for(book):
    state = replace(EMPIRE, dossiers={"1": Dossier("1", "snowtroopers")})
    snow = next(offer for offer in corps(book, state).offers if offer.title == "Snowtroopers")
    assert (snow.note, snow.keywords, snow.number) == ("Trooper", "Steady", 1)
    assert corps(book).use == "2–4 in Recon battles"


def test_a_unit_with_a_compulsory_upgrade_is_no_offer_of_one_tap(book):  # R7
    support = next(shelf for shelf in shelves(book, replace(EMPIRE, faction="separatist")) if shelf.slug == "support")
    [spider] = [offer for offer in support.offers if offer.title == "DSD1 Dwarf Spider Droid"]
    assert (spider.answer, spider.href) == ("", "?unit=dsd1-dwarf-spider-droid")


def test_what_does_not_fit_says_so(book):  # R2
    shelf = corps(book, replace(EMPIRE, combat_potential=41))
    refused = {offer.title: offer.why for offer in shelf.refused}
    assert refused["Snowtroopers"] == (
        {"rule": "R2", "sentence": "This costs 42 points. The most that can be spent is 41."},
    )
    assert all(offer.points <= 41 for offer in shelf.offers)


def test_unreleased_cards(book):  # R5
    [card] = [card for card in book.units.values() if card.release and not card.unique][:1]
    state = replace(EMPIRE, faction=card.faction, combat_potential=2000)
    found = [o.title for s in shelves(book, state, query=card.name) for o in s.offers]
    allowed = book.under(CampaignRules(unreleased=True))
    found_then = [o.title for s in shelves(allowed, state, query=card.name) for o in s.offers]
    assert card.full_name not in found
    assert card.full_name in found_then


@pytest.mark.parametrize("query", ["troop", "gunner", "training", "grenades", "clan", "cr"])
def test_every_upgrade_that_is_found_joins_with_the_unit_that_is_named_first(book, query):  # R7, R8
    found = upgrade_search(book, replace(EMPIRE, combat_potential=2000), query)
    offered = [parse_qs(offer.href[1:]) for offer in found if offer.href]
    assert found
    for offer in offered:
        [unit], upgrades = offer["unit"], offer["upgrades"]
        assert add_unit(book, EMPIRE, unit, upgrades=upgrades, name="Vray")
    assert [bool(offer.href) for offer in found] == [not offer.why for offer in found]


def test_closed_shelves_say_how_many_may_join(book):
    opened = {shelf.slug: shelf for shelf in shelves(book, EMPIRE)}
    closed = {shelf.slug: shelf for shelf in closed_shelves(book, EMPIRE, rank="corps")}
    assert {slug: len(shelf.offers) for slug, shelf in opened.items()} == {
        slug: shelf.number for slug, shelf in closed.items()
    }
    assert closed.pop("corps") == opened["corps"]
    assert {(shelf.closed, len(shelf.offers), len(shelf.refused)) for shelf in closed.values()} == {(True, 0, 0)}


def test_upgrades_due_are_told_of_the_unit_that_is_opened(book):  # R8
    due = {key: Dossier(key, "stormtroopers", veteran_rank=1, commendations=("extra-equipment",)) for key in "12"}
    state = replace(EMPIRE, commissioned=True, dossiers={**due, "3": Dossier("3", "snowtroopers")})
    first, second = upgrade_offers(book, state)
    assert units_with_upgrades_due(book, state, opened="2") == [
        {"key": "1", "name": first["name"], "closed": True},
        second,
    ]


class TestUnitChoice:
    def test_what_is_compulsory_stands_first(self, book):  # R7
        choice = unit_choice(book, EMPIRE, "imperial-officer-ruthless-efficiency", ["strict-orders"])
        assert (choice["needs_name"], choice["why"]) == (True, ())
        [doctrine] = choice["required"]
        assert (doctrine["name"], doctrine["compulsory"]) == ("Doctrine", True)
        assert {book.upgrades[tick["value"]].type for tick in doctrine["ticks"]} == {"doctrine"}
        assert [slot["type"] for slot in choice["slots"]][:2] == ["armament", "command"]
        ticked = [tick["value"] for slot in choice["slots"] for tick in slot["ticks"] if tick["checked"]]
        assert ticked == ["strict-orders"]

    def test_why_an_upgrade_is_not_offered(self, book):
        choice = unit_choice(book, EMPIRE, "stormtroopers")
        assert {slot["type"] for slot in choice["slots"]} == {"heavy-weapon", "personnel"}
        assert {violation["rule"] for offer in choice["refused"] for violation in offer.why} >= {"R5", "R7"}

    def test_a_unit_that_no_longer_fits_keeps_what_was_ticked(self, book):  # R2
        full = replace(EMPIRE, combat_potential=0)
        choice = unit_choice(book, full, "imperial-officer-ruthless-efficiency", ["strict-orders"])
        assert [violation["rule"] for violation in choice["why"]] == ["R2"]
        assert "strict-orders" in [tick["value"] for slot in choice["slots"] for tick in slot["ticks"]]

    def test_unknown(self, book):
        assert unit_choice(book, EMPIRE, "") is None


def test_searching_for_an_upgrade_that_no_register_holds(book):  # R5
    [offer] = upgrade_search(book, EMPIRE, "Agent Kallus")
    assert [violation["rule"] for violation in offer.why] == ["R5"]


def test_units_that_need_a_name_stand_first(book):  # R9
    state = replace(
        EMPIRE, dossiers={"1": Dossier("1", "stormtroopers"), "2": Dossier("2", "snowtroopers", veteran_rank=1)}
    )
    assert [(unit["key"], unit["wanted"]) for unit in units_to_name(book, state)] == [("2", True), ("1", False)]
