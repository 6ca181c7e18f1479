"""Strategic Assets in an army: units and cards that are lent."""

from dataclasses import replace

import pytest

from rules.battle.army import Army, BattleSetup
from rules.battle.report import Lent
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from tests.rules.battle.fielding import VADER, army, lent, wrong
from tests.rules.build import PARAGON, TROOPERS, WALKER, change, state

KALLUS = "agent-kallus-hunter-of-spectres"


def test_assets_come_from_the_register(book: Rulebook) -> None:
    """R21."""
    start = state(assets=("medevac",))
    assert wrong(book, army(PARAGON, assets=("medevac",)), start=start) == []
    assert wrong(book, army(PARAGON, assets=("medevac", "medevac", "tank")), start=start) == [
        Violation("R21", "Medevac is not on the Register.", "medevac"),
        Violation("R21", "tank is not on the Register.", "tank"),
    ]


@pytest.mark.parametrize(
    ("asset", "stays_out"),
    [
        ("request-assistance", True), ("heroic-intervention", True), ("requisition-special-equipment", True),
        ("medevac", False), ("orbital-bombardment", False), ("combat-drop", False),
        ("authorized-extraordinary-use", False), ("contingency-plan", False),
    ],
)  # fmt: skip
def test_three_assets_stay_out_of_ones_own_turning_point_mission(book: Rulebook, asset: str, stays_out: bool) -> None:
    """R21."""
    own = BattleSetup(size=600, own_turning_point=True)
    name = book.assets[asset].name
    expected = [Violation("R21", f"{name} cannot be used in your own Turning Point Mission. Untick it.", asset)]
    start = state(assets=(asset,) * 2)
    assert wrong(book, army(PARAGON, assets=(asset,)), start=start, setup=own) == expected * stays_out
    assert wrong(book, army(PARAGON, assets=(asset,)), start=start) == []


def test_only_assets_in_use_lend_anything(book: Rulebook) -> None:
    """R21."""
    start = state(assets=("heroic-intervention",))
    vader = lent(book, "heroic-intervention", VADER)
    assert wrong(book, army(PARAGON, lent=(vader,)), start=start) == [
        Violation("R21", "Heroic Intervention brings more than you have in use. Remove some.", "heroic-intervention")
    ]
    assert wrong(book, army(PARAGON, assets=("heroic-intervention",), lent=(vader,)), start=start) == []


def test_assets_that_lend_nothing(book: Rulebook) -> None:
    start = state(assets=("medevac",))
    lends = army(PARAGON, assets=("medevac",), lent=(Lent("medevac"),))
    assert wrong(book, lends, start=start) == [
        Violation("R21", "medevac does not bring anything into an army.", "medevac")
    ]


def with_lent(book: Rulebook, *things: Lent, fielded: dict[str, tuple[str, ...]] | None = None) -> list[Violation]:
    assets = tuple(thing.asset for thing in things)
    whole = Army(fielded=fielded or {PARAGON: ()}, assets=assets, lent=things)
    return wrong(book, whole, start=state(assets=assets))


@pytest.mark.parametrize(
    ("asset", "unit", "violation"),
    [
        ("heroic-intervention", VADER, ""),
        ("heroic-intervention", KALLUS, "a unique commander, and Agent Kallus, Hunter of Spectres is not one."),
        ("heroic-intervention", "stormtroopers", "a unique commander, and Stormtroopers is not one."),
        ("request-assistance", KALLUS, ""),
        ("request-assistance", VADER,
         "a unique unit that is not a commander, and Darth Vader, Dark Lord of the Sith is not one."),
        ("request-assistance", "stormtroopers", "a unique unit that is not a commander, and Stormtroopers is not one."),
    ],
)  # fmt: skip
def test_who_may_be_asked_for_help(book: Rulebook, asset: str, unit: str, violation: str) -> None:
    """R21."""
    expected = [Violation("R21", f"This asset brings {violation} Choose another unit.", asset)] if violation else []
    assert with_lent(book, lent(book, asset, unit)) == expected


def test_help_must_be_named_serve_the_army_and_be_released(book: Rulebook) -> None:
    """R21, R5."""
    assert with_lent(book, lent(book, "request-assistance")) == [
        Violation("R21", "Choose the unit that this asset brings.", "request-assistance")
    ]
    luke = next(u.slug for u in book.units.values() if u.name == "Luke Skywalker" and u.rank == "commander")
    text = f"{book.units[luke].full_name} cannot join this army of the Faction Empire."
    assert with_lent(book, lent(book, "heroic-intervention", luke)) == [Violation("R21", text, "heroic-intervention")]
    soon = replace(lent(book, "heroic-intervention", VADER), unit=replace(book.units[VADER], release="2027"))
    assert with_lent(book, soon) == [
        Violation("R5", "Darth Vader, Dark Lord of the Sith is not released yet (2027).", VADER)
    ]


