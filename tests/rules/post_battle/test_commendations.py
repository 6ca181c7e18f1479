"""Step 6, Award Commendations (R9, R15)."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from rules.core.card_types import Commendation, Requirement
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.commendations import Award, Due, open_to, requirement_violations
from rules.post_battle.dialogue import Option
from rules.register.effects import UnitNamed
from rules.register.state import RegisterState

from ..build import (
    BIKE,
    OFFICER,
    PARAGON,
    SCOUT,
    SNOW,
    TROOPERS,
    WALKER,
    broken,
    change,
    done,
    noted,
    state,
    violations,
)
from .awarding import awarded, choice, owing, step, waived

ALWAYS = {
    "resilient", "veteran-leader", "special-munitions", "one-in-a-million", "strongpoint-expertise",
    "marksmanship-badge", "harsh-environments-gear",
}  # fmt: skip

TROOPER = {"advanced-drill", "forward-patrol", "extra-equipment"}

AT_TWO = {
    "recon-badge", "assault-badge", "personal-shields", "feats-of-valor", "self-sufficient", "urban-assault-experts",
}  # fmt: skip

# --- Which Commendations are open ----------------------------------------------------------------------------


def choices(book: Rulebook, start: RegisterState, unit: str = TROOPERS) -> set[str]:
    return {card.slug for card in open_to(book, start, start.dossiers[unit])}


@pytest.mark.parametrize(
    ("unit", "rank", "expected"),
    [
        (TROOPERS, 1, ALWAYS | TROOPER),
        (TROOPERS, 2, ALWAYS | TROOPER | AT_TWO | {"fearsome", "flexible-response"}),
        (TROOPERS, 3, ALWAYS | TROOPER | AT_TWO | {"fearsome", "flexible-response", "sterner-stuff"}),
        (SCOUT, 2, ALWAYS | TROOPER | AT_TWO | {"fearsome", "headhunters"}),
        (BIKE, 1, ALWAYS | {"field-modifications"}),
        (BIKE, 2, ALWAYS | AT_TWO | {"field-modifications", "expert-pilot"}),
        (WALKER, 2, ALWAYS | AT_TWO | {"field-modifications"}),
        (WALKER, 3, ALWAYS | AT_TWO | {"field-modifications", "sterner-stuff", "veteran-gunners"}),
        (PARAGON, 3, ALWAYS | TROOPER | AT_TWO | {"fearsome", "sterner-stuff"}),
        (PARAGON, 4, ALWAYS | TROOPER | AT_TWO | {
            "fearsome", "sterner-stuff", "born-to-lead", "failure-is-not-an-option"}),
    ],
)  # fmt: skip
def test_what_a_unit_may_be_awarded(book: Rulebook, unit: str, rank: int, expected: set[str]) -> None:
    """R15: by VR, rank, unit class, keyword; the Paragon's own; that of the current arc."""
    assert choices(book, owing(unit, rank=rank), unit) == expected


@pytest.mark.parametrize(
    ("had", "opens"),
    [
        ("special-munitions", "well-stocked"), ("resilient", "dedicated-to-the-cause"),
        ("one-in-a-million", "lucky-shot"), ("sterner-stuff", "implacable"),
    ],
)  # fmt: skip
def test_one_builds_on_another(book: Rulebook, had: str, opens: str) -> None:
    """R15: with VR 3; and never the same one twice."""
    before = choices(book, owing(rank=3))
    assert choices(book, owing(rank=3, commendations=(had,))) == before - {had} | {opens}
    assert opens not in choices(book, owing(rank=2, commendations=(had,)))


@pytest.mark.parametrize(
    ("arc", "own", "unit", "card", "rank"),
    [
        ("bring-peace-to-the-galaxy", "failure-is-not-an-option", PARAGON, OFFICER, 4),
        ("liberate-the-system", "hopeful", TROOPERS, "stormtroopers", 1),
        ("peacekeeping-mission", "unity", TROOPERS, "clone-trooper-infantry", 3),
        ("root-out-the-corruption", "well-supplied", TROOPERS, "stormtroopers", 2),
        ("the-weekend-war", "rapid-response", TROOPERS, "stormtroopers", 1),
        ("birth-of-a-legend", "legendary", PARAGON, OFFICER, 3),
        ("a-pirates-life", "go-where-the-money-is", TROOPERS, "stormtroopers", 1),
    ],
)
def test_the_arc_s_own_is_open_only_on_that_arc(
    book: Rulebook, arc: str, own: str, unit: str, card: str, rank: int
) -> None:
    """R15; and with its VR."""

    def is_open(on: str, at: int) -> bool:
        return own in choices(book, owing(unit, rank=at, card=card, start=state(story_arc=on)), unit)

    assert {slug for slug in book.story_arcs if is_open(slug, rank)} == {arc}
    assert is_open(arc, rank - 1) is (book.commendations[own].requires.veteran_rank == 0)


