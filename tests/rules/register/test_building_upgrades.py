"""Upgrades: those that a unit joins with (R7, R8), and those that an edit adds."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.aid_requests import RequestedAid, aid_request
from rules.register.building import add_unit, add_upgrade, commendation_slots_left, fielding_warnings, joining_allowance
from rules.register.effects import Effect, UnitAdded, UpgradeAdded
from rules.register.state import Dossier, RegisterState, replay
from rules.register.upgrade_slots import flexible_response
from tests.rules.build import (
    AT_ST,
    BIKES,
    OFFICER,
    PARAGON,
    STORMTROOPERS,
    TROOPERS,
    WALKER,
    broken,
    change,
    house,
    play,
    violations,
)
from tests.rules.register.joining import NEW, opened, spare, with_card

# --- Upgrades on joining -------------------------------------------------------------------------------------


def added(
    book: Rulebook, card: str, *upgrades: str, start: RegisterState | None = None, name: str = "N"
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
    assert violations(lambda: added(book, OFFICER, "strict-orders", "offensive-push", "tenacity")) == [
        Violation("R7", "Imperial Officer can join with up to 2 upgrades, plus required ones. Remove some.", OFFICER)
    ]


def test_an_operative_joins_like_a_commander(book: Rulebook) -> None:
    """R7."""
    agent = "imperial-agent-bringing-order-to-the-galaxy"
    assert len(added(book, agent, "strict-orders", "tenacity", "platoon-commander")) == 4
    assert broken(lambda: added(book, agent, "strict-orders", "tenacity", "targeting-scopes")) == ["R7"]


@pytest.mark.parametrize(
    ("card", "upgrade", "slot"),
    [(OFFICER, "fragmentation-grenades", "grenades"), ("74-z-speeder-bikes", "dw-3-grenade-launcher", "hardpoint")],
)
def test_what_the_bar_has_not_is_refused_by_both_rules(book: Rulebook, card: str, upgrade: str, slot: str) -> None:
    """R7 allows types of the bar, and R8 asks for a free slot."""
    unit = book.units[card]
    found = violations(lambda: added(book, card, upgrade))
    assert {violation.rule for violation in found} == {"R7", "R8"}
    assert found[0] == Violation("R7", f"{unit.name} has no {slot} slot.", upgrade)


@pytest.mark.parametrize("card", [OFFICER, "imperial-agent-bringing-order-to-the-galaxy"])
def test_commanders_and_operatives_need_a_name(book: Rulebook, card: str) -> None:
    """R7, R9."""
    unit = book.units[card]
    assert violations(lambda: added(book, card, name=" ")) == [
        Violation("R7", f"{unit.name} needs a name. Enter one.", "name")
    ]


def test_names_have_a_bearable_length(book: Rulebook) -> None:
    assert violations(lambda: added(book, STORMTROOPERS, name="x" * 81)) == [
        Violation("R7", "Shorten the name to 80 characters or fewer.", "name")
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
    assert violations(lambda: added(book, STORMTROOPERS, "fragmentation-grenades")) == [
        Violation(
            "R7",
            "Stormtroopers can join with 1 heavy weapon and 1 personnel upgrade, but not with Fragmentation Grenades.",
            "fragmentation-grenades",
        )
    ]


def test_a_slot_that_an_upgrade_gives_is_not_filled_on_joining(book: Rulebook) -> None:
    """R7: nothing else."""
    assert broken(lambda: added(book, STORMTROOPERS, "stormtrooper-captain", "tenacity")) == ["R7"]


def test_two_heavy_weapons_are_one_too_many(book: Rulebook) -> None:
    """R7, and R8 where there is but one slot."""
    assert violations(lambda: added(book, STORMTROOPERS, "dlt-19-stormtrooper", "t-21-stormtrooper")) == [
        Violation("R7", "Stormtroopers can join with at most 1 heavy weapon upgrade. Remove one.", STORMTROOPERS),
        Violation("R8", "Stormtroopers has no free slot for this (heavy weapon).", STORMTROOPERS),
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
    assert violations(lambda: added(book, AT_ST, *both)) == [
        Violation("R7", "AT-ST can join with at most 1 hardpoint upgrade. Remove one.", AT_ST)
    ]


def test_a_vehicle_without_a_hardpoint_joins_without_any(book: Rulebook) -> None:
    """R7: if its bar has one. R8: it has no free slot either."""
    hardpoint = replace(book.upgrades["dw-3-grenade-launcher"], restrictions=())
    assert broken(
        lambda: added(replace(book, upgrades={**book.upgrades, hardpoint.slug: hardpoint}), BIKES, hardpoint.slug)
    ) == ["R7", "R8"]


def test_compulsory_upgrades_come_in_addition(book: Rulebook) -> None:
    """R7: Programmed."""
    start = spare(faction="separatist", dossiers={}, paragon="", commissioned=False)
    crab, card = "lm-432-crab-droid", "twin-blaster-cannons-separatist"
    assert added(book, crab, "attack-protocols", card, start=start, name="") == [
        UnitAdded(unit=NEW, card=crab, rule="R10"),
        UpgradeAdded(unit=NEW, upgrade="attack-protocols", rule="R7"),
        UpgradeAdded(unit=NEW, upgrade=card, rule="R7"),
    ]
    assert broken(lambda: added(book, crab, "attack-protocols", "defense-protocols", start=start)) == ["R7", "R8"]


def test_compulsory_upgrades_may_be_missing_with_a_warning(book: Rulebook) -> None:
    """R7."""
    start = spare()
    start = replay(added(book, OFFICER), start)
    assert fielding_warnings(book, start.dossiers[NEW]) == ("N needs a Doctrine upgrade. Add it under Upgrades.",)
    assert fielding_warnings(book, start.dossiers[TROOPERS]) == ()


@pytest.mark.parametrize(
    ("unit", "allowance"),
    [
        (OFFICER, "Up to 2 upgrades, plus required ones."),
        (STORMTROOPERS, "Up to 1 heavy weapon and 1 personnel, plus required ones."),
        ("scout-troopers", "Up to 1 heavy weapon, plus required ones."),
        (AT_ST, "Up to 1 hardpoint, plus required ones."),
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
    assert violations(lambda: added(book, STORMTROOPERS, "flametrooper")) == [
        Violation("R8", "Stormtroopers cannot take Flametrooper.", "flametrooper")
    ]


def test_the_first_unit_takes_no_card_of_those_who_do_not_hire_its_faction(book: Rulebook) -> None:
    """R8: the Register has no Faction yet, but its first unit has."""
    truck = replace(book.units["wlo-5-speeder-tank"], faction="rebel", hireable_by=(), rank="operative")
    assert broken(lambda: added(with_card(book, truck), truck.slug, "black-sun-crew", start=opened())) == ["R8"]
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
    assert rules == ["R5", *["R3"] * 8, "R7", "R7", "R5", "R8", "R8", "R7", "R2"]


# --- Upgrades by an edit -------------------------------------------------------------------------------------


def drilled(*upgrades: str, by: tuple[str, ...] = (), **changes: Any) -> RegisterState:
    return change(spare(**changes), TROOPERS, commendations=("advanced-drill",), upgrades=upgrades, by_commendation=by)


def test_a_slot_of_a_commendation_may_be_filled_by_an_edit(book: Rulebook) -> None:
    """R8."""
    assert add_upgrade(book, drilled(), TROOPERS, "tenacity") == [
        UpgradeAdded(unit=TROOPERS, upgrade="tenacity", by_commendation=True, rule="R8")
    ]


def test_a_slot_of_a_commendation_may_wait_for_an_aid_request(book: Rulebook) -> None:
    """R8, R52: by house rules only Supplies and Provisions or Reinforcements fill it."""
    strict = house(book, commended_slot="aid_request")
    assert commendation_slots_left(strict, drilled().dossiers[TROOPERS]) == {}
    assert broken(lambda: add_upgrade(strict, drilled(), TROOPERS, "tenacity")) == ["R8"]
    wish = RequestedAid("supplies-and-provisions", unit=TROOPERS, upgrade="tenacity")
    asked = play(strict, drilled(), lambda context: aid_request(context, wish))
    assert asked.effects[-1] == UpgradeAdded(unit=TROOPERS, upgrade="tenacity", rule="R41", why="provisions")


def flexible(*upgrades: str) -> Dossier:
    return Dossier(TROOPERS, "stormtroopers", "Reds", commendations=("flexible-response",), upgrades=upgrades)


def test_flexible_response_makes_heavy_weapons_compulsory(book: Rulebook) -> None:
    """R53: one printed slot and one of the Commendation; each of the two may come by any edit (R7)."""
    assert [flexible_response(book, each) for each in (flexible(), Dossier(TROOPERS, "stormtroopers"))] == [2, 0]
    assert fielding_warnings(book, flexible()) == ("Reds needs 2 heavy weapon upgrades. Add them under Upgrades.",)
    one = flexible("dlt-19-stormtrooper")
    assert fielding_warnings(book, one) == ("Reds needs a Heavy weapon upgrade. Add it under Upgrades.",)
    assert fielding_warnings(book, flexible("dlt-19-stormtrooper", "hh-12-stormtrooper")) == ()
    start = spare()
    start = replace(start, dossiers={**start.dossiers, TROOPERS: one})
    assert add_upgrade(book, start, TROOPERS, "hh-12-stormtrooper") == [
        UpgradeAdded(unit=TROOPERS, upgrade="hh-12-stormtrooper", rule="R8")
    ]


def test_a_printed_flexible_response(book: Rulebook) -> None:
    """R53: the number on the card."""
    response = Dossier(TROOPERS, "stormtroopers-heavy-response-unit", upgrades=("dlt-19-stormtrooper",))
    assert fielding_warnings(book, response) == ("Stormtroopers needs a Heavy weapon upgrade. Add it under Upgrades.",)


def test_it_is_filled_once(book: Rulebook) -> None:
    """R8: another card needs another Commendation, even where a slot is free."""
    captain = drilled("stormtrooper-captain", "tenacity", by=("tenacity",))
    assert commendation_slots_left(book, drilled().dossiers[TROOPERS]) == {"training": 1}
    assert commendation_slots_left(book, captain.dossiers[TROOPERS]) == {}
    assert violations(lambda: add_upgrade(book, captain, TROOPERS, "duck-and-cover")) == [
        Violation(
            "R8",
            "Duck and Cover can be added only by an Aid Request, or into a slot from a Commendation.",
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
    assert violations(lambda: add_upgrade(book, spare(), "99", "tenacity")) == [
        Violation("R19", "This unit is not on the Register.", "99")
    ]
    assert broken(lambda: add_upgrade(book, spare(), TROOPERS, "x")) == ["R8"]
