"""What only the rules have against a correction, each at the value it is about (R2 to R9, R12 to R16, R25 to R49)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.adjustments.corrections import WantedValue, corrected, numbers_against_rules
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState
from tests.rules.build import AT_ST, OTHERS, PARAGON, SNOW, SNOWTROOPERS, TROOPERS, WALKER, change, house, state

AGENDA = "keep-them-in-line"


def against(book: Rulebook, before: RegisterState, *wishes: WantedValue) -> list[tuple[str, str]]:
    found = corrected(book, before, wishes)
    assert found.impossible == ()
    return [(violation.rule, violation.about) for violation in found.against_rules]


@pytest.mark.parametrize(
    ("name", "new", "violations"),
    [
        ("combat_potential", 100, [("R2", "combat_potential")]),
        ("faction", "rebel", [("R3", f"{key}.card") for key in "1234567"]),
        ("paragon", TROOPERS, [("R6", "paragon"), ("R6", "paragon")]),
        ("trait", ["unsure", 3], [("R37", "trait")]),
        ("trait", ["unsure", 2], []),
        ("command_cards_owed", 1, [("R16", "command_cards")]),
        ("assets", ["medevac", "medevac"], [("R43", "assets")]),
        ("assets", ["request-assistance", "request-assistance"], []),
        ("supply_points", 99, []),
        ("story_arc", "a-pirates-life", []),
    ],
)
def test_of_the_register(book: Rulebook, name: str, new: Any, violations: list[tuple[str, str]]) -> None:
    assert against(book, state(), WantedValue(name, new)) == violations


@pytest.mark.parametrize(
    ("key", "values", "violations"),
    [
        (TROOPERS, {"experience": 26, "veteran_rank": 3}, ["R13 2.experience"]),
        (TROOPERS, {"experience": 40, "veteran_rank": 3}, ["R13 2.experience"]),
        (TROOPERS, {"experience": 5}, ["R12 2.veteran_rank"]),
        (TROOPERS, {"experience": 5, "veteran_rank": 1}, []),
        (TROOPERS, {"veteran_rank": 3}, []),
        (TROOPERS, {"veteran_rank": 4}, ["R12 2.veteran_rank"]),
        (TROOPERS, {"veteran_rank": 4, "training": 1}, []),
        (TROOPERS, {"training": 3}, ["R44 2.training"]),
        (TROOPERS, {"setbacks": ["downtrodden", "downtrodden", "battle-shaken"]}, []),
        (TROOPERS, {"setbacks": ["battle-shaken", "battle-shaken"]}, ["R36 2.setbacks"]),
        (TROOPERS, {"name": "", "veteran_rank": 1}, ["R9 2.name"]),
        (PARAGON, {"name": ""}, ["R7 1.name"]),
        (TROOPERS, {"upgrades": ["agent-kallus"]}, ["R5 2.upgrades"]),
        (TROOPERS, {"upgrades": ["axe-ewok"]}, ["R8 2.upgrades"]),
        (TROOPERS, {"commendations": ["sterner-stuff"]}, ["R15 2.commendations"]),
        (SNOW, {"card": "darth-vader-dark-lord-of-the-sith"}, ["R2 combat_potential", "R5 4.card", "R7 4.name"]),
        (WALKER, {"place": "fallen"}, []),
    ],
)
def test_of_a_unit(book: Rulebook, key: str, values: dict[str, Any], violations: list[str]) -> None:
    before = change(state(combat_potential=500), SNOW, name="")
    found = against(book, before, *(WantedValue(name, new, unit=key) for name, new in values.items()))
    assert [f"{rule} {about}" for rule, about in found] == violations


def test_too_few_corps(book: Rulebook) -> None:
    left = state(dossiers={key: state().dossiers[key] for key in (PARAGON, TROOPERS, OTHERS)})
    strike = WantedValue("dossier", None, unit=OTHERS)
    assert against(book, left, strike) == [("R4", "units")]
    assert against(book, replace(left, commissioned=False), strike) == []


def test_a_new_unit(book: Rulebook) -> None:
    new = {"card": AT_ST, "experience": 6}
    assert against(book, state(combat_potential=500), WantedValue("dossier", new, unit="new")) == [
        ("R2", "combat_potential"), ("R12", "8.veteran_rank"),
    ]  # fmt: skip


def test_of_another_faction_unless_it_took_over_the_paragons(book: Rulebook) -> None:
    before = change(state(), TROOPERS, faction="empire")
    assert against(book, before, WantedValue("card", "rebel-troopers", unit=TROOPERS)) == []
    assert against(book, state(), WantedValue("card", "rebel-troopers", unit=TROOPERS)) == [("R3", "2.card")]


def test_an_arc_that_is_not_offered_and_its_agendas(book: Rulebook) -> None:
    limited = book.under(replace(book.campaign_rules, story_arcs=frozenset({"a-pirates-life"})))
    before = state(story_arc="a-pirates-life")
    assert against(limited, before, WantedValue("story_arc", "bring-peace-to-the-galaxy")) == [("R49", "story_arc")]
    assert against(book, before, WantedValue("progress", 1, agenda=AGENDA)) == [("R25", f"agenda.{AGENDA}")]
    assert against(book, state(), WantedValue("progress", 99, agenda=AGENDA)) == [("R25", f"agenda.{AGENDA}")]
    assert against(book, state(agendas={AGENDA: 1}), WantedValue("reputation", 1)) == []


def test_a_commendation_that_goes_leaves_its_upgrade_homeless(book: Rulebook) -> None:
    slug = next(s for s, card in book.commendations.items() if card.upgrade_slots == ("training",))
    card = next(s for s, up in book.upgrades.items() if up.type == "training" and not up.restrictions)
    before = change(state(), TROOPERS, commendations=(slug,), upgrades=(card,), by_commendation=(card,))
    assert against(book, before, WantedValue("commendations", [], unit=TROOPERS)) == [("R8", "2.upgrades")]


def test_what_was_so_before_is_no_hindrance(book: Rulebook) -> None:
    before = change(
        state(combat_potential=10, assets=("medevac", "medevac")),
        TROOPERS, setbacks=("battle-shaken",) * 2, experience=60, name="",
    )  # fmt: skip
    assert against(book, before, WantedValue("supply_points", 1), WantedValue("owed", 1, unit=TROOPERS)) == []
    assert against(book, before, WantedValue("card", SNOWTROOPERS, unit=WALKER)) == []


def test_a_card_that_was_for_the_unit_no_longer_is_no_hindrance_for_another_that_changes_it(book: Rulebook) -> None:
    """R8: a raiders' gunner beside a crew of another affiliation, as it could be once."""
    before = change(
        state(faction="empire"), WALKER, card="wlo-5-speeder-tank", upgrades=("frenzied-gunner", "black-sun-crew")
    )
    alone = change(before, WALKER, upgrades=("frenzied-gunner",))
    crew = WantedValue("upgrades", ["frenzied-gunner", "pyke-syndicate-crew"], unit=WALKER)
    assert ("R8", f"{WALKER}.upgrades") not in against(book, before, crew)
    assert ("R8", f"{WALKER}.upgrades") in against(book, alone, crew)


def test_the_last_gain_may_pass_the_cap_where_the_house_says_so(book: Rulebook) -> None:
    wishes = WantedValue("experience", 27, unit=TROOPERS), WantedValue("veteran_rank", 3, unit=TROOPERS)
    assert against(book, state(), *wishes) == [("R13", "2.experience")]
    assert against(house(book, last_gain="whole"), state(), *wishes) == []


def test_what_acts_add_up_to_in_a_unit(book: Rulebook) -> None:
    """Names may be still to come, and what was so before is no hindrance."""
    before = change(state(), TROOPERS, setbacks=("battle-shaken",))
    wrong = change(before, TROOPERS, experience=30, veteran_rank=3, setbacks=("battle-shaken",) * 2, training=3)
    found = [(violation.rule, violation.about) for violation in numbers_against_rules(book, before, wrong)]
    assert found == [("R44", "2.training"), ("R36", "2.setbacks")]
    low = change(before, TROOPERS, experience=30)
    assert [violation.rule for violation in numbers_against_rules(book, before, low)] == ["R13", "R12"]
    assert list(numbers_against_rules(book, low, low)) == []