def why_not(book: Rulebook, start: RegisterState, slug: str, unit: str = TROOPERS) -> list[str]:
    return list(requirement_violations(book, start, start.dossiers[unit], book.commendations[slug]))


@pytest.mark.parametrize(
    ("slug", "changes", "words"),
    [
        ("resilient", {"commendations": ("resilient",)}, ["already awarded"]),
        ("recon-badge", {}, ["needs VR 2"]),
        ("well-stocked", {}, ["needs VR 3", "needs Special Munitions"]),
        ("field-modifications", {}, ["only for a vehicle"]),
        ("advanced-drill", {"card": "at-st"}, ["only for a trooper"]),
        ("headhunters", {}, ["needs VR 2", "only for special forces"]),
        ("failure-is-not-an-option", {"veteran_rank": 4}, ["only for commander or operative"]),
        ("unity", {"veteran_rank": 3}, ["only during Peacekeeping Mission", "only for a clone trooper"]),
        ("expert-pilot", {"veteran_rank": 2}, ["only with Speeder"]),
        ("born-to-lead", {"veteran_rank": 4}, ["only for the Paragon"]),
        ("born-to-lead", {"veteran_rank": 4, "card": OFFICER}, ["only for the Paragon"]),
    ],
)
def test_why_a_unit_may_not_have_one(book: Rulebook, slug: str, changes: dict[str, Any], words: list[str]) -> None:
    """R15."""
    assert why_not(book, change(state(), TROOPERS, **{"veteran_rank": 1} | changes), slug) == words


@pytest.mark.parametrize("rank", [1, 3])
def test_what_is_open_is_what_nothing_is_against(book: Rulebook, rank: int) -> None:
    """R15: of every unit card, as Paragon and not."""
    for key, card in product((PARAGON, TROOPERS), book.units):
        start = change(state(), key, card=card, veteran_rank=rank)
        assert open_to(book, start, start.dossiers[key]) == [
            commendation
            for slug, commendation in book.commendations.items()
            if not (commendation.retired or why_not(book, start, slug, key))
        ]


def test_one_of_several_unit_types_is_enough(book: Rulebook) -> None:
    """R15."""
    needs = Requirement(unit_type=("clone trooper", "droid trooper"))
    cards = {**book.commendations, "oil": Commendation("oil", "Oil", "", requires=needs)}
    wide = replace(book, commendations=cards)
    assert why_not(wide, state(), "oil") == ["only for a clone trooper or droid trooper"]
    assert why_not(wide, change(state(), TROOPERS, card="b1-battle-droids"), "oil") == []


def test_at_most_one_high_commendation(book: Rulebook) -> None:
    """R15: two with the keyword Lauded, and no more than two with two of it."""
    had = ("resilient", "one-in-a-million", "dedicated-to-the-cause")
    start = owing(rank=3, commendations=had)
    assert why_not(book, start, "lucky-shot") == ["already has its High Commendation"]
    lauded = owing(rank=3, commendations=had, keywords=("Lauded",))
    assert why_not(book, lauded, "lucky-shot") == []
    both = owing(rank=3, commendations=(*had, "lucky-shot", "sterner-stuff"), keywords=("Lauded", "Lauded"))
    assert why_not(book, both, "implacable") == ["already has its High Commendation"]


# --- Awarding ------------------------------------------------------------------------------------------------


def test_nothing_is_owed(book: Rulebook) -> None:
    assert done(step(book, state())) == [noted("R15", "no Commendation to choose")]


def test_one_question_for_all_units_that_are_owed_one(book: Rulebook) -> None:
    start = owing(SNOW, name="", start=owing())
    expected = tuple(
        Option(card.slug, card.name, card.effect)
        for card in book.commendations.values()
        if card.slug in ALWAYS | TROOPER
    )
    assert step(book, start).question == Award(
        rule="R15",
        text="Choose Commendations.",
        dues=(
            Due(TROOPERS, "Grim Hounds", 1, expected, needs_name=False),
            Due(SNOW, "Snowtroopers", 1, expected, needs_name=True),
        ),
    )