def test_help_brings_the_upgrades_it_could_equip(book: Rulebook) -> None:
    """R21, R8."""
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "tenacity", "strict-orders")) == []
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "dlt-19-stormtrooper")) == [
        Violation("R8", "Agent Kallus, Hunter of Spectres cannot take DLT-19 Stormtrooper.", "dlt-19-stormtrooper"),
        Violation("R8", "Agent Kallus has no free slot for this (heavy weapon).", KALLUS),
    ]
    soon = lent(book, "request-assistance", KALLUS, "tenacity")
    soon = replace(soon, upgrades=(replace(soon.upgrades[0], release="2027"),))
    assert with_lent(book, soon) == [Violation("R5", "Tenacity is not released yet (2027).", "tenacity")]


EQUIPMENT = "requisition-special-equipment"


def test_special_equipment_is_one_unique_upgrade(book: Rulebook) -> None:
    """R21."""
    text = "Requisition Special Equipment brings one unique upgrade. Choose it."
    assert with_lent(book, lent(book, EQUIPMENT, "", "trusted-agent")) == []
    for wrong_thing in (
        lent(book, EQUIPMENT, "", "tenacity"),
        lent(book, EQUIPMENT),
        lent(book, EQUIPMENT, "", "trusted-agent", "improvised-orders"),
        lent(book, EQUIPMENT, KALLUS, "trusted-agent"),
    ):
        assert with_lent(book, wrong_thing) == [Violation("R21", text, EQUIPMENT)]


def test_special_equipment_must_be_released(book: Rulebook) -> None:
    """R5."""
    soon = lent(book, EQUIPMENT, "", "trusted-agent")
    soon = replace(soon, upgrades=(replace(soon.upgrades[0], release="2027"),))
    assert with_lent(book, soon) == [Violation("R5", "Trusted Agent is not released yet (2027).", "trusted-agent")]


def test_special_equipment_fits_its_bearer(book: Rulebook) -> None:
    """R21, R8: banned types included, since it does not enter the Register."""
    kallus = lent(book, EQUIPMENT, "", "agent-kallus", bearer=TROOPERS)
    fielded: dict[str, tuple[str, ...]] = {PARAGON: (), TROOPERS: ()}
    assert with_lent(book, kallus, fielded=fielded) == []
    assert with_lent(book, lent(book, EQUIPMENT, "", "trusted-agent", bearer=TROOPERS), fielded=fielded) == [
        Violation("R8", "Stormtroopers has no free slot for this (command).", "stormtroopers")
    ]
    assert with_lent(book, kallus) == [Violation("R21", "Choose a unit of the army for Agent Kallus.", EQUIPMENT)]


def test_special_equipment_finds_a_slot_beside_what_its_bearer_takes_along(book: Rulebook) -> None:
    """R8: two requisitions for one unit need two slots."""
    first = lent(book, EQUIPMENT, "", "trusted-agent", bearer=PARAGON)
    second = lent(book, EQUIPMENT, "", "improvised-orders", bearer=PARAGON)
    no_slot = Violation(
        "R8", "Imperial Officer has no free slot for this (command).", "imperial-officer-ruthless-efficiency"
    )
    assert with_lent(book, first) == []
    assert with_lent(book, first, second) == [no_slot, no_slot]
    start = change(state(assets=(EQUIPMENT,)), PARAGON, upgrades=("strict-orders",))
    taken = Army(fielded={PARAGON: ("strict-orders",)}, assets=(EQUIPMENT,), lent=(first,))
    assert wrong(book, taken, start=start) == [no_slot]


def test_special_equipment_may_go_to_a_lent_unit(book: Rulebook) -> None:
    """R21."""
    kallus = lent(book, "request-assistance", KALLUS)
    agent = lent(book, EQUIPMENT, "", "trusted-agent", bearer="L1")
    orders = lent(book, EQUIPMENT, "", "improvised-orders", bearer="L1")
    no_slot = Violation("R8", "Agent Kallus has no free slot for this (command).", KALLUS)
    assert with_lent(book, kallus, agent) == []
    assert with_lent(book, kallus, agent, orders) == [no_slot, no_slot]
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "strict-orders"), agent) == [no_slot]


def test_extraordinary_use_exempts_one_unit_of_the_army(book: Rulebook) -> None:
    """R21."""
    use = "authorized-extraordinary-use"
    text = "Authorized Extraordinary Use exempts one unit of the army. Choose it."
    assert with_lent(book, lent(book, use, bearer=PARAGON)) == []
    assert with_lent(book, lent(book, "request-assistance", KALLUS), lent(book, use, bearer="L1")) == []
    for wrong_thing in (
        lent(book, use),
        lent(book, use, bearer=WALKER),
        lent(book, use, KALLUS, bearer=PARAGON),
        lent(book, use, "", "tenacity", bearer=PARAGON),
    ):
        assert with_lent(book, wrong_thing) == [Violation("R21", text, use)]
