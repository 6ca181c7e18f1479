"""Founding and editing a Register (R1 to R11)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.building import (
    add_unit,
    add_upgrade,
    affordable_corps,
    check_in_barracks,
    combat_potential_left,
    combat_potential_spent,
    commendation_slots_left,
    corps_owed,
    dossier_points,
    fielding_warnings,
    join_by_reward,
    joining_allowance,
    let_go,
    must_add_corps,
    must_let_go,
    name_unit,
)
from rules.cards import Unit
from rules.effects import (
    Effect,
    FactionChosen,
    ParagonChosen,
    UnitAdded,
    UnitNamed,
    UnitReassigned,
    UpgradeAdded,
)
from rules.force import Force, fold
from rules.founding import (
    open_register,
)
from rules.refusal import Problem
from rules.rulebook import Rulebook
from rules.terms import Terms

from .build import (
    AT_ST,
    BIKES,
    OFFICER,
    OTHERS,
    PARAGON,
    SCOUTS,
    SNOW,
    SNOWTROOPERS,
    STORMTROOPERS,
    TROOPERS,
    WALKER,
    broken,
    change,
    force,
    house,
    problems,
    without,
)

NEW = "8"


def opened(**changes: Any) -> Force:
    return replace(fold(open_register()), **changes)


def spare(**changes: Any) -> Force:
    """A commissioned Register in the barracks."""
    return force(in_field=None, **changes)


def with_card(book: Rulebook, unit: Unit) -> Rulebook:
    return replace(book, units={**book.units, unit.slug: unit})


# --- What there is -------------------------------------------------------------------------------------------


def test_points_are_those_of_all_cards_as_they_are_today(book: Rulebook) -> None:
    """R2."""
    start = change(force(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"))
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
    assert add_unit(book, spare(), OFFICER, name="Vray") == [
        UnitAdded(unit=NEW, card=OFFICER, name="Vray", rule="R11")
    ]


def test_a_mercenary_commander_settles_no_faction(book: Rulebook) -> None:
    """R3, R6."""
    assert add_unit(book, opened(), "pyke-syndicate-capo", name="Capo") == [
        UnitAdded(unit="1", card="pyke-syndicate-capo", name="Capo", rule="R10"),
        ParagonChosen(unit="1", rule="R6"),
    ]


# --- Who may join --------------------------------------------------------------------------------------------


def test_a_unit_of_another_faction_may_not_join(book: Rulebook) -> None:
    """R3."""
    assert problems(lambda: add_unit(book, spare(), "rebel-troopers")) == [
        Problem(
            "R3", "Rebel Troopers cannot serve in this Register: its Faction is empire.", "rebel-troopers"
        )
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
    start = fold(add_unit(book, opened(), "black-sun-enforcers"), opened())
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
    start = fold(join_by_reward(book, start, "a-a5-speeder-truck-rebel"), start)
    assert add_unit(book, start, STORMTROOPERS) == [UnitAdded(unit="9", card=STORMTROOPERS, rule="R11")]


def test_unique_and_unreleased_units_may_not_join(book: Rulebook) -> None:
    """R5."""
    veers = "general-veers-master-tactician"
    assert broken(lambda: add_unit(book, spare(), veers, name="Veers")) == ["R5"]
    soon = with_card(book, replace(book.units[STORMTROOPERS], unreleased="July 2026"))
    assert broken(lambda: add_unit(soon, spare(), STORMTROOPERS)) == ["R5"]


def test_unknown_cards_are_refused(book: Rulebook) -> None:
    assert problems(lambda: add_unit(book, spare(), "ewoks")) == [
        Problem("R5", "There is no such unit card.", "ewoks")
    ]
    assert problems(lambda: add_unit(book, spare(), STORMTROOPERS, upgrades=["x"])) == [
        Problem("R8", "There is no such upgrade card.", "x")
    ]


def test_points_must_fit_to_the_last(book: Rulebook) -> None:
    """R2: 472 − 28 points are on the Register."""
    exact = spare(combat_potential=444 + 42)
    assert add_unit(book, exact, STORMTROOPERS) == [UnitAdded(unit=NEW, card=STORMTROOPERS, rule="R11")]
    assert problems(lambda: add_unit(book, replace(exact, combat_potential=485), STORMTROOPERS)) == [
        Problem("R2", "This takes 42 points; 41 of the Combat Potential are left.")
    ]
    upgraded = {"upgrades": ["dlt-19-stormtrooper"]}
    assert problems(lambda: add_unit(book, exact, STORMTROOPERS, **upgraded)) == [
        Problem("R2", "This takes 62 points; 42 of the Combat Potential are left.")
    ]


def test_above_its_combat_potential_a_register_takes_nothing_more(book: Rulebook) -> None:
    """R2: nothing is lost, only additions are refused, even free ones."""
    over = spare(combat_potential=440)
    free = with_card(book, replace(book.units[STORMTROOPERS], points=0))
    text = "The Register is 4 points above its Combat Potential; nothing can be added."
    assert problems(lambda: add_unit(book, over, STORMTROOPERS)) == [Problem("R2", text)]
    assert broken(lambda: add_unit(free, replace(over, combat_potential=300), STORMTROOPERS)) == ["R2"]


def test_units_are_let_go_only_where_the_house_says_so(book: Rulebook) -> None:
    """R2, `above_potential`; R6: never the Paragon."""
    strict, over = house(book, above_potential="units_go"), spare(combat_potential=440)
    gone = [UnitReassigned(unit=SNOW, rule="R2", why="let go")]
    assert let_go(strict, over, SNOW) == gone
    assert (must_let_go(strict, over), must_let_go(strict, fold(gone, over))) == (True, False)
    assert (must_let_go(book, over), must_let_go(strict, spare())) == (False, False)
    text = "Units are let go only where the terms say so, from above the Combat Potential."
    assert problems(lambda: let_go(book, over, SNOW)) == [Problem("R2", text, SNOW)]
    assert problems(lambda: let_go(strict, spare(), SNOW)) == [Problem("R2", text, SNOW)]
    assert broken(lambda: let_go(strict, over, PARAGON)) == ["R6"]
    assert broken(lambda: let_go(strict, over, "77")) == ["R19"]


def test_only_the_factions_of_the_campaign_are_founded(book: Rulebook) -> None:
    """R3: a Register that has its Faction keeps it."""
    rebels = book.under(Terms(factions=("rebel",)))
    text = "This campaign has no Registers of the Faction empire."
    assert problems(lambda: add_unit(rebels, Force(combat_potential=600), STORMTROOPERS)) == [
        Problem("R3", text, STORMTROOPERS)
    ]
    assert add_unit(rebels, spare(), STORMTROOPERS) == add_unit(book, spare(), STORMTROOPERS)


# --- Upgrades on joining -------------------------------------------------------------------------------------


def added(
    book: Rulebook, card: str, *upgrades: str, start: Force | None = None, name: str = "N"
) -> list[Effect]:
    return add_unit(book, start or spare(), card, upgrades=upgrades, name=name)


def test_a_commander_joins_with_two_upgrades_besides_compulsory_ones(book: Rulebook) -> None:
    """R7."""
    assert added(book, OFFICER, "strict-orders", "offensive-push", "defend-in-depth") == [
        UnitAdded(unit=NEW, card=OFFICER, name="N", rule="R11"),
        UpgradeAdded(unit=NEW, upgrade="strict-orders", rule="R7"),
        UpgradeAdded(unit=NEW, upgrade="offensive-push", rule="R7"),
        UpgradeAdded(unit=NEW, upgrade="defend-in-depth", rule="R7"),
    ]
    assert problems(lambda: added(book, OFFICER, "strict-orders", "offensive-push", "tenacity")) == [
        Problem("R7", "Imperial Officer joins with at most 2 upgrades besides compulsory ones.", OFFICER)
    ]


def test_an_operative_joins_like_a_commander(book: Rulebook) -> None:
    """R7."""
    agent = "imperial-agent-bringing-order-to-the-galaxy"
    assert len(added(book, agent, "strict-orders", "tenacity", "platoon-commander")) == 4
    assert broken(lambda: added(book, agent, "strict-orders", "tenacity", "targeting-scopes")) == ["R7"]


@pytest.mark.parametrize("card", [OFFICER, "imperial-agent-bringing-order-to-the-galaxy"])
def test_commanders_and_operatives_need_a_name(book: Rulebook, card: str) -> None:
    """R7, R9."""
    unit = book.units[card]
    assert problems(lambda: added(book, card, name=" ")) == [
        Problem("R7", f"{unit.name} needs a name, as every {unit.rank} does.", "name")
    ]


def test_names_have_a_bearable_length(book: Rulebook) -> None:
    assert problems(lambda: added(book, STORMTROOPERS, name="x" * 81)) == [
        Problem("R7", "A name has at most 80 letters.", "name")
    ]
    assert broken(lambda: added(book, STORMTROOPERS, name="a\tb")) == ["R7"]
    assert len(added(book, STORMTROOPERS, name="x" * 80)) == 1


def test_other_troopers_join_with_one_heavy_weapon_and_one_personnel(book: Rulebook) -> None:
    """R7."""
    assert added(book, STORMTROOPERS, "dlt-19-stormtrooper", "stormtrooper-captain", name="") == [
        UnitAdded(unit=NEW, card=STORMTROOPERS, rule="R11"),
        UpgradeAdded(unit=NEW, upgrade="dlt-19-stormtrooper", rule="R7"),
        UpgradeAdded(unit=NEW, upgrade="stormtrooper-captain", rule="R7"),
    ]
    assert problems(lambda: added(book, STORMTROOPERS, "fragmentation-grenades")) == [
        Problem(
            "R7",
            "Stormtroopers joins with 1 heavy weapon and 1 personnel upgrade, not with Fragmentation Grenades.",
            "fragmentation-grenades",
        )
    ]


def test_a_slot_that_an_upgrade_gives_is_not_filled_on_joining(book: Rulebook) -> None:
    """R7: nothing else."""
    assert broken(lambda: added(book, STORMTROOPERS, "stormtrooper-captain", "tenacity")) == ["R7"]


def test_two_heavy_weapons_are_one_too_many(book: Rulebook) -> None:
    """R7, and R8 where there is but one slot."""
    assert problems(lambda: added(book, STORMTROOPERS, "dlt-19-stormtrooper", "t-21-stormtrooper")) == [
        Problem("R7", "Stormtroopers joins with at most 1 heavy weapon upgrade.", STORMTROOPERS),
        Problem("R8", "Stormtroopers has no free slot left for this (heavy weapon).", STORMTROOPERS),
    ]


def test_two_heavy_weapons_are_one_too_many_even_with_two_slots(book: Rulebook) -> None:
    """R7: the Dark Troopers' bar has two."""
    heavy = [
        card.slug
        for card in book.upgrades.values()
        if card.type == "heavy-weapon"
        and any(t.value == "Imperial Dark Troopers" for c in card.restrictions for t in c)
    ]
    assert broken(lambda: added(book, "imperial-dark-troopers", *heavy[:2])) == ["R7"]
    assert len(added(book, "imperial-dark-troopers", heavy[0])) == 2