def test_what_is_owed_is_awarded(book: Rulebook) -> None:
    start = owing(SNOW, start=owing())
    answer = choice(SNOW, "resilient") | choice(TROOPERS, "advanced-drill")
    progress = step(book, start, answer)
    assert done(progress) == [awarded(TROOPERS, "advanced-drill"), awarded(SNOW, "resilient")]
    assert not any(dossier.owed for dossier in progress.state.dossiers.values())


def test_a_player_may_waive(book: Rulebook) -> None:
    """R15: recorded."""
    assert done(step(book, owing(), choice(TROOPERS, None))) == [waived(TROOPERS)]
    assert done(step(book, owing(), {TROOPERS: {}})) == [waived(TROOPERS)]


def test_two_awards_one_after_the_other(book: Rulebook) -> None:
    """R15: against what the unit is now, even for the lower of the two; the first may open the second."""
    start = owing(owed=2, rank=3)
    second = step(book, start, choice(TROOPERS, "resilient"))
    assert isinstance(second.question, Award)
    offered = {option.value for option in second.question.dues[0].options}
    assert ("dedicated-to-the-cause" in offered, "resilient" in offered) == (True, False)
    assert done(step(book, start, choice(TROOPERS, "resilient"), choice(TROOPERS, "dedicated-to-the-cause"))) == [
        awarded(TROOPERS, "resilient"), awarded(TROOPERS, "dedicated-to-the-cause"),
    ]  # fmt: skip


def test_what_is_not_open_is_refused(book: Rulebook) -> None:
    """R15: for all units at once."""
    start = owing(SNOW, start=owing())
    answer = choice(SNOW, "well-stocked") | choice(TROOPERS, "medal")
    assert violations(lambda: step(book, start, answer)) == [
        Violation("R15", "This Commendation does not exist. Choose another one.", TROOPERS),
        Violation("R15", "Cold Feet cannot have Well-Stocked: needs VR 3; needs Special Munitions.", SNOW),
    ]


@pytest.mark.parametrize(
    ("answer", "text", "about"),
    [
        (None, "Choose a Commendation for each unit, or skip it.", ""),
        ({}, "Choose a Commendation for each unit, or skip it.", ""),
        ({TROOPERS: {}, SNOW: {}}, "Choose a Commendation for each unit, or skip it.", ""),
        ({TROOPERS: "resilient"}, "Choose a Commendation, or skip it.", TROOPERS),
        ({TROOPERS: {"medal": "resilient"}}, "Choose a Commendation, or skip it.", TROOPERS),
        ({TROOPERS: {"commendation": ["resilient"]}}, "Choose a Commendation, or skip it.", TROOPERS),
        ({TROOPERS: {"commendation": None, "name": 7}}, "Choose a Commendation, or skip it.", TROOPERS),
    ],
)
def test_answers_of_another_shape_are_refused(book: Rulebook, answer: Any, text: str, about: str) -> None:
    assert violations(lambda: step(book, owing(), answer)) == [Violation("R15", text, about)]


def everything(book: Rulebook) -> tuple[str, ...]:
    return tuple(book.commendations)


def test_what_nobody_can_have_is_waived_by_itself(book: Rulebook) -> None:
    """R15: recorded."""
    start = owing(commendations=everything(book))
    assert done(step(book, start)) == [waived(TROOPERS, "no Commendation is available")]


def test_others_are_asked_all_the_same(book: Rulebook) -> None:
    start = owing(SNOW, start=owing(commendations=everything(book)))
    asked = step(book, start).question
    assert isinstance(asked, Award)
    assert [due.unit for due in asked.dues] == [SNOW]
    assert done(step(book, start, choice(SNOW, "resilient"))) == [
        waived(TROOPERS, "no Commendation is available"), awarded(SNOW, "resilient"),
    ]  # fmt: skip


# --- A name --------------------------------------------------------------------------------------------------


