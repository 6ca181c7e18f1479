"""Resolving rewards clause by clause (section 8)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.clause_reading import read_reward
from rules.clauses import UnknownClause
from rules.effects import (
    CombatPotentialRaised,
    CommendationOwed,
    Effect,
    KeywordGained,
    KeywordLost,
    SetbackGained,
    SetbackRemoved,
    SupplyPointsGained,
    TraitGained,
    UnitAdded,
    UnitFell,
    UpgradeAdded,
)
from rules.force import Force
from rules.refusal import Problem
from rules.report import Lent, Report
from rules.rewards import JoinUnit, Occasion, resolve
from rules.rulebook import Rulebook
from rules.script import Choose, ChooseSeveral, Confirm, Option, Pool, Progress, Question, Roll
from rules.terms import Terms

from .build import (
    BIKE,
    OTHERS,
    PARAGON,
    SCOUT,
    SNOW,
    TROOPERS,
    WALKER,
    broken,
    change,
    done,
    fell,
    force,
    noted,
    play,
    problems,
    reached,
    report,
    without,
    xp,
)

GAIN: dict[str, Any] = {"do": "gain_experience", "amount": 1}
HEAL: dict[str, Any] = {"do": "remove_setbacks", "count": 1}
TWO = ("battle-shaken", "downtrodden")


def give(
    book: Rulebook,
    clauses: list[dict[str, Any]],
    *answers: Any,
    start: Force | None = None,
    side: Report | None = None,
    progressions: int = 0,
    withheld: bool = False,
) -> Progress:
    """Resolve a reward called "Prize", asking every question."""
    occasion = Occasion(side or report(PARAGON), "R26", "Prize", progressions, withheld)
    reward = read_reward(clauses, "")
    return play(book, start or force(), lambda scene: resolve(scene, occasion, reward), answers, ask_all=True)


def to_paragon(*clauses: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"do": "paragon", "then": list(clauses)}]


def gains(*units: str, amount: int = 1) -> list[Effect]:
    return [xp(unit, amount, "R26", "Prize") for unit in units]


def heals(unit: str, *slugs: str) -> list[Effect]:
    return [SetbackRemoved(unit=unit, setback=slug, rule="R26", why="Prize") for slug in slugs]


def offered(question: Question | None) -> list[str]:
    assert isinstance(question, Choose)
    return [option.value for option in question.options]


# --- What happens to the Register ----------------------------------------------------------------------------


def test_supply_points_and_combat_potential(book: Rulebook) -> None:
    clauses = [{"do": "gain_supply_points", "amount": 2}, {"do": "gain_combat_potential", "amount": 100}]
    assert done(give(book, clauses)) == [
        SupplyPointsGained(amount=2, rule="R26", why="Prize"),
        CombatPotentialRaised(amount=100, rule="R26", why="Prize"),
    ]


def test_a_trait(book: Rulebook) -> None:
    assert done(give(book, [{"do": "gain_trait", "trait": "greedy"}])) == [
        TraitGained(trait="greedy", games=2, rule="R26")
    ]


def test_an_empty_reward(book: Rulebook) -> None:
    assert done(give(book, [])) == []


def test_tunnel_vision_withholds_supply_and_experience_and_nothing_else(book: Rulebook) -> None:
    """R27: the same questions are asked."""
    clauses = [
        {"do": "gain_supply_points", "amount": 2},
        {"do": "gain_combat_potential", "amount": 100},
        {"do": "choose_units", "count": 1, "each": [GAIN, HEAL, {"do": "gain_keyword", "keyword": "Hunted"}]},
    ]
    start = change(force(), TROOPERS, setbacks=("downtrodden",))
    assert done(give(book, clauses, TROOPERS, start=start, withheld=True)) == [
        noted("R27", "Tunnel Vision: no SP from the Agenda"),
        CombatPotentialRaised(amount=100, rule="R26", why="Prize"),
        noted("R27", "Tunnel Vision: no Experience from the Agenda", TROOPERS),
        *heals(TROOPERS, "downtrodden"),
        KeywordGained(unit=TROOPERS, keyword="Hunted", rule="R26", why="Prize"),
    ]


# --- A unit joins --------------------------------------------------------------------------------------------

JOINS = [{"do": "add_unit", "one_of": ["A-A5 Speeder Truck", "WLO-5 Speeder Tank"]}]


def test_which_unit_joins(book: Rulebook) -> None:
    """Any Faction's card."""
    assert give(book, JOINS).question == JoinUnit(
        rule="R26",
        text="Prize: which unit joins?",
        cards=(
            Option("a-a5-speeder-truck-mercenary", "A-A5 Speeder Truck", "mercenary, 75 points"),
            Option("wlo-5-speeder-tank", "WLO-5 Speeder Tank", "mercenary, 100 points"),
            Option("a-a5-speeder-truck-rebel", "A-A5 Speeder Truck", "rebel, 75 points"),
        ),
    )