def test_other_vehicles_join_with_one_hardpoint(book: Rulebook) -> None:
    """R7."""
    assert len(added(book, AT_ST, "dw-3-grenade-launcher")) == 2
    assert broken(lambda: added(book, AT_ST, "onboard-comms-channel")) == ["R7"]
    both = [slug for slug, card in book.upgrades.items() if card.type == "hardpoint"
            and any(t.value == "AT-ST" for c in card.restrictions for t in c)][:2]  # fmt: skip
    assert problems(lambda: added(book, AT_ST, *both)) == [
        Problem("R7", "AT-ST joins with at most 1 hardpoint upgrade.", AT_ST)
    ]


def test_a_vehicle_without_a_hardpoint_joins_without_any(book: Rulebook) -> None:
    """R7: if its bar has one."""
    hardpoint = replace(book.upgrades["dw-3-grenade-launcher"], restrictions=())
    assert broken(
        lambda: added(
            replace(book, upgrades={**book.upgrades, hardpoint.slug: hardpoint}), BIKES, hardpoint.slug
        )
    ) == ["R8"]


def test_compulsory_upgrades_come_in_addition(book: Rulebook) -> None:
    """R7: Programmed."""
    start = spare(faction="separatist", dossiers={}, paragon="", commissioned=False)
    crab, card = "lm-432-crab-droid", "twin-blaster-cannons-separatist"
    assert added(book, crab, "attack-protocols", card, start=start, name="") == [
        UnitAdded(unit=NEW, card=crab, rule="R10"),
        UpgradeAdded(unit=NEW, upgrade="attack-protocols", rule="R7"),
        UpgradeAdded(unit=NEW, upgrade=card, rule="R7"),
    ]
    assert broken(lambda: added(book, crab, "attack-protocols", "defense-protocols", start=start)) == [
        "R7",
        "R8",
    ]