def test_a_unit_is_named_when_it_reaches_vr_1(book: Rulebook) -> None:
    """R9."""
    start = owing(name="")
    assert done(step(book, start, choice(TROOPERS, "resilient", name=" Hounds "))) == [
        UnitNamed(unit=TROOPERS, name="Hounds", rule="R9"), awarded(TROOPERS, "resilient"),
    ]  # fmt: skip
    assert done(step(book, start, choice(TROOPERS, None, name="Hounds"))) == [
        UnitNamed(unit=TROOPERS, name="Hounds", rule="R9"), waived(TROOPERS),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "  "])
def test_a_name_is_compulsory(book: Rulebook, name: str) -> None:
    """R9; with whatever else is wrong."""
    start = owing(name="")
    assert violations(lambda: step(book, start, choice(TROOPERS, "recon-badge", name=name))) == [
        Violation("R9", "A unit with a Veteran Rank needs a name. Enter one.", TROOPERS),
        Violation("R15", "Stormtroopers cannot have Recon Badge: needs VR 2.", TROOPERS),
    ]
    assert broken(lambda: step(book, start, {TROOPERS: {}})) == ["R9"]


def test_a_name_has_its_length(book: Rulebook) -> None:
    assert broken(lambda: step(book, owing(name=""), choice(TROOPERS, None, name="x" * 81))) == ["R9"]


def test_a_unit_that_has_a_name_keeps_it(book: Rulebook) -> None:
    assert done(step(book, owing(), choice(TROOPERS, "resilient", name="Ghosts"))) == [awarded(TROOPERS, "resilient")]


def test_a_unit_without_a_name_is_asked_for_it_even_if_nothing_is_open(book: Rulebook) -> None:
    """R9."""
    start = owing(name="", commendations=everything(book))
    assert isinstance(step(book, start).question, Award)
    assert done(step(book, start, choice(TROOPERS, None, name="Hounds"))) == [
        UnitNamed(unit=TROOPERS, name="Hounds", rule="R9"), waived(TROOPERS, "no Commendation is available"),
    ]  # fmt: skip


def test_a_commendation_owed_by_a_reward_below_vr_1_asks_for_no_name(book: Rulebook) -> None:
    """R9, section 8."""
    assert done(step(book, owing(rank=0, name=""), choice(TROOPERS, "resilient"))) == [awarded(TROOPERS, "resilient")]


# --- A keyword -----------------------------------------------------------------------------------------------

AGILE, TACTICAL = "Eyes on the Prize: Agile 1", "Eyes on the Prize: Tactical 1"

MONEY = "go-where-the-money-is"


@pytest.mark.parametrize("keyword", [AGILE, TACTICAL])
def test_a_keyword_is_chosen_with_the_commendation(book: Rulebook, keyword: str) -> None:
    start = owing(start=state(story_arc="a-pirates-life"))
    progress = step(book, start, choice(TROOPERS, MONEY, keyword=keyword))
    assert done(progress) == [awarded(TROOPERS, MONEY, keyword)]
    assert progress.state.dossiers[TROOPERS].keywords == (keyword,)


def test_a_name_and_a_keyword_at_once(book: Rulebook) -> None:
    """R9, R15."""
    start = owing(name="", start=state(story_arc="a-pirates-life"))
    assert done(step(book, start, choice(TROOPERS, MONEY, keyword=AGILE, name="Hounds"))) == [
        UnitNamed(unit=TROOPERS, name="Hounds", rule="R9"), awarded(TROOPERS, MONEY, AGILE),
    ]  # fmt: skip


def test_nobody_asks_for_a_keyword_of_what_is_waived(book: Rulebook) -> None:
    start = owing(start=state(story_arc="a-pirates-life"))
    assert violations(lambda: step(book, start, choice(TROOPERS, None, keyword=AGILE))) == [
        Violation("R15", "Only a Commendation gives a keyword. Choose one.", TROOPERS)
    ]


@pytest.mark.parametrize("keyword", ["", "Agile 1"])
def test_it_has_to_be_one_of_those_offered(book: Rulebook, keyword: str) -> None:
    start = owing(start=state(story_arc="a-pirates-life"))
    assert violations(lambda: step(book, start, choice(TROOPERS, MONEY, keyword=keyword))) == [
        Violation("R15", f"Go Where the Money Is: choose {AGILE} or {TACTICAL}.", TROOPERS)
    ]


def test_no_keyword_where_there_is_none_to_choose(book: Rulebook) -> None:
    assert violations(lambda: step(book, owing(), choice(TROOPERS, "resilient", keyword=AGILE))) == [
        Violation("R15", "Resilient: choose no keyword.", TROOPERS)
    ]
