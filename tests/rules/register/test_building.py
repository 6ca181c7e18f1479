"""Founding and editing a Register (R1 to R11): who joins, corps first, names."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.register.building import (
    add_unit,
    add_upgrade,
    affordable_corps,
    check_in_barracks,
    combat_potential_left,
    combat_potential_spent,
    corps_owed,
    dossier_points,
    join_by_reward,
    let_go,
    may_add_unit,
    must_add_corps,
    must_let_go,
    name_unit,
)
from rules.register.effects import FactionChosen, ParagonChosen, UnitAdded, UnitNamed, UnitReassigned, UpgradeAdded
from rules.register.state import RegisterState, replay
from tests.rules.build import (
    AT_ST,
    OFFICER,
    PARAGON,
    SCOUTS,
    SNOW,
    SNOWTROOPERS,
    STORMTROOPERS,
    TROOPERS,
    broken,
    change,
    house,
    state,
    violations,
)
from tests.rules.register.joining import NEW, TANK, gun_of_the, opened, short, spare, with_card

# --- What there is -------------------------------------------------------------------------------------------


def test_points_are_those_of_all_cards_as_they_are_today(book: Rulebook) -> None:
    """R2."""
    start = change(state(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"))
    assert dossier_points(book, start.dossiers[TROOPERS]) == 42 + 20 + 8
    assert combat_potential_spent(book, start) == 55 + 70 + 42 + 42 + 48 + 70 + 145
    assert combat_potential_left(book, start) == 1000 - 472
    dearer = with_card(book, replace(book.units[AT_ST], points=700))
    assert combat_potential_left(dearer, start) == 1000 - 472 - 555


# --- Founding ------------------------------------------------------------------------------------------------


def test_the_first_commander_becomes_the_paragon_and_settles_the_faction(book: Rulebook) -> None:
    """R3, R6, R7."""
    effects = add_unit(book, opened(), OFFICER, upgrades=["defend-in-depth"], name=" Sorne ")
    assert effects == [
        UnitAdded(unit="1", card=OFFICER, name="Sorne", rule="R10"),
        FactionChosen(faction="empire", rule="R3"),
        ParagonChosen(unit="1", rule="R6"),
        UpgradeAdded(unit="1", upgrade="defend-in-depth", rule="R7"),
    ]


def test_a_second_commander_changes_neither(book: Rulebook) -> None:
    """R6: for good."""
    assert add_unit(book, spare(), OFFICER, name="Vray") == [UnitAdded(unit=NEW, card=OFFICER, name="Vray", rule="R11")]


def test_a_mercenary_commander_settles_no_faction(book: Rulebook) -> None:
    """R3, R6."""
    assert add_unit(book, opened(), "pyke-syndicate-capo", name="Capo") == [
        UnitAdded(unit="1", card="pyke-syndicate-capo", name="Capo", rule="R10"),
        ParagonChosen(unit="1", rule="R6"),
    ]


# --- Who may join --------------------------------------------------------------------------------------------


def test_a_unit_of_another_faction_may_not_join(book: Rulebook) -> None:
    """R3."""
    assert violations(lambda: add_unit(book, spare(), "rebel-troopers")) == [
        Violation("R3", "Rebel Troopers cannot join this Register. Its Faction is Empire.", "rebel-troopers")
    ]


def test_mercenaries_join_whom_they_serve(book: Rulebook) -> None:
    """R3."""
    assert add_unit(book, spare(), "black-sun-enforcers") == [
        UnitAdded(unit=NEW, card="black-sun-enforcers", rule="R11")
    ]
    assert broken(lambda: add_unit(book, spare(), "ewok-skirmishers")) == ["R3"]
    assert broken(lambda: add_unit(book, spare(), "mandalorian-warriors")) == ["R3"]


def test_whatever_the_order_mercenaries_hold_the_register_to_whom_they_serve(book: Rulebook) -> None:
    """R3: checked over the whole Register."""
    start = replay(add_unit(book, opened(), "black-sun-enforcers"), opened())
    assert start.faction == ""
    assert broken(lambda: add_unit(book, start, "rebel-troopers")) == ["R3"]
    assert broken(lambda: add_unit(book, start, "swoop-bike-riders")) == ["R3"]
    assert add_unit(book, start, STORMTROOPERS) == [
        UnitAdded(unit="2", card=STORMTROOPERS, rule="R10"),
        FactionChosen(faction="empire", rule="R3"),
    ]
    assert add_unit(book, start, "pyke-syndicate-foot-soldiers") == [
        UnitAdded(unit="2", card="pyke-syndicate-foot-soldiers", rule="R10")
    ]


def test_mercenaries_that_nobody_hires_found_no_register(book: Rulebook) -> None:
    """R3."""
    assert broken(lambda: add_unit(book, opened(), "mandalorian-warriors")) == ["R3"]


def test_a_unit_that_joined_by_a_reward_holds_nobody_to_its_printed_faction(book: Rulebook) -> None:
    """R3, section 8."""
    start = spare()
    start = replay(join_by_reward(book, start, "a-a5-speeder-truck-rebel", rule="R29"), start)
    assert add_unit(book, start, STORMTROOPERS) == [UnitAdded(unit="9", card=STORMTROOPERS, rule="R11")]


def test_unique_and_unreleased_units_may_not_join(book: Rulebook) -> None:
    """R5."""
    veers = "general-veers-master-tactician"
    assert broken(lambda: add_unit(book, spare(), veers, name="Veers")) == ["R5"]
    soon = with_card(book, replace(book.units[STORMTROOPERS], release="July 2026"))
    assert broken(lambda: add_unit(soon, spare(), STORMTROOPERS)) == ["R5"]


def test_unknown_cards_are_refused(book: Rulebook) -> None:
    assert violations(lambda: add_unit(book, spare(), "ewoks")) == [
        Violation("R5", "This unit card does not exist. Choose another one.", "ewoks")
    ]
    assert violations(lambda: add_unit(book, spare(), STORMTROOPERS, upgrades=["x"])) == [
        Violation("R8", "This upgrade card does not exist. Choose another one.", "x")
    ]


def test_points_must_fit_to_the_last(book: Rulebook) -> None:
    """R2: 472 − 28 points are on the Register."""
    exact = spare(combat_potential=444 + 42)
    assert add_unit(book, exact, STORMTROOPERS) == [UnitAdded(unit=NEW, card=STORMTROOPERS, rule="R11")]
    assert violations(lambda: add_unit(book, replace(exact, combat_potential=485), STORMTROOPERS)) == [
        Violation("R2", "This costs 42 points. The most that can be spent is 41.")
    ]
    upgraded = {"upgrades": ["dlt-19-stormtrooper"]}
    assert violations(lambda: add_unit(book, exact, STORMTROOPERS, **upgraded)) == [
        Violation("R2", "This costs 62 points. The most that can be spent is 42.")
    ]


def test_above_its_combat_potential_a_register_takes_nothing_more(book: Rulebook) -> None:
    """R2: nothing is lost, only additions are refused, even free ones."""
    over = spare(combat_potential=440)
    free = with_card(book, replace(book.units[STORMTROOPERS], points=0))
    text = "The Register is 4 points above its Combat Potential. Nothing can be added until it fits again."
    assert violations(lambda: add_unit(book, over, STORMTROOPERS)) == [Violation("R2", text)]
    assert broken(lambda: add_unit(free, replace(over, combat_potential=300), STORMTROOPERS)) == ["R2"]


def test_units_are_let_go_only_where_the_house_says_so(book: Rulebook) -> None:
    """R2, `above_potential`; R6: never the Paragon."""
    strict, over = house(book, above_potential="units_go"), spare(combat_potential=440)
    gone = [UnitReassigned(unit=SNOW, rule="R2", why="dismissed")]
    assert let_go(strict, over, SNOW) == gone
    assert (must_let_go(strict, over), must_let_go(strict, replay(gone, over))) == (True, False)
    assert (must_let_go(book, over), must_let_go(strict, spare())) == (False, False)
    text = "Units can be dismissed only if the campaign rules allow it and the Register is above its Combat Potential."
    assert violations(lambda: let_go(book, over, SNOW)) == [Violation("R2", text, SNOW)]
    assert violations(lambda: let_go(strict, spare(), SNOW)) == [Violation("R2", text, SNOW)]
    assert broken(lambda: let_go(strict, over, PARAGON)) == ["R6"]
    assert broken(lambda: let_go(strict, over, "77")) == ["R19"]


def test_only_the_factions_of_the_campaign_are_founded(book: Rulebook) -> None:
    """R3: a Register that has its Faction keeps it."""
    rebels = book.under(CampaignRules(factions=("rebel",)))
    text = "This campaign does not allow the Faction Empire. Choose another one."
    assert violations(lambda: add_unit(rebels, RegisterState(combat_potential=600), STORMTROOPERS)) == [
        Violation("R3", text, STORMTROOPERS)
    ]
    assert add_unit(rebels, spare(), STORMTROOPERS) == add_unit(book, spare(), STORMTROOPERS)


# --- Corps first ---------------------------------------------------------------------------------------------


def test_how_many_corps_units_are_owed(book: Rulebook) -> None:
    """R4."""
    assert [corps_owed(book, short(corps)) for corps in range(4)] == [2, 1, 0, 0]


def test_affordable_corps_are_released_not_unique_bare_and_serve_the_register(book: Rulebook) -> None:
    """R4: hireable mercenaries included."""
    start = short(1)
    cheap = replace(start, combat_potential=combat_potential_spent(book, start) + 42)
    assert {card.slug for card in affordable_corps(book, cheap)} == {
        "df-90-mortar-trooper", SNOWTROOPERS, STORMTROOPERS, "stormtroopers-heavy-response-unit",
        "pyke-syndicate-foot-soldiers", "weequay-pirates",
    }  # fmt: skip
    soon = {slug: replace(card, release="soon") for slug, card in book.units.items()}
    assert affordable_corps(replace(book, units=soon), cheap) == []


def test_corps_must_be_added_while_one_is_owed_and_one_can_be_had(book: Rulebook) -> None:
    """R4: a Register that is being built may be short; none that fits is an excuse."""
    start = short(1)
    poor = replace(start, combat_potential=combat_potential_spent(book, start) + 35)
    states = [start, poor, replace(poor, combat_potential=poor.combat_potential + 1), spare()]
    assert [must_add_corps(book, state) for state in (*states, replace(start, commissioned=False))] == [
        True, False, True, False, False,
    ]  # fmt: skip


def test_meanwhile_other_units_and_upgrades_are_refused(book: Rulebook) -> None:
    """R4: before any other CP is spent."""
    start = change(short(1), PARAGON, commendations=("advanced-drill",))
    first = [Violation("R4", "Add corps units first, until there are 2.")]
    assert violations(lambda: add_unit(book, start, SCOUTS)) == first
    assert violations(lambda: add_upgrade(book, start, PARAGON, "tenacity")) == first
    assert violations(lambda: add_upgrade(book, start, PARAGON, "defend-in-depth")) == first
    assert len(add_unit(book, start, SNOWTROOPERS)) == 1
    assert len(name_unit(start, TROOPERS, "Hounds")) == 1


def test_or_other_things_may_be_added_first(book: Rulebook) -> None:
    """R4, `corps_owed`: the corps unit is owed all the same."""
    free = house(book, corps_owed="in_any_order")
    start = change(short(1), PARAGON, commendations=("advanced-drill",))
    assert len(add_unit(free, start, SCOUTS)) == 1
    assert len(add_unit(free, short(0), SNOWTROOPERS, upgrades=["flametrooper"])) == 2
    assert len(add_upgrade(free, start, PARAGON, "tenacity")) == 1
    assert len(join_by_reward(free, start, TANK, upgrades=[gun_of_the(book, TANK)], rule="R29")) == 2
    assert must_add_corps(free, start)


def test_excused_it_may_spend_what_is_left(book: Rulebook) -> None:
    """R4."""
    start = change(short(1), PARAGON, commendations=("advanced-drill",))
    poor = replace(start, combat_potential=combat_potential_spent(book, start) + 35)
    assert len(add_upgrade(book, poor, PARAGON, "tenacity")) == 1


def test_the_last_corps_unit_owed_may_bring_upgrades(book: Rulebook) -> None:
    """R4: the one before may not, while another bare one could be had."""
    armed = {"upgrades": ["flametrooper"]}
    assert len(add_unit(book, short(1), SNOWTROOPERS, **armed)) == 2
    assert broken(lambda: add_unit(book, short(0), SNOWTROOPERS, **armed)) == ["R4"]
    spent = combat_potential_spent(book, short(0))
    one = short(0, combat_potential=spent + 42 + 35)
    assert len(add_unit(book, one, SNOWTROOPERS, **armed)) == 2


# --- Names, and when an edit is allowed ----------------------------------------------------------------------


def test_a_unit_is_named() -> None:
    """R9."""
    assert name_unit(spare(), TROOPERS, " Grim Hounds ") == [UnitNamed(unit=TROOPERS, name="Grim Hounds", rule="R9")]
    assert violations(lambda: name_unit(spare(), TROOPERS, "")) == [
        Violation("R9", "Enter a name for the unit.", TROOPERS)
    ]
    assert violations(lambda: name_unit(spare(), TROOPERS, "x" * 81)) == [
        Violation("R9", "Shorten the name to 80 characters or fewer.", TROOPERS)
    ]
    assert broken(lambda: name_unit(spare(), "99", "Ghosts")) == ["R19"]


def test_in_the_field_a_register_is_edited_only_in_step_8() -> None:
    """R11; and a discarded one never (R10)."""
    assert check_in_barracks(spare()) is None
    assert violations(lambda: check_in_barracks(RegisterState(discarded=True))) == [
        Violation("R10", "This draft was deleted and cannot be changed.")
    ]
    assert violations(lambda: check_in_barracks(state())) == [
        Violation("R11", "The Register is in a battle. You can edit it in step 8 of its Post-Battle Sequence.")
    ]


def is_added(book: Rulebook, start: RegisterState, slug: str, upgrades: Sequence[str] = ()) -> bool:
    try:
        return bool(add_unit(book, start, slug, upgrades=upgrades, name="Vray"))
    except RuleViolation:
        return False


def test_whether_any_unit_may_be_added_is_what_adding_it_says(book: Rulebook) -> None:
    """All cards, on Registers of each kind."""
    hired = replay([UnitAdded(unit="1", card="black-sun-enforcers", rule="R10")], opened())
    for start in (opened(), hired, spare(), short(1), spare(combat_potential=40)):
        left = combat_potential_left(book, start)
        quick = {slug: may_add_unit(book, start, card, (), left=left) for slug, card in book.units.items()}
        assert quick == {slug: is_added(book, start, slug) for slug in book.units}


@pytest.mark.parametrize("slug", [STORMTROOPERS, OFFICER, "rebel-troopers", "black-sun-enforcers", AT_ST])
@pytest.mark.parametrize("upgrades", [[], ["dlt-19-stormtrooper"], ["defend-in-depth"] * 2])
def test_whether_a_unit_may_be_added_is_what_adding_it_says(book: Rulebook, slug: str, upgrades: list[str]) -> None:
    tight, full = (spare(combat_potential=points) for points in (520, 0))
    for start in (opened(), spare(), short(1), tight, full):
        cards, left = [book.upgrades[each] for each in upgrades], combat_potential_left(book, start)
        quick = may_add_unit(book, start, book.units[slug], cards, left=left)
        assert quick is is_added(book, start, slug, upgrades)