def test_compulsory_upgrades_may_be_missing_with_a_warning(book: Rulebook) -> None:
    """R7."""
    start = spare()
    start = fold(added(book, OFFICER), start)
    assert fielding_warnings(book, start.dossiers[NEW]) == (
        "Imperial Officer cannot be fielded legally without doctrine.",
    )
    assert fielding_warnings(book, start.dossiers[TROOPERS]) == ()


@pytest.mark.parametrize(
    ("unit", "allowance"),
    [
        (OFFICER, "At most 2 upgrades besides compulsory ones."),
        (STORMTROOPERS, "At most 1 heavy weapon and 1 personnel besides compulsory ones."),
        ("scout-troopers", "At most 1 heavy weapon besides compulsory ones."),
        (AT_ST, "At most 1 hardpoint besides compulsory ones."),
        ("74-z-speeder-bikes", ""),
    ],
)
def test_with_what_a_unit_may_join_in_words(book: Rulebook, unit: str, allowance: str) -> None:
    """R7."""
    assert joining_allowance(book.units[unit]) == allowance


def test_banned_unique_upgrades_may_not_join(book: Rulebook) -> None:
    """R5."""
    assert broken(lambda: added(book, STORMTROOPERS, "agent-kallus")) == ["R5"]


def test_upgrades_must_be_for_the_unit(book: Rulebook) -> None:
    """R8."""
    assert problems(lambda: added(book, STORMTROOPERS, "flametrooper")) == [
        Problem("R8", "Flametrooper is not for Stormtroopers.", "flametrooper")
    ]


