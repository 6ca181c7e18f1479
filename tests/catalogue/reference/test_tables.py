"""The tables, from the catalogue and the rules."""

import pytest

from catalogue.reference import tables
from catalogue.snapshot import rulebook
from rules.core.rulebook import Rulebook


@pytest.fixture
def book(cards) -> Rulebook:
    return rulebook()


def rows(table) -> dict[str, tuple[str, ...]]:
    return {row.id: row.cells for row in table.rows}


def test_dice(book):
    table = tables.dice(book)
    assert table.columns == ("Die", "hit", "critical", "block", "surge", "blank")
    assert rows(table)["die-black-attack"] == ("black attack", "3", "1", "–", "1", "3")
    assert rows(table)["die-red-defense"] == ("red defense", "–", "–", "3", "1", "2")


def test_veteran_ranks(book):
    assert list(rows(tables.veteran_ranks(book)).values()) == [
        ("VR 0", "0–4"),
        ("VR 1", "5–12"),
        ("VR 2", "13–24"),
        ("VR 3", "25–39"),
        ("VR 4", "40–49"),
        ("VR 5", "50"),
    ]
    assert rows(tables.maximum_veteran_ranks(book))["maximum-special-forces"] == ("special forces", "VR 3")


def test_rank_limits(book):
    table = tables.rank_limits(book)
    assert table.columns == ("Rank", "Recon", "Escalation", "Standard", "Grand Army")
    assert rows(table)["rank-limit-corps"] == ("corps", "2–4", "3–6", "3–6", "6–10")


def test_setbacks_and_traits(book):
    setbacks, traits, odds = tables.setbacks(book), tables.defining_traits(book), tables.odds(book)
    assert [row.face for row in setbacks.rows] == ["hit", "blank", "surge", *["critical"] * 7]
    assert rows(setbacks)["setback-flat-footed"][:3] == (
        "Flat Footed",
        "critical, Bring Peace to the Galaxy",
        "casualty",
    )
    assert rows(setbacks)["setback-battle-shaken"][:3] == ("Battle-Shaken", "blank", "roll again")
    assert rows(traits)["trait-unsure"][:3] == ("Unsure", "blank", "2 games")
    assert len(traits.rows) == 10
    assert rows(odds) == {
        "odds-1": ("1", "12.5", "12.5", "37.5", "37.5"),
        "odds-2": ("2", "23.4", "1.6", "51.6", "23.4"),
        "odds-3": ("3", "33.0", "0.2", "54.5", "12.3"),
        "odds-4": ("4", "41.4", "< 0.1", "52.4", "6.2"),
        "odds-5": ("5", "48.7", "< 0.1", "48.2", "3.1"),
    }


def test_commendations(book):
    usual, high = tables.commendations(book), tables.commendations(book, high=True)
    of_arcs, cards = tables.commendations(book, of_arcs=True), tables.command_cards(book)
    assert [len(table.rows) for table in (usual, high, of_arcs, cards)] == [22, 6, 7, 4]
    assert rows(usual)["commendation-flexible-response"][1] == "corps trooper, VR 2"
    assert rows(usual)["commendation-expert-pilot"][1] == "Speeder, VR 2"
    assert rows(high)["commendation-lucky-shot"][1] == "One in a Million, VR 3"
    assert rows(high)["commendation-born-to-lead"][1] == "Paragon, VR 4"
    assert rows(of_arcs)["commendation-failure-is-not-an-option"][1] == (
        "Bring Peace to the Galaxy, commander or operative, VR 4"
    )
    assert rows(cards)["command-card-enemy-down"] == ("Enemy Down!", "2 pips", "Orders Paragon and 1 unit.")


def test_aid_requests_and_assets(book):
    aid = rows(tables.aid_requests(book))
    assert {slug: cells[1:3] for slug, cells in aid.items()} == {
        "aid-active-recruiting": ("1 SP", "once"),
        "aid-request-medical-supplies": ("veteran rank, minimum 1", "repeatable"),
        "aid-request-strategic-asset": ("the asset's", "repeatable"),
        "aid-request-reinforcements": ("veteran rank, minimum 1", "repeatable"),
        "aid-special-training": ("1 SP", "once"),
        "aid-supplies-and-provisions": ("1 per unit", "repeatable"),
        "aid-reassign-unit": ("1 SP", "repeatable"),
    }
    assets = rows(tables.assets(book))
    assert assets["asset-request-assistance"][1:3] == ("1 SP", "up to 2 · not in your own Turning Point Mission")
    assert assets["asset-contingency-plan"][1:3] == ("1 SP", "stays if unused")
    assert len(assets) == 8


def test_keywords(book):
    assert list(rows(tables.keywords(book))) == [
        "keyword-disgraced",
        "keyword-faulty-equipment",
        "keyword-insecure",
        "keyword-lauded",
        "keyword-hunted",
    ]


def test_story_arcs(book):
    arcs = tables.story_arcs(book)
    assert [passage.id for passage in arcs] == [f"arc-{slug}" for slug in book.story_arcs]
    peace = arcs[0]
    assert [row.name for row in peace.table.rows] == [
        "Persons of Interest",
        "Gather Intelligence",
        "Keep Them in Line",
        "Wipe Them Out",
    ]
    assert peace.text.endswith("Intended for: Empire. Cards: Failure Is Not an Option, Flat Footed, Conspicuous.")
    assert peace.table.rows[2].effect == (
        "1 token each time one of your units makes an enemy unit panic.\n"
        "If you have 2 or more tokens, this Agenda progresses. "
        "Then, if you have 3 or more tokens, it progresses again.\n"
        "3 progressions complete it.\n"
        "Reward: Draw 1 order token at random for each progression. "
        "For each token, choose a different unit of its rank. It gains 2 XP."
    )
