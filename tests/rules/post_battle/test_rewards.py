"""Resolving rewards clause by clause (section 8): what they do to a Register and to its units."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.campaign_rules import CampaignRules
from rules.core.reward_effects import UnknownClause
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.dialogue import Choose, Option
from rules.post_battle.rewards import JoinUnit
from rules.register.effects import (
    AssetGained,
    CombatPotentialRaised,
    CommendationOwed,
    KeywordGained,
    KeywordLost,
    ReputationGained,
    SetbackGained,
    SupplyPointsGained,
    TraitGained,
    UnitAdded,
    UnitFell,
    UpgradeAdded,
)
from tests.rules.build import (
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
    noted,
    reached,
    state,
    violations,
)
from tests.rules.post_battle.rewarding import GAIN, HEAL, gains, give, heals, offered, to_paragon

TWO = ("battle-shaken", "downtrodden")

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
    start = change(state(), TROOPERS, setbacks=("downtrodden",))
    assert done(give(book, clauses, TROOPERS, start=start, withheld=True)) == [
        noted("R27", "Tunnel Vision: no SP from the Agenda"),
        CombatPotentialRaised(amount=100, rule="R26", why="Prize"),
        noted("R27", "Tunnel Vision: no Experience from the Agenda", TROOPERS),
        *heals(TROOPERS, "downtrodden"),
        KeywordGained(unit=TROOPERS, keyword="Hunted", rule="R26", why="Prize"),
    ]


def test_reputation(book: Rulebook) -> None:
    progress = give(book, [{"do": "gain_reputation", "amount": 2}])
    assert done(progress) == [ReputationGained(amount=2, rule="R26", why="Prize")]
    assert progress.state.reputation == 2


MEDEVAC = {"do": "gain_asset", "asset": "medevac"}


def test_a_strategic_asset(book: Rulebook) -> None:
    progress = give(book, [MEDEVAC])
    assert done(progress) == [AssetGained(asset="medevac", rule="R26", why="Prize")]
    assert progress.state.assets == ("medevac",)


def test_no_more_strategic_assets_than_a_register_may_hold(book: Rulebook) -> None:
    """R43."""
    full = noted("R43", "Medevac: the Register already has the maximum")
    assert done(give(book, [MEDEVAC], start=state(assets=("medevac",)))) == [full]
    retired = replace(book, assets={"medevac": replace(book.assets["medevac"], retired=True)})
    assert done(give(retired, [MEDEVAC])) == [full]


# --- A unit joins --------------------------------------------------------------------------------------------

JOINS = [{"do": "add_unit", "one_of": ["A-A5 Speeder Truck", "WLO-5 Speeder Tank"]}]


def test_which_unit_joins(book: Rulebook) -> None:
    """Any Faction's card."""
    assert give(book, JOINS).question == JoinUnit(
        rule="R26",
        text="Prize: which unit joins?",
        cards=(
            Option("a-a5-speeder-truck-mercenary", "A-A5 Speeder Truck", "Mercenary, 75 points"),
            Option("wlo-5-speeder-tank", "WLO-5 Speeder Tank", "Mercenary, 100 points"),
            Option("a-a5-speeder-truck-rebel", "A-A5 Speeder Truck", "Rebel, 75 points"),
        ),
    )


def test_a_unit_joins_even_above_combat_potential(book: Rulebook) -> None:
    start = state(combat_potential=444)
    assert done(give(book, JOINS, {"card": "a-a5-speeder-truck-rebel"}, start=start)) == [
        UnitAdded(unit="8", card="a-a5-speeder-truck-rebel", faction="empire", rule="R26")
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
        UnitAdded(unit="8", card="a-a5-speeder-truck-rebel", name="Mule", faction="empire", rule="R26"),
        UpgradeAdded(unit="8", upgrade=gun, rule="R7"),
    ]


@pytest.mark.parametrize("answer", [None, "wlo-5-speeder-tank", {}, {"card": "at-st"}, {"card": ["at-st"]}])
def test_only_what_is_offered_joins(book: Rulebook, answer: Any) -> None:
    text = "Choose one of these: A-A5 Speeder Truck, WLO-5 Speeder Tank, A-A5 Speeder Truck."
    assert violations(lambda: give(book, JOINS, answer)) == [Violation("R26", text)]


@pytest.mark.parametrize("details", [{"upgrades": "gun"}, {"upgrades": [["gun"]]}, {"name": 7}])
def test_it_joins_with_upgrades_and_a_name_of_the_right_shape(book: Rulebook, details: dict[str, Any]) -> None:
    assert violations(lambda: give(book, JOINS, {"card": "wlo-5-speeder-tank", **details})) == [
        Violation("R26", "Give the unit its upgrades and, if you like, a name.")
    ]


def test_cards_that_may_not_be_on_a_register_do_not_join(book: Rulebook) -> None:
    """R5: unique, retired and unreleased cards."""
    units = dict(book.units)
    for slug, changes in (
        ("a-a5-speeder-truck-mercenary", {"unique": True}),
        ("a-a5-speeder-truck-rebel", {"retired": True}),
        ("wlo-5-speeder-tank", {"release": "2027"}),
    ):
        units[slug] = replace(units[slug], **changes)
    spoiled = replace(book, units=units)
    assert done(give(spoiled, JOINS)) == [noted("R26", "Prize: none of its units is in the catalogue")]
    early = give(spoiled.under(CampaignRules(unreleased=True)), JOINS).question
    assert isinstance(early, JoinUnit)
    assert [card.value for card in early.cards] == ["wlo-5-speeder-tank"]