def test_the_first_unit_takes_no_card_of_those_who_do_not_hire_its_faction(book: Rulebook) -> None:
    """R8: the Register has no Faction yet, but its first unit has."""
    truck = replace(book.units["wlo-5-speeder-tank"], faction="rebel", hireable_by=(), rank="operative")
    assert broken(lambda: added(with_card(book, truck), truck.slug, "black-sun-crew", start=opened())) == [
        "R8"
    ]
    assert len(added(with_card(book, truck), truck.slug, "pyke-syndicate-crew", start=opened())) == 3


def test_all_that_is_wrong_with_a_unit_is_said_at_once(book: Rulebook) -> None:
    """R2, R3, R5, R7, R8."""
    veers = "general-veers-master-tactician"
    rules = broken(
        lambda: add_unit(
            book,
            spare(faction="rebel", combat_potential=445),
            veers,
            upgrades=["agent-kallus", "tenacity", "vigilance"],
        )
    )
    assert rules == ["R5", *["R3"] * 8, "R7", "R5", "R8", "R8", "R7", "R2"]


# --- Corps first ---------------------------------------------------------------------------------------------


def short(corps: int, **changes: Any) -> Force:
    """A commissioned Register with fewer corps units than it needs."""
    return without(spare(**changes), *[TROOPERS, OTHERS, SNOW][corps:])


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
    soon = {slug: replace(card, unreleased="soon") for slug, card in book.units.items()}
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
    first = [Problem("R4", "Add corps units first, until there are 2; then other things.")]
    assert problems(lambda: add_unit(book, start, SCOUTS)) == first
    assert problems(lambda: add_upgrade(book, start, PARAGON, "tenacity")) == first
    assert problems(lambda: add_upgrade(book, start, PARAGON, "defend-in-depth")) == first
    assert len(add_unit(book, start, SNOWTROOPERS)) == 1
    assert len(name_unit(start, TROOPERS, "Hounds")) == 1