def test_a_unit_joins_even_above_combat_potential(book: Rulebook) -> None:
    start = force(combat_potential=444)
    assert done(give(book, JOINS, {"card": "a-a5-speeder-truck-rebel"}, start=start)) == [
        UnitAdded(unit="8", card="a-a5-speeder-truck-rebel", faction="empire", rule="R29")
    ]


def test_a_unit_joins_with_upgrades_and_a_name(book: Rulebook) -> None:
    gun = next(
        card.slug
        for card in book.upgrades.values()
        if card.type == "hardpoint"
        and any(term.value == "A-A5 Speeder Truck" for terms in card.restrictions for term in terms)
    )
    answer = {"card": "a-a5-speeder-truck-rebel", "upgrades": [gun], "name": "Mule"}
    assert done(give(book, JOINS, answer)) == [
        UnitAdded(unit="8", card="a-a5-speeder-truck-rebel", name="Mule", faction="empire", rule="R29"),
        UpgradeAdded(unit="8", upgrade=gun, rule="R7"),
    ]


@pytest.mark.parametrize("answer", [None, "wlo-5-speeder-tank", {}, {"card": "at-st"}, {"card": ["at-st"]}])
def test_only_what_is_offered_joins(book: Rulebook, answer: Any) -> None:
    text = "Choose one of these: A-A5 Speeder Truck, WLO-5 Speeder Tank, A-A5 Speeder Truck."
    assert problems(lambda: give(book, JOINS, answer)) == [Problem("R26", text)]


@pytest.mark.parametrize("details", [{"upgrades": "gun"}, {"upgrades": [["gun"]]}, {"name": 7}])
def test_it_joins_with_upgrades_and_a_name_of_the_right_shape(
    book: Rulebook, details: dict[str, Any]
) -> None:
    assert problems(lambda: give(book, JOINS, {"card": "wlo-5-speeder-tank", **details})) == [
        Problem("R26", "Give the unit its upgrades and, if you like, a name.")
    ]


def test_cards_that_may_not_be_on_a_register_do_not_join(book: Rulebook) -> None:
    """R5: unique, retired and unreleased cards."""
    units = dict(book.units)
    for slug, changes in (
        ("a-a5-speeder-truck-mercenary", {"unique": True}),
        ("a-a5-speeder-truck-rebel", {"retired": True}),
        ("wlo-5-speeder-tank", {"unreleased": "2027"}),
    ):
        units[slug] = replace(units[slug], **changes)
    spoiled = replace(book, units=units)
    assert done(give(spoiled, JOINS)) == [noted("R26", "Prize: none of its units is in the catalogue")]
    early = give(spoiled.under(Terms(unreleased=True)), JOINS).question
    assert isinstance(early, JoinUnit)
    assert [card.value for card in early.cards] == ["wlo-5-speeder-tank"]


# --- What happens to a unit ----------------------------------------------------------------------------------


def test_experience_with_all_that_follows(book: Rulebook) -> None:
    """R13, R15."""
    start = change(force(), PARAGON, experience=4)
    assert done(give(book, to_paragon(GAIN), start=start)) == [*gains(PARAGON), reached(PARAGON, 1)]


def test_all_setbacks_go_without_a_question(book: Rulebook) -> None:
    start = change(force(), PARAGON, setbacks=("downtrodden", "battle-fatigue", "downtrodden"))
    assert done(give(book, to_paragon({"do": "remove_setbacks", "count": "all"}), start=start)) == heals(
        PARAGON, "battle-fatigue", "downtrodden", "downtrodden"
    )


