"""A Register as its printed form has it."""

from dataclasses import replace

import pytest

from registers.pages.sheet import (
    arc_of,
    assets_of,
    command_cards_of,
    dossier_terms,
    experience,
    in_order,
    keyword_term,
    unit_card,
    warnings,
)
from registers.projection import state_of
from rules.core.campaign_rules import CampaignRules
from rules.register.state import Dossier, RegisterState


@pytest.mark.parametrize(
    ("dossier", "thresholds", "maximum", "following"),
    [
        (Dossier("2", "stormtroopers", experience=7), [5, 13, 25], 25, 13),  # R12
        (Dossier("2", "stormtroopers", experience=25, training=1), [5, 13, 25, 40], 40, 40),  # R44
        (Dossier("2", "stormtroopers", experience=25), [5, 13, 25], 25, None),  # R13
    ],
)
def test_experience(book, dossier, thresholds, maximum, following):
    assert experience(book, dossier) == {
        "veteran_rank": 0,
        "experience": dossier.experience,
        "thresholds": thresholds,
        "maximum_experience": maximum,
        "next_threshold": following,
    }


def test_unit_card(book, founded):
    state = state_of(founded)
    dossier = replace(state.dossiers["2"], upgrades=("dlt-19-stormtrooper",), name="Grim Hounds")
    state = replace(state, dossiers={**state.dossiers, "2": dossier})
    card = unit_card(book, state, dossier, founded, fallen_in="Battle 7")
    points = book.upgrades["dlt-19-stormtrooper"].points
    assert card == {
        "key": "2",
        "label": "Grim Hounds",
        "name": "Grim Hounds",
        "unit": "Stormtroopers",
        "rank": "corps",
        "rank_name": "corps",
        "points": 42 + points,
        "url": f"/registers/{founded.pk}/dossiers/2/",
        "is_paragon": False,
        "fallen_in": "Battle 7",
        "painted": False,
        "insignia": "veteran-0",
        "terms": [],
        "upgrades": [
            {"type": "heavy-weapon", "name": book.upgrades["dlt-19-stormtrooper"].full_name, "points": points}
        ],
        **experience(book, dossier),
    }


def test_terms_in_order_and_counted(book):
    dossier = Dossier(
        "2",
        "stormtroopers",
        setbacks=("downtrodden", "battle-shaken", "downtrodden"),
        commendations=("resilient",),
        keywords=("Aim 1",),
    )
    assert [(term["name"], term.get("kind")) for term in dossier_terms(book, dossier)] == [
        (f"{book.setbacks['downtrodden'].name} ×2", "setback"),
        ("Battle-Shaken", "setback"),
        ("Resilient", "commendation"),
        ("Aim 1", None),
    ]


def test_a_keyword_of_tours_of_duty_opens_to_its_text(book):
    name, keyword = next(iter(book.keywords.items()))
    assert keyword_term(book, name) == {"name": name, "text": keyword.effect}
    assert keyword_term(book, "Precise 1")["text"] == "Each aim token rerolls up to that many more dice."
    assert keyword_term(book, "Unheard Of 1") == {"name": "Unheard Of 1", "text": ""}


def test_the_paragon_stands_first(founded):
    state = replace(state_of(founded), paragon="3")
    assert [dossier.key for dossier in in_order(state)] == ["3", "1", "2"]


@pytest.mark.parametrize(
    ("length", "ended", "complete", "place"),
    [
        (3, 0, False, "1 of 3"),
        (3, 2, False, "3 of 3"),
        (3, 3, True, ""),
        (None, 1, False, ""),
        (2, 2, False, ""),  # begun before the campaign became shorter
    ],
)
def test_which_arc_of_how_many(book, length, ended, complete, place):  # R49
    state = RegisterState(story_arc="bring-peace-to-the-galaxy", arcs_ended=ended, saga_complete=complete)
    assert arc_of(book.under(CampaignRules(length=length)), state)["place"] == place


def test_the_arc_and_its_agendas(book):
    assert arc_of(book, RegisterState()) is None
    arc = arc_of(book, RegisterState(story_arc="bring-peace-to-the-galaxy", agendas={"keep-them-in-line": 2}))
    assert [(a["slug"], a["done"], a["total"]) for a in arc["agendas"]] == [
        ("persons-of-interest", 0, 3),
        ("gather-intelligence", 0, 3),
        ("keep-them-in-line", 2, 3),
    ]


def test_assets_and_command_cards(book):
    slug, card = next(iter(book.command_cards.items()))
    state = RegisterState(assets=("medevac",), command_cards=(slug,))
    assert assets_of(book, state) == [{"name": "Medevac", "text": book.assets["medevac"].effect, "rule": "R43"}]
    assert command_cards_of(book, state) == [
        {"name": f"{card.name} ({card.pips})", "text": card.orders, "rule": "R16", "kind": "command"}
    ]


def test_gained_keywords_and_command_cards_stand_on_the_card_of_a_unit(book, founded):
    """R16: the Command Cards on that of the Paragon."""
    slug, card = next(iter(book.command_cards.items()))
    [well_led] = [each for each in book.commendations.values() if each.keywords == ("Inspire 2",)]
    state = replace(state_of(founded), command_cards=(slug,))
    other = replace(state.dossiers["2"], keywords=("Aim 1",), commendations=(well_led.slug,))
    terms = {
        dossier.key: [
            (term["name"], bool(term.get("gained"))) for term in unit_card(book, state, dossier, founded)["terms"]
        ]
        for dossier in (state.dossiers["1"], other)
    }
    assert terms == {
        "1": [(f"{card.name} ({card.pips})", False)],
        "2": [(well_led.name, False), ("Aim 1", True), ("Inspire 2", True)],
    }


def test_a_named_unit_is_named_in_a_warning(book, founded):  # R7
    assert [warning["sentence"] for warning in warnings(book, state_of(founded))] == [
        "Captain Sorne needs a Doctrine upgrade. Add it under Upgrades."
    ]