def test_or_other_things_may_be_added_first(book: Rulebook) -> None:
    """R4, `corps_owed`: the corps unit is owed all the same."""
    free = house(book, corps_owed="in_any_order")
    start = change(short(1), PARAGON, commendations=("advanced-drill",))
    assert len(add_unit(free, start, SCOUTS)) == 1
    assert len(add_unit(free, short(0), SNOWTROOPERS, upgrades=["flametrooper"])) == 2
    assert len(add_upgrade(free, start, PARAGON, "tenacity")) == 1
    assert len(join_by_reward(free, start, TANK, upgrades=[gun_of_the(book, TANK)])) == 2
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


# --- Joining by a reward -------------------------------------------------------------------------------------

TANK = "tx-225-gavw-occupier-tank"


def gun_of_the(book: Rulebook, unit: str) -> str:
    """A hardpoint upgrade that is for this unit."""
    name = book.units[unit].name
    return next(
        card.slug
        for card in book.upgrades.values()
        if card.type == "hardpoint"
        and any(term.value == name for terms in card.restrictions for term in terms)
    )


def test_a_unit_joins_by_a_reward_even_above_combat_potential(book: Rulebook) -> None:
    """Section 8: of any Faction's card, without a name; it takes over Faction and affiliation of the Paragon."""
    full = spare(combat_potential=444)
    assert join_by_reward(book, full, "a-a5-speeder-truck-rebel") == [
        UnitAdded(unit=NEW, card="a-a5-speeder-truck-rebel", faction="empire", rule="R29")
    ]


def test_it_takes_over_from_a_mercenary_paragon_that_it_has_no_faction(book: Rulebook) -> None:
    start = change(spare(), PARAGON, card="black-sun-vigo")
    assert join_by_reward(book, start, "tx-225-gavw-occupier-tank", name=" Tank ") == [
        UnitAdded(
            unit=NEW, card="tx-225-gavw-occupier-tank", name="Tank", faction="mercenary", affiliation="black sun",
            rule="R29",
        )
    ]  # fmt: skip


def test_without_a_paragon_it_takes_the_faction_of_the_register(book: Rulebook) -> None:
    assert join_by_reward(book, spare(paragon=""), "wlo-5-speeder-tank") == [
        UnitAdded(unit=NEW, card="wlo-5-speeder-tank", faction="empire", rule="R29")
    ]


def test_its_upgrades_are_as_on_any_joining_and_have_to_fit(book: Rulebook) -> None:
    """R2, R7, R8."""
    gun = gun_of_the(book, TANK)
    points = book.upgrades[gun].points
    room = spare(combat_potential=444 + 125 + points)
    assert join_by_reward(book, room, TANK, upgrades=[gun]) == [
        UnitAdded(unit=NEW, card=TANK, faction="empire", rule="R29"),
        UpgradeAdded(unit=NEW, upgrade=gun, rule="R7"),
    ]
    tight = replace(room, combat_potential=room.combat_potential - 1)
    assert broken(lambda: join_by_reward(book, tight, TANK, upgrades=[gun])) == ["R2"]
    assert broken(lambda: join_by_reward(book, room, TANK, upgrades=["emergency-transponder"])) == ["R7"]


def test_its_upgrades_wait_while_corps_units_are_owed(book: Rulebook) -> None:
    """R4: the unit costs nobody anything, an upgrade does."""
    gun = gun_of_the(book, TANK)
    assert broken(lambda: join_by_reward(book, short(1), TANK, upgrades=[gun])) == ["R4"]
    assert len(join_by_reward(book, short(1), TANK)) == 1


def test_unique_units_do_not_join_by_a_reward_either(book: Rulebook) -> None:
    """R5, and a name has its length."""
    assert broken(lambda: join_by_reward(book, spare(), "major-marquand-tempest-scout-2", name="x" * 81)) == [
        "R5", "R7",
    ]  # fmt: skip


# --- Upgrades by an edit -------------------------------------------------------------------------------------


def drilled(*upgrades: str, by: tuple[str, ...] = (), **changes: Any) -> Force:
    return change(
        spare(**changes), TROOPERS, commendations=("advanced-drill",), upgrades=upgrades, by_commendation=by
    )


def test_a_slot_of_a_commendation_may_be_filled_by_an_edit(book: Rulebook) -> None:
    """R8."""
    assert add_upgrade(book, drilled(), TROOPERS, "tenacity") == [
        UpgradeAdded(unit=TROOPERS, upgrade="tenacity", by_commendation=True, rule="R8")
    ]


