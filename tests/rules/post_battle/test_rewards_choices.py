"""Rewards: whose they are, how often, and whether there are any."""

from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Choose, Confirm, Option
from rules.register.effects import SupplyPointsGained
from tests.rules.build import BIKE, OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, WALKER, broken, change, done, report, state
from tests.rules.post_battle.rewarding import GAIN, HEAL, gains, give, heals, offered, to_paragon

# --- Whose, how often ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [0, 1, 2])
def test_once_for_each_progression(book: Rulebook, times: int) -> None:
    clauses = [{"do": "per_progression", "then": to_paragon(GAIN)}]
    assert done(give(book, clauses, progressions=times)) == gains(PARAGON) * times


def test_the_units_of_one_choice_always_differ(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 2, "each": [GAIN]}]
    second = give(book, clauses, TROOPERS)
    assert second.question == Choose(
        rule="R26",
        text="Prize: which unit? (+1 Experience)",
        kind="unit",
        options=tuple(
            Option(key, dossier.name, f"{book.units[dossier.card].name} · 0 XP, VR 0")
            for key, dossier in state().dossiers.items()
            if key != TROOPERS
        ),
    )
    assert done(give(book, clauses, TROOPERS, SNOW)) == gains(TROOPERS, SNOW)
    assert broken(lambda: give(book, clauses, TROOPERS, TROOPERS)) == ["R26"]
    assert broken(lambda: give(book, clauses, None)) == ["R26"]


def test_the_same_unit_may_be_chosen_again_by_another_choice(book: Rulebook) -> None:
    twice = [{"do": "choose_units", "count": 1, "each": [GAIN]}] * 2
    assert done(give(book, twice, TROOPERS, TROOPERS)) == gains(TROOPERS, TROOPERS)


def test_unless_it_is_to_be_distinct_in_the_whole_reward(book: Rulebook) -> None:
    once = {"do": "choose_units", "count": 1, "each": [GAIN], "distinct": True}
    clauses = [{"do": "per_progression", "then": [once]}]
    second = give(book, clauses, TROOPERS, progressions=2)
    assert offered(second.question) == [PARAGON, OTHERS, SNOW, SCOUT, BIKE, WALKER]
    assert done(give(book, clauses, TROOPERS, SNOW, progressions=2)) == gains(TROOPERS, SNOW)


def test_distinct_counts_units_chosen_without_it_too(book: Rulebook) -> None:
    clauses = [
        {"do": "choose_units", "count": 1, "each": [GAIN]},
        {"do": "choose_units", "count": 1, "each": [GAIN], "distinct": True},
    ]
    assert offered(give(book, clauses, TROOPERS).question) == [PARAGON, OTHERS, SNOW, SCOUT, BIKE, WALKER]


def test_declining_an_optional_choice_ends_it(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 3, "each": [GAIN], "optional": True}, *to_paragon(GAIN)]
    question = give(book, clauses).question
    assert isinstance(question, Choose)
    assert question.decline == "no more units"
    assert done(give(book, clauses, TROOPERS, None)) == gains(TROOPERS, PARAGON)


@pytest.mark.parametrize(
    ("source", "units"),
    [
        ("register", [PARAGON, TROOPERS, OTHERS, SNOW, SCOUT, BIKE, WALKER]),
        ("fielded", [PARAGON, TROOPERS, OTHERS, SCOUT]),
        ("defeated", [TROOPERS, SCOUT]),
        ("undefeated", [PARAGON, OTHERS]),
        ("non_paragon", [TROOPERS, OTHERS, SNOW, SCOUT, BIKE, WALKER]),
    ],
)
def test_whom_a_choice_is_among(book: Rulebook, source: str, units: list[str]) -> None:
    side = report(PARAGON, TROOPERS, OTHERS, SCOUT, defeated=(SCOUT, TROOPERS, "L1"))
    clauses = [{"do": "choose_units", "count": 1, "each": [GAIN], "from": source}]
    assert offered(give(book, clauses, side=side).question) == units


def test_a_choice_is_void_if_nobody_can_be_chosen(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 2, "each": [GAIN], "from": "defeated"}]
    assert done(give(book, clauses)) == []
    assert done(give(book, clauses, TROOPERS, side=report(PARAGON, TROOPERS, defeated=(TROOPERS,)))) == gains(TROOPERS)