@pytest.mark.parametrize(
    ("had", "count"), [(TWO, 2), (TWO, 3), (("downtrodden",) * 2, 1), (("downtrodden",), 1), ((), 1)]
)
def test_nothing_is_asked_where_nothing_is_open(book: Rulebook, had: tuple[str, ...], count: int) -> None:
    start = change(force(), PARAGON, setbacks=had)
    clauses = to_paragon({"do": "remove_setbacks", "count": count})
    assert done(give(book, clauses, start=start)) == heals(PARAGON, *had[:count])


def test_its_player_picks_which_of_different_setbacks_goes(book: Rulebook) -> None:
    start = change(force(), PARAGON, setbacks=("downtrodden", "battle-shaken", "downtrodden"))
    asked = give(book, to_paragon(HEAL), start=start)
    assert asked.question == Choose(
        rule="R26",
        text="Which Setback of Captain Sorne goes?",
        about=PARAGON,
        kind="setback",
        options=tuple(
            Option(slug, book.setbacks[slug].name, book.setbacks[slug].effect)
            for slug in ("battle-shaken", "downtrodden")
        ),
    )
    assert done(give(book, to_paragon(HEAL), "battle-shaken", start=start)) == heals(PARAGON, "battle-shaken")
    assert broken(lambda: give(book, to_paragon(HEAL), "battle-fatigue", start=start)) == ["R26"]


def test_one_after_the_other_is_picked_while_more_are_left(book: Rulebook) -> None:
    start = change(force(), PARAGON, setbacks=("downtrodden", "battle-shaken", "battle-fatigue"))
    clauses = to_paragon({"do": "remove_setbacks", "count": 2})
    assert done(give(book, clauses, "downtrodden", "battle-shaken", start=start)) == heals(
        PARAGON, "downtrodden", "battle-shaken"
    )


def test_a_setback_is_rolled(book: Rulebook) -> None:
    clauses = to_paragon({"do": "gain_setback"}, GAIN)
    assert done(give(book, clauses, {f"setback:{PARAGON}": ["hit"]})) == [
        fell(PARAGON, "R36", "Setback", "hit"),
        SetbackGained(unit=PARAGON, setback="battle-fatigue", rule="R36"),
        *gains(PARAGON),
    ]


def test_a_unit_that_falls_on_the_way_gains_nothing_more(book: Rulebook) -> None:
    """R36: casualties of the same sequence can no longer be chosen either."""
    clauses = [
        {"do": "choose_units", "count": 1, "each": [{"do": "gain_setback"}, GAIN]},
        {"do": "choose_units", "count": 1, "each": [GAIN]},
    ]
    start = change(force(), TROOPERS, setbacks=("flat-footed",))
    progress = give(book, clauses, TROOPERS, {f"setback:{TROOPERS}": ["critical"]}, start=start)
    assert progress.effects[-1] == UnitFell(unit=TROOPERS, rule="R35", why="casualty")
    assert offered(progress.question) == [PARAGON, OTHERS, SNOW, SCOUT, BIKE, WALKER]


def test_keywords_repeat_and_losing_one_loses_every_instance(book: Rulebook) -> None:
    start = change(force(), PARAGON, keywords=("Hunted", "Compel", "Hunted"))
    gain, lose = {"do": "gain_keyword", "keyword": "Hunted"}, {"do": "lose_keyword", "keyword": "Hunted"}
    more = give(book, to_paragon(gain), start=start)
    assert done(more) == [KeywordGained(unit=PARAGON, keyword="Hunted", rule="R26", why="Prize")]
    assert more.force.dossiers[PARAGON].keywords == ("Hunted", "Compel", "Hunted", "Hunted")
    less = give(book, to_paragon(lose, lose), start=start)
    assert done(less) == [KeywordLost(unit=PARAGON, keyword="Hunted", rule="R26", why="Prize")]
    assert less.force.dossiers[PARAGON].keywords == ("Compel",)


def test_one_more_commendation_is_owed(book: Rulebook) -> None:
    """Without a Command Card."""
    progress = give(book, to_paragon({"do": "award_commendation"}))
    assert done(progress) == [CommendationOwed(unit=PARAGON, rule="R26", why="Prize")]
    assert progress.force.command_cards_owed == 0