def test_it_is_filled_once(book: Rulebook) -> None:
    """R8: another card needs another Commendation, even where a slot is free."""
    captain = drilled("stormtrooper-captain", "tenacity", by=("tenacity",))
    assert commendation_slots_left(book, drilled().dossiers[TROOPERS]) == {"training": 1}
    assert commendation_slots_left(book, captain.dossiers[TROOPERS]) == {}
    assert problems(lambda: add_upgrade(book, captain, TROOPERS, "duck-and-cover")) == [
        Problem(
            "R8",
            "Duck and Cover can be added only by an Aid Request, or into a slot that a Commendation gave.",
            "duck-and-cover",
        )
    ]


def test_a_card_that_an_aid_request_brought_does_not_use_it_up(book: Rulebook) -> None:
    """R8: the captain's slot holds that one."""
    start = drilled("stormtrooper-captain", "tenacity")
    assert len(add_upgrade(book, start, TROOPERS, "duck-and-cover")) == 1
    full = drilled("tenacity")
    assert broken(lambda: add_upgrade(book, full, TROOPERS, "duck-and-cover")) == ["R8"]


def test_a_compulsory_upgrade_may_be_added_later(book: Rulebook) -> None:
    """R7."""
    assert add_upgrade(book, spare(), PARAGON, "defend-in-depth") == [
        UpgradeAdded(unit=PARAGON, upgrade="defend-in-depth", rule="R8")
    ]
    named = change(spare(), WALKER, card="clone-commandos")
    armor = next(slug for slug, card in book.upgrades.items() if card.name == "Katarn Pattern Armor")
    assert add_upgrade(book, replace(named, faction="republic"), WALKER, armor) == [
        UpgradeAdded(unit=WALKER, upgrade=armor, rule="R8")
    ]


def test_one_that_is_there_is_compulsory_no_more(book: Rulebook) -> None:
    """R7."""
    start = change(spare(), PARAGON, upgrades=("defend-in-depth",))
    assert broken(lambda: add_upgrade(book, start, PARAGON, "tip-of-the-spear")) == ["R8", "R8"]


def test_an_edit_adds_nothing_else(book: Rulebook) -> None:
    """R8, R2, R5."""
    assert broken(lambda: add_upgrade(book, spare(), TROOPERS, "dlt-19-stormtrooper")) == ["R8"]
    assert broken(lambda: add_upgrade(book, drilled(combat_potential=445), TROOPERS, "tenacity")) == ["R2"]
    assert broken(lambda: add_upgrade(book, spare(), TROOPERS, "agent-kallus")) == ["R8", "R5"]


def test_unknown_units_and_cards_are_refused(book: Rulebook) -> None:
    assert problems(lambda: add_upgrade(book, spare(), "99", "tenacity")) == [
        Problem("R19", "This unit is not on the Register.", "99")
    ]
    assert broken(lambda: add_upgrade(book, spare(), TROOPERS, "x")) == ["R8"]


# --- Names, and when an edit is allowed ----------------------------------------------------------------------


def test_a_unit_is_named() -> None:
    """R9."""
    assert name_unit(spare(), TROOPERS, " Grim Hounds ") == [
        UnitNamed(unit=TROOPERS, name="Grim Hounds", rule="R9")
    ]
    assert problems(lambda: name_unit(spare(), TROOPERS, "")) == [
        Problem("R9", "Give the unit a name.", TROOPERS)
    ]
    assert problems(lambda: name_unit(spare(), TROOPERS, "x" * 81)) == [
        Problem("R9", "A name has at most 80 letters.", TROOPERS)
    ]
    assert broken(lambda: name_unit(spare(), "99", "Ghosts")) == ["R19"]


def test_in_the_field_a_register_is_edited_only_in_step_8() -> None:
    """R11; and a discarded one never (R10)."""
    assert check_in_barracks(spare()) is None
    assert problems(lambda: check_in_barracks(Force(discarded=True))) == [
        Problem("R10", "This Register was discarded: nothing happens to it any more.")
    ]
    assert problems(lambda: check_in_barracks(force())) == [
        Problem("R11", "The Register is in the field: it can be edited in step 8 of its sequence.")
    ]