def test_a_choice_of_one_is_asked_in_a_written_campaign_and_forced_on_a_page(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": [GAIN], "from": "fielded"}]
    question = give(book, clauses).question
    assert offered(question) == [PARAGON]
    assert question
    assert question.forced == (PARAGON,)


# --- Whether -------------------------------------------------------------------------------------------------


def test_one_of_several_rewards(book: Rulebook) -> None:
    clauses = [{"do": "choose_one", "options": [[{"do": "gain_supply_points", "amount": 2}], to_paragon(GAIN), []]}]
    assert give(book, clauses).question == Choose(
        rule="R26",
        text="Prize: choose one",
        kind="option",
        options=(
            Option("0", "+2 SP"), Option("1", "the Paragon: +1 Experience"), Option("2", "nothing"),
        ),
    )  # fmt: skip
    assert [done(give(book, clauses, answer)) for answer in ("0", "1", "2")] == [
        [SupplyPointsGained(amount=2, rule="R26", why="Prize")], gains(PARAGON), [],
    ]  # fmt: skip


def test_a_choice_about_a_unit_names_it(book: Rulebook) -> None:
    question = give(book, to_paragon({"do": "choose_one", "options": [[GAIN], []]})).question
    assert isinstance(question, Choose)
    assert (question.text, question.about) == ("Captain Sorne: choose one", PARAGON)


def test_what_may_be_done(book: Rulebook) -> None:
    start = change(state(), PARAGON, setbacks=("downtrodden",))
    clauses = to_paragon({"do": "may", "then": [HEAL]})
    assert give(book, clauses, start=start).question == Confirm(
        rule="R26", text="Captain Sorne: remove 1 Setback?", about=PARAGON, kind="may"
    )
    assert done(give(book, clauses, True, start=start)) == heals(PARAGON, "downtrodden")
    assert done(give(book, clauses, False, start=start)) == []


def test_what_may_be_done_without_a_unit(book: Rulebook) -> None:
    clauses = [{"do": "may", "then": [{"do": "gain_supply_points", "amount": 1}]}]
    assert give(book, clauses).question == Confirm(rule="R26", text="Prize: +1 SP?", kind="may")


def test_a_may_that_could_only_remove_setbacks_from_none_is_not_asked(book: Rulebook) -> None:
    assert done(give(book, to_paragon({"do": "may", "then": [HEAL]}))) == []
    both = give(book, to_paragon({"do": "may", "then": [HEAL, GAIN]}))
    assert isinstance(both.question, Confirm)


@pytest.mark.parametrize(
    ("word", "facts", "holds"),
    [
        ("won", {"result": "won"}, True), ("won", {"result": "drawn"}, False), ("won", {"result": "lost"}, False),
        ("lost", {"result": "lost"}, True), ("lost", {"result": "drawn"}, False), ("lost", {"result": "won"}, False),
        ("paragon_not_defeated", {"defeated": (TROOPERS,)}, True),
        ("paragon_not_defeated", {"defeated": (PARAGON,)}, False),
        ("no_marked_unit_defeated", {"marked": (OTHERS,), "defeated": (TROOPERS,)}, True),
        ("no_marked_unit_defeated", {"marked": (OTHERS, TROOPERS), "defeated": (TROOPERS,)}, False),
        ("no_marked_unit_defeated", {"defeated": (TROOPERS,)}, True),
    ],
)  # fmt: skip
def test_conditions_of_the_battle(book: Rulebook, word: str, facts: dict[str, Any], holds: bool) -> None:
    clauses = [{"do": "when", "condition": word, "then": to_paragon(GAIN)}]
    assert done(give(book, clauses, side=report(PARAGON, TROOPERS, OTHERS, **facts))) == gains(PARAGON) * holds


SICK_OR_SOUND = [
    {"do": "when", "condition": "unit_has_setbacks", "then": [{"do": "remove_setbacks", "count": "all"}]},
    {"do": "when", "condition": "unit_had_no_setbacks", "then": [GAIN]},
]


def test_setbacks_count_as_they_were_when_the_unit_was_chosen(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": SICK_OR_SOUND}]
    sick = change(state(), TROOPERS, setbacks=("downtrodden",))
    assert done(give(book, clauses, TROOPERS, start=sick)) == heals(TROOPERS, "downtrodden")
    assert done(give(book, clauses, TROOPERS)) == gains(TROOPERS)


def test_conditions_of_a_unit_do_not_hold_where_none_was_chosen(book: Rulebook) -> None:
    clauses = [
        {"do": "when", "condition": word, "then": [{"do": "gain_supply_points", "amount": 1}]}
        for word in ("unit_has_setbacks", "unit_had_no_setbacks")
    ]
    assert done(give(book, clauses)) == []


def test_a_keyword_it_has(book: Rulebook) -> None:
    start = change(state(), PARAGON, keywords=("Hunted",))
    clauses = to_paragon({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [GAIN]})
    assert (done(give(book, clauses, start=start)), done(give(book, clauses))) == (gains(PARAGON), [])