@pytest.mark.parametrize(
    "clause",
    [
        GAIN, HEAL, {"do": "gain_setback"}, {"do": "gain_keyword", "keyword": "X"}, {"do": "award_commendation"},
        {"do": "lose_keyword", "keyword": "X"}, {"do": "when", "condition": {"has_keyword": "X"}, "then": []},
    ],
)  # fmt: skip
def test_a_clause_for_a_unit_where_none_was_chosen_is_an_error(
    book: Rulebook, clause: dict[str, Any]
) -> None:
    with pytest.raises(UnknownClause, match="a clause that needs a unit stands where no unit was chosen"):
        give(book, [clause])


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
            for key, dossier in force().dossiers.items()
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
    assert question.decline == "nobody (more)"
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
    assert done(give(book, clauses, TROOPERS, side=report(PARAGON, TROOPERS, defeated=(TROOPERS,)))) == gains(
        TROOPERS
    )


def test_a_choice_of_one_is_asked_in_a_written_campaign_and_forced_on_a_page(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": [GAIN], "from": "fielded"}]
    question = give(book, clauses).question
    assert offered(question) == [PARAGON]
    assert question
    assert question.forced == (PARAGON,)


# --- Whether -------------------------------------------------------------------------------------------------


def test_one_of_several_rewards(book: Rulebook) -> None:
    clauses = [
        {"do": "choose_one", "options": [[{"do": "gain_supply_points", "amount": 2}], to_paragon(GAIN), []]}
    ]
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
    start = change(force(), PARAGON, setbacks=("downtrodden",))
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
    assert (
        done(give(book, clauses, side=report(PARAGON, TROOPERS, OTHERS, **facts))) == gains(PARAGON) * holds
    )


SICK_OR_SOUND = [
    {"do": "when", "condition": "unit_has_setbacks", "then": [{"do": "remove_setbacks", "count": "all"}]},
    {"do": "when", "condition": "unit_had_no_setbacks", "then": [GAIN]},
]


def test_setbacks_count_as_they_were_when_the_unit_was_chosen(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": SICK_OR_SOUND}]
    sick = change(force(), TROOPERS, setbacks=("downtrodden",))
    assert done(give(book, clauses, TROOPERS, start=sick)) == heals(TROOPERS, "downtrodden")
    assert done(give(book, clauses, TROOPERS)) == gains(TROOPERS)


def test_conditions_of_a_unit_do_not_hold_where_none_was_chosen(book: Rulebook) -> None:
    clauses = [
        {"do": "when", "condition": word, "then": [{"do": "gain_supply_points", "amount": 1}]}
        for word in ("unit_has_setbacks", "unit_had_no_setbacks")
    ]
    assert done(give(book, clauses)) == []


def test_a_keyword_it_has(book: Rulebook) -> None:
    start = change(force(), PARAGON, keywords=("Hunted",))
    clauses = to_paragon({"do": "when", "condition": {"has_keyword": "Hunted"}, "then": [GAIN]})
    assert (done(give(book, clauses, start=start)), done(give(book, clauses))) == (gains(PARAGON), [])


# --- Dice and tokens -----------------------------------------------------------------------------------------


def rolls(count: int | str, **faces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"do": "roll", "die": "black_attack", "count": count, "per_face": faces}]


def supply(amount: int) -> list[dict[str, Any]]:
    return [{"do": "gain_supply_points", "amount": amount}]


def test_faces_are_resolved_in_the_order_of_section_8(book: Rulebook) -> None:
    """hit, critical, block, surge, blank; faces without a reward give nothing."""
    clauses = rolls(4, blank=supply(4), surge=supply(3), hit=supply(1))
    assert give(book, clauses).question == Roll(
        rule="R26", text="Prize: roll 4", pools=(Pool("reward", "black_attack", 4, "Prize"),)
    )
    faces = ["blank", "surge", "critical", "hit"]
    assert done(give(book, clauses, {"reward": faces})) == [
        fell("", "R26", "Prize", *faces),
        *(SupplyPointsGained(amount=amount, rule="R26", why="Prize") for amount in (1, 3, 4)),
    ]


def test_each_die_with_the_face_gives_its_reward(book: Rulebook) -> None:
    clauses = rolls(2, hit=[{"do": "choose_units", "count": 1, "each": [GAIN]}])
    assert done(give(book, clauses, {"reward": ["hit", "hit"]}, SNOW, SNOW)) == [
        fell("", "R26", "Prize", "hit", "hit"), *gains(SNOW, SNOW),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("count", "dice"), [("progressions", 2), ("equipment_removed", 3), ("unheard_of", 0), (0, 0)]
)
def test_how_many_dice(book: Rulebook, count: int | str, dice: int) -> None:
    """A roll of 0 dice is not asked."""
    side = report(PARAGON, asks={"equipment_removed": 3})
    progress = give(book, rolls(count, hit=supply(1)), side=side, progressions=2)
    assert progress.question == (
        Roll(rule="R26", text=f"Prize: roll {dice}", pools=(Pool("reward", "black_attack", dice, "Prize"),))
        if dice
        else None
    )


TOKENS = [{"do": "draw_order_tokens", "count": "progressions", "each": [GAIN]}]


def test_order_tokens_are_those_of_the_units_fielded(book: Rulebook) -> None:
    """Lent units have none."""
    side = report(
        PARAGON, TROOPERS, OTHERS, SCOUT, lent=(Lent("request-assistance", "L1", book.units["at-st"]),)
    )
    assert give(book, TOKENS, side=side, progressions=2).question == ChooseSeveral(
        rule="R26",
        text="Prize: draw 2 order tokens",
        kind="ranks",
        bag={"commander": 1, "corps": 2, "special-forces": 1},
        labels={"commander": "commander", "corps": "corps", "special-forces": "special forces"},
        count=2,
    )


def test_one_token_is_a_token(book: Rulebook) -> None:
    question = give(book, TOKENS, side=report(PARAGON, TROOPERS), progressions=1).question
    assert isinstance(question, ChooseSeveral)
    assert question.text == "Prize: draw 1 order token"


def test_for_each_token_a_different_unit_of_that_rank_on_the_register(book: Rulebook) -> None:
    """Asked for only if several fit; fielded or not."""
    side = report(PARAGON, TROOPERS, OTHERS)
    first = give(book, TOKENS, ["corps", "corps"], side=side, progressions=2)
    assert offered(first.question) == [TROOPERS, OTHERS, SNOW]
    second = give(book, TOKENS, ["corps", "corps"], SNOW, side=side, progressions=2)
    assert offered(second.question) == [TROOPERS, OTHERS]
    assert done(give(book, TOKENS, ["corps", "corps"], SNOW, OTHERS, side=side, progressions=2)) == gains(
        SNOW, OTHERS
    )
    assert done(give(book, TOKENS, ["commander", "corps"], OTHERS, side=side, progressions=2)) == gains(
        PARAGON, OTHERS
    )


def test_no_more_tokens_than_units_fielded_are_drawn(book: Rulebook) -> None:
    assert done(give(book, TOKENS, ["commander"], side=report(PARAGON), progressions=2)) == gains(PARAGON)
    assert done(give(book, TOKENS, side=Report(), progressions=2)) == []
    assert done(give(book, TOKENS, side=report(PARAGON), progressions=0)) == []


def test_a_rank_of_which_no_further_unit_is_left_gives_nothing(book: Rulebook) -> None:
    """Fielded units may have fallen meanwhile; their tokens are there all the same."""
    start = force()
    fallen = {key: start.dossiers[key] for key in (OTHERS, SNOW)}
    left = replace(without(start, OTHERS, SNOW), fallen=fallen)
    side = report(PARAGON, TROOPERS, OTHERS)
    assert done(give(book, TOKENS, ["corps", "corps"], start=left, side=side, progressions=2)) == gains(
        TROOPERS
    )


# --- Marked units and the Paragon ----------------------------------------------------------------------------


def test_every_marked_unit_that_is_still_here(book: Rulebook) -> None:
    side = report(PARAGON, TROOPERS, OTHERS, marked=(TROOPERS, "L1", OTHERS), defeated=(TROOPERS,))
    everyone, spared = (
        {"do": "marked_units", "then": [GAIN]},
        {"do": "marked_units", "then": [GAIN], "only": "undefeated"},
    )
    assert done(give(book, [everyone], side=side)) == gains(TROOPERS, OTHERS)
    assert done(give(book, [spared], side=side)) == gains(OTHERS)


def test_the_paragon_of_a_clause_does_not_take_the_place_of_the_unit_chosen(book: Rulebook) -> None:
    clauses = [{"do": "choose_units", "count": 1, "each": [*to_paragon(GAIN), GAIN]}]
    assert done(give(book, clauses, TROOPERS)) == gains(PARAGON, TROOPERS)