# --- What happens to a unit ----------------------------------------------------------------------------------


def test_experience_with_all_that_follows(book: Rulebook) -> None:
    """R13, R15."""
    start = change(state(), PARAGON, experience=4)
    assert done(give(book, to_paragon(GAIN), start=start)) == [*gains(PARAGON), reached(PARAGON, 1)]


def test_all_setbacks_go_without_a_question(book: Rulebook) -> None:
    start = change(state(), PARAGON, setbacks=("downtrodden", "battle-fatigue", "downtrodden"))
    assert done(give(book, to_paragon({"do": "remove_setbacks", "count": "all"}), start=start)) == heals(
        PARAGON, "battle-fatigue", "downtrodden", "downtrodden"
    )


@pytest.mark.parametrize(
    ("had", "count"), [(TWO, 2), (TWO, 3), (("downtrodden",) * 2, 1), (("downtrodden",), 1), ((), 1)]
)
def test_nothing_is_asked_where_nothing_is_open(book: Rulebook, had: tuple[str, ...], count: int) -> None:
    start = change(state(), PARAGON, setbacks=had)
    clauses = to_paragon({"do": "remove_setbacks", "count": count})
    assert done(give(book, clauses, start=start)) == heals(PARAGON, *had[:count])


def test_its_player_picks_which_of_different_setbacks_goes(book: Rulebook) -> None:
    start = change(state(), PARAGON, setbacks=("downtrodden", "battle-shaken", "downtrodden"))
    asked = give(book, to_paragon(HEAL), start=start)
    assert asked.question == Choose(
        rule="R26",
        text="Which Setback does Captain Sorne lose?",
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
    start = change(state(), PARAGON, setbacks=("downtrodden", "battle-shaken", "battle-fatigue"))
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
    start = change(state(), TROOPERS, setbacks=("flat-footed",))
    progress = give(book, clauses, TROOPERS, {f"setback:{TROOPERS}": ["critical"]}, start=start)
    assert progress.effects[-1] == UnitFell(unit=TROOPERS, rule="R35", why="casualty")
    assert offered(progress.question) == [PARAGON, OTHERS, SNOW, SCOUT, BIKE, WALKER]


def test_keywords_repeat_and_losing_one_loses_every_instance(book: Rulebook) -> None:
    start = change(state(), PARAGON, keywords=("Hunted", "Compel", "Hunted"))
    gain, lose = {"do": "gain_keyword", "keyword": "Hunted"}, {"do": "lose_keyword", "keyword": "Hunted"}
    more = give(book, to_paragon(gain), start=start)
    assert done(more) == [KeywordGained(unit=PARAGON, keyword="Hunted", rule="R26", why="Prize")]
    assert more.state.dossiers[PARAGON].keywords == ("Hunted", "Compel", "Hunted", "Hunted")
    less = give(book, to_paragon(lose, lose), start=start)
    assert done(less) == [KeywordLost(unit=PARAGON, keyword="Hunted", rule="R26", why="Prize")]
    assert less.state.dossiers[PARAGON].keywords == ("Compel",)


def test_one_more_commendation_is_owed(book: Rulebook) -> None:
    """Without a Command Card."""
    progress = give(book, to_paragon({"do": "award_commendation"}))
    assert done(progress) == [CommendationOwed(unit=PARAGON, rule="R26", why="Prize")]
    assert progress.state.command_cards_owed == 0


def test_its_player_chooses_an_upgrade_that_fits(book: Rulebook) -> None:
    """R8."""
    reward = to_paragon({"do": "gain_upgrade", "types": ["command"]})
    options = offered(give(book, reward).question)
    assert {book.upgrades[slug].type for slug in options} == {"command"}
    progress = give(book, reward, options[0])
    assert done(progress) == [UpgradeAdded(unit=PARAGON, upgrade=options[0], rule="R26", why="Prize")]
    assert progress.state.dossiers[PARAGON].upgrades == (options[0],)


def test_no_upgrade_without_a_slot_or_combat_potential(book: Rulebook) -> None:
    """R2, R8."""
    none = [noted("R8", "no upgrade fits", PARAGON)]
    assert done(give(book, to_paragon({"do": "gain_upgrade", "types": ["ordnance"]}))) == none
    poor = state(combat_potential=1)
    assert done(give(book, to_paragon({"do": "gain_upgrade"}), start=poor)) == none


@pytest.mark.parametrize(
    "clause",
    [
        GAIN, HEAL, {"do": "gain_upgrade"}, {"do": "gain_setback"}, {"do": "gain_keyword", "keyword": "X"},
        {"do": "award_commendation"},
        {"do": "lose_keyword", "keyword": "X"}, {"do": "when", "condition": {"has_keyword": "X"}, "then": []},
    ],
)  # fmt: skip
def test_a_clause_for_a_unit_where_none_was_chosen_is_an_error(book: Rulebook, clause: dict[str, Any]) -> None:
    with pytest.raises(UnknownClause, match="a clause that needs a unit stands where no unit was chosen"):
        give(book, [clause])
