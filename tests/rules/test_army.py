"""Army building for a battle (R17 to R23)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.army import (
    Army,
    Terms,
    army_points,
    army_problems,
    check_army,
    completed_agendas,
    game_type,
    is_complete,
    lent_points,
    may_play_turning_point,
    must_play_turning_point,
    open_agendas,
    open_battle_forces,
    rank_limits_for,
    rank_warnings,
    reinforcements,
    turning_point_problems,
    unit_points,
)
from rules.building import combat_potential_left
from rules.force import Force
from rules.refusal import Problem
from rules.report import Lent
from rules.rulebook import Rulebook
from rules.terms import Terms as CampaignTerms

from .build import OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, WALKER, broken, change, force, house

VADER = "darth-vader-dark-lord-of-the-sith"
KALLUS = "agent-kallus-hunter-of-spectres"
SMALL = Terms(size=600)


def army(*units: str, **changes: Any) -> Army:
    return Army(fielded=dict.fromkeys(units, ()), **changes)


def wrong(book: Rulebook, army: Army, *, start: Force | None = None, terms: Terms = SMALL) -> list[Problem]:
    return list(army_problems(book, start or force(), army, terms))


def lent(
    book: Rulebook, asset: str, unit: str = "", *upgrades: str, key: str = "L1", bearer: str = ""
) -> Lent:
    return Lent(
        asset,
        key if unit else "",
        book.units[unit] if unit else None,
        tuple(book.upgrades[slug] for slug in upgrades),
        bearer,
    )


# --- Points --------------------------------------------------------------------------------------------------


def test_reinforcements_are_50_points_for_each_point_of_reputation_behind() -> None:
    """R20."""
    assert [reinforcements(*both) for both in ((0, 0), (0, 1), (1, 4), (3, 1))] == [0, 50, 150, 0]


def test_a_fielded_unit_costs_its_cards_and_15_for_each_downtrodden(book: Rulebook) -> None:
    """R19."""
    start = change(
        force(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"),
        setbacks=("downtrodden", "battle-fatigue", "downtrodden"),
    )  # fmt: skip
    assert unit_points(book, start, TROOPERS, ["stormtrooper"]) == 42 + 8 + 30


def test_lent_cards_cost_what_they_cost(book: Rulebook) -> None:
    """R19."""
    assert lent_points(lent(book, "heroic-intervention", VADER, "strict-orders")) == 170 + 5
    assert lent_points(lent(book, "requisition-special-equipment", "", "trusted-agent")) == 5
    assert lent_points(lent(book, "authorized-extraordinary-use", bearer=SCOUT)) == 0


def test_an_army_costs_all_that_is_fielded_and_lent(book: Rulebook) -> None:
    """R19: what is not on the Register counts nothing here, and is refused elsewhere."""
    start = change(force(), TROOPERS, upgrades=("stormtrooper",), setbacks=("downtrodden",))
    whole = Army(
        fielded={PARAGON: (), TROOPERS: ("stormtrooper", "ghost"), "99": ("tenacity",)},
        lent=(lent(book, "heroic-intervention", VADER),),
    )
    assert army_points(book, start, whole) == 55 + 42 + 8 + 15 + 170


# --- What an army may hold -----------------------------------------------------------------------------------


def test_a_legal_army(book: Rulebook) -> None:
    start = change(force(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"))
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("stormtrooper",)}), start=start) == []
    assert check_army(book, start, army(PARAGON), SMALL) is None


def test_the_paragon_is_always_among_them(book: Rulebook) -> None:
    """R19."""
    assert wrong(book, army(TROOPERS)) == [
        Problem("R19", "The Paragon is always among the units of an army.", PARAGON)
    ]
    assert broken(lambda: check_army(book, force(), army(TROOPERS), SMALL)) == ["R19"]


def test_only_dossiers_with_their_own_upgrades(book: Rulebook) -> None:
    """R19."""
    start = change(force(), TROOPERS, upgrades=("stormtrooper",))
    taken = {PARAGON: ("tenacity",), TROOPERS: ("stormtrooper", "stormtrooper"), "99": ()}
    assert wrong(book, Army(fielded=taken), start=start) == [
        Problem("R19", "Captain Sorne can take only upgrades of its own Dossier.", PARAGON),
        Problem("R19", "Grim Hounds can take only upgrades of its own Dossier.", TROOPERS),
        Problem("R19", "This unit is not on the Register.", "99"),
    ]


def test_a_nameless_unit_is_called_by_its_card(book: Rulebook) -> None:
    start = change(force(), TROOPERS, name="")
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("x",)}), start=start) == [
        Problem("R19", "Stormtroopers can take only upgrades of its own Dossier.", TROOPERS)
    ]


def test_an_upgrade_that_gives_a_slot_to_another_comes_along(book: Rulebook) -> None:
    """R8, R19."""
    start = change(force(), TROOPERS, upgrades=("stormtrooper-captain", "tenacity"))
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("tenacity",)}), start=start) == [
        Problem("R8", "Grim Hounds leaves behind an upgrade that gives a slot to another.", TROOPERS)
    ]
    both = {PARAGON: (), TROOPERS: ("tenacity", "stormtrooper-captain")}
    assert wrong(book, Army(fielded=both), start=start) == []


def test_points_fit_the_size_and_the_reinforcements(book: Rulebook) -> None:
    """R19, R20."""
    walkers = army(PARAGON, WALKER)
    assert wrong(book, walkers, terms=Terms(size=200)) == []
    assert wrong(book, walkers, terms=Terms(size=150, reinforcements=50)) == []
    assert wrong(book, walkers, terms=Terms(size=199)) == [
        Problem("R19", "The army has 200 points; 199 are allowed.")
    ]
    assert wrong(book, walkers, terms=Terms(size=149, reinforcements=50)) == [
        Problem("R19", "The army has 200 points; 199 are allowed."),
        Problem("R20", "50 of them are reinforcements; there are no more."),
    ]


def test_unique_cards_once_and_limited_ones_as_often_as_they_say(book: Rulebook) -> None:
    """R19: over all cards fielded."""
    start = force()
    for key in (PARAGON, TROOPERS, OTHERS, SNOW):
        start = change(start, key, upgrades=("hq-uplink", "trusted-agent"), commendations=("forward-patrol",))
    slots = ("command", "comms")
    open_book = replace(
        book,
        units={
            slug: replace(card, upgrade_slots=slots)
            if slug.endswith("troopers") or "officer" in slug
            else card
            for slug, card in book.units.items()
        },
    )
    thrice = {
        PARAGON: ("hq-uplink", "trusted-agent"),
        TROOPERS: ("hq-uplink",),
        OTHERS: ("hq-uplink",),
        SNOW: (),
    }
    assert wrong(open_book, Army(fielded=thrice), start=start) == [
        Problem("R19", "An army holds HQ Uplink at most twice, not 3 times.")
    ]
    twice = {PARAGON: ("hq-uplink", "trusted-agent"), TROOPERS: ("hq-uplink", "trusted-agent")}
    assert wrong(open_book, Army(fielded=twice), start=start) == [
        Problem("R19", "An army holds Trusted Agent at most once, not twice.")
    ]


def test_unique_cards_of_one_name_are_one_person(book: Rulebook) -> None:
    """R19: as commander, as operative or as an upgrade."""
    start = force(assets=("heroic-intervention", "request-assistance"), combat_potential=2000)
    both = army(
        PARAGON,
        assets=("heroic-intervention", "request-assistance"),
        lent=(
            lent(book, "heroic-intervention", VADER),
            lent(book, "request-assistance", "darth-vader-the-emperors-apprentice", key="L2"),
        ),
    )
    assert wrong(book, both, start=start) == [
        Problem("R19", "An army holds Darth Vader at most once, not twice.")
    ]


def test_units_that_are_unique_by_their_title_are_told_apart_by_it(book: Rulebook) -> None:
    """R19."""
    start = force(assets=("request-assistance",) * 2)
    squad = "imperial-special-forces-inferno-squad"
    other = replace(book.units[squad], slug="other", title="Other Squad")
    pair = army(
        PARAGON,
        assets=start.assets,
        lent=(
            lent(book, "request-assistance", squad),
            replace(lent(book, "request-assistance", squad, key="L2"), unit=other),
        ),
    )
    assert wrong(book, pair, start=start) == []


# --- Assets --------------------------------------------------------------------------------------------------


def test_assets_come_from_the_register(book: Rulebook) -> None:
    """R21."""
    start = force(assets=("medevac",))
    assert wrong(book, army(PARAGON, assets=("medevac",)), start=start) == []
    assert wrong(book, army(PARAGON, assets=("medevac", "medevac", "tank")), start=start) == [
        Problem("R21", "Medevac is not on the Register.", "medevac"),
        Problem("R21", "tank is not on the Register.", "tank"),
    ]


@pytest.mark.parametrize(
    ("asset", "stays_out"),
    [
        ("request-assistance", True), ("heroic-intervention", True), ("requisition-special-equipment", True),
        ("medevac", False), ("orbital-bombardment", False), ("combat-drop", False),
        ("authorized-extraordinary-use", False), ("contingency-plan", False),
    ],
)  # fmt: skip
def test_three_assets_stay_out_of_ones_own_turning_point_mission(
    book: Rulebook, asset: str, stays_out: bool
) -> None:
    """R21."""
    own = Terms(size=600, own_turning_point=True)
    name = book.assets[asset].name
    expected = [Problem("R21", f"{name} stays out of your own Turning Point Mission.", asset)]
    start = force(assets=(asset,) * 2)
    assert wrong(book, army(PARAGON, assets=(asset,)), start=start, terms=own) == expected * stays_out
    assert wrong(book, army(PARAGON, assets=(asset,)), start=start) == []


def test_only_assets_in_use_lend_anything(book: Rulebook) -> None:
    """R21."""
    start = force(assets=("heroic-intervention",))
    vader = lent(book, "heroic-intervention", VADER)
    assert wrong(book, army(PARAGON, lent=(vader,)), start=start) == [
        Problem(
            "R21", "More is lent by heroic-intervention than the assets in use allow.", "heroic-intervention"
        )
    ]
    assert wrong(book, army(PARAGON, assets=("heroic-intervention",), lent=(vader,)), start=start) == []


def test_assets_that_lend_nothing(book: Rulebook) -> None:
    start = force(assets=("medevac",))
    lends = army(PARAGON, assets=("medevac",), lent=(Lent("medevac"),))
    assert wrong(book, lends, start=start) == [
        Problem("R21", "medevac brings nothing into an army.", "medevac")
    ]


def with_lent(
    book: Rulebook, *things: Lent, fielded: dict[str, tuple[str, ...]] | None = None
) -> list[Problem]:
    assets = tuple(thing.asset for thing in things)
    whole = Army(fielded=fielded or {PARAGON: ()}, assets=assets, lent=things)
    return wrong(book, whole, start=force(assets=assets))


@pytest.mark.parametrize(
    ("asset", "unit", "problem"),
    [
        ("heroic-intervention", VADER, ""),
        ("heroic-intervention", KALLUS, "a unique commander, which Agent Kallus, Hunter of Spectres is not."),
        ("heroic-intervention", "stormtroopers", "a unique commander, which Stormtroopers is not."),
        ("request-assistance", KALLUS, ""),
        ("request-assistance", VADER,
         "a unique unit that is no commander, which Darth Vader, Dark Lord of the Sith is not."),
        ("request-assistance", "stormtroopers", "a unique unit that is no commander, which Stormtroopers is not."),
    ],
)  # fmt: skip
def test_who_may_be_asked_for_help(book: Rulebook, asset: str, unit: str, problem: str) -> None:
    """R21."""
    expected = [Problem("R21", f"This asset brings {problem}", asset)] if problem else []
    assert with_lent(book, lent(book, asset, unit)) == expected


def test_help_must_be_named_serve_the_army_and_be_released(book: Rulebook) -> None:
    """R21, R5."""
    assert with_lent(book, lent(book, "request-assistance")) == [
        Problem("R21", "Name the unit that the asset brings.", "request-assistance")
    ]
    luke = next(u.slug for u in book.units.values() if u.name == "Luke Skywalker" and u.rank == "commander")
    text = f"{book.units[luke].full_name} cannot serve in this army: its Faction is empire."
    assert with_lent(book, lent(book, "heroic-intervention", luke)) == [
        Problem("R21", text, "heroic-intervention")
    ]
    soon = replace(
        lent(book, "heroic-intervention", VADER), unit=replace(book.units[VADER], unreleased="2027")
    )
    assert with_lent(book, soon) == [
        Problem("R5", "Darth Vader, Dark Lord of the Sith is not released yet (2027).", VADER)
    ]


def test_help_brings_the_upgrades_it_could_equip(book: Rulebook) -> None:
    """R21, R8."""
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "tenacity", "strict-orders")) == []
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "dlt-19-stormtrooper")) == [
        Problem(
            "R8", "DLT-19 Stormtrooper is not for Agent Kallus, Hunter of Spectres.", "dlt-19-stormtrooper"
        ),
        Problem("R8", "Agent Kallus has no free slot left for this (heavy weapon).", KALLUS),
    ]
    soon = lent(book, "request-assistance", KALLUS, "tenacity")
    soon = replace(soon, upgrades=(replace(soon.upgrades[0], unreleased="2027"),))
    assert with_lent(book, soon) == [Problem("R5", "Tenacity is not released yet (2027).", "tenacity")]


EQUIPMENT = "requisition-special-equipment"


def test_special_equipment_is_one_unique_upgrade(book: Rulebook) -> None:
    """R21."""
    text = "Requisition Special Equipment brings one unique upgrade."
    assert with_lent(book, lent(book, EQUIPMENT, "", "trusted-agent")) == []
    for wrong_thing in (
        lent(book, EQUIPMENT, "", "tenacity"),
        lent(book, EQUIPMENT),
        lent(book, EQUIPMENT, "", "trusted-agent", "improvised-orders"),
        lent(book, EQUIPMENT, KALLUS, "trusted-agent"),
    ):
        assert with_lent(book, wrong_thing) == [Problem("R21", text, EQUIPMENT)]


def test_special_equipment_must_be_released(book: Rulebook) -> None:
    """R5."""
    soon = lent(book, EQUIPMENT, "", "trusted-agent")
    soon = replace(soon, upgrades=(replace(soon.upgrades[0], unreleased="2027"),))
    assert with_lent(book, soon) == [
        Problem("R5", "Trusted Agent is not released yet (2027).", "trusted-agent")
    ]


def test_special_equipment_fits_its_bearer(book: Rulebook) -> None:
    """R21, R8: banned types included, since it does not enter the Register."""
    kallus = lent(book, EQUIPMENT, "", "agent-kallus", bearer=TROOPERS)
    fielded: dict[str, tuple[str, ...]] = {PARAGON: (), TROOPERS: ()}
    assert with_lent(book, kallus, fielded=fielded) == []
    assert with_lent(book, lent(book, EQUIPMENT, "", "trusted-agent", bearer=TROOPERS), fielded=fielded) == [
        Problem("R8", "Stormtroopers has no free slot left for this (command).", "stormtroopers")
    ]
    assert with_lent(book, kallus) == [Problem("R21", "Agent Kallus goes to a unit of the army.", EQUIPMENT)]


def test_special_equipment_finds_a_slot_beside_what_its_bearer_takes_along(book: Rulebook) -> None:
    """R8: two requisitions for one unit need two slots."""
    first = lent(book, EQUIPMENT, "", "trusted-agent", bearer=PARAGON)
    second = lent(book, EQUIPMENT, "", "improvised-orders", bearer=PARAGON)
    no_slot = Problem(
        "R8",
        "Imperial Officer has no free slot left for this (command).",
        "imperial-officer-ruthless-efficiency",
    )
    assert with_lent(book, first) == []
    assert with_lent(book, first, second) == [no_slot, no_slot]
    start = change(force(assets=(EQUIPMENT,)), PARAGON, upgrades=("strict-orders",))
    taken = Army(fielded={PARAGON: ("strict-orders",)}, assets=(EQUIPMENT,), lent=(first,))
    assert wrong(book, taken, start=start) == [no_slot]


def test_special_equipment_may_go_to_a_lent_unit(book: Rulebook) -> None:
    """R21."""
    kallus = lent(book, "request-assistance", KALLUS)
    agent = lent(book, EQUIPMENT, "", "trusted-agent", bearer="L1")
    orders = lent(book, EQUIPMENT, "", "improvised-orders", bearer="L1")
    no_slot = Problem("R8", "Agent Kallus has no free slot left for this (command).", KALLUS)
    assert with_lent(book, kallus, agent) == []
    assert with_lent(book, kallus, agent, orders) == [no_slot, no_slot]
    assert with_lent(book, lent(book, "request-assistance", KALLUS, "strict-orders"), agent) == [no_slot]


def test_extraordinary_use_exempts_one_unit_of_the_army(book: Rulebook) -> None:
    """R21."""
    use = "authorized-extraordinary-use"
    text = "Authorized Extraordinary Use exempts one unit of the army."
    assert with_lent(book, lent(book, use, bearer=PARAGON)) == []
    assert with_lent(book, lent(book, "request-assistance", KALLUS), lent(book, use, bearer="L1")) == []
    for wrong_thing in (
        lent(book, use),
        lent(book, use, bearer=WALKER),
        lent(book, use, KALLUS, bearer=PARAGON),
        lent(book, use, "", "tenacity", bearer=PARAGON),
    ):
        assert with_lent(book, wrong_thing) == [Problem("R21", text, use)]


# --- Turning Points and Agendas ------------------------------------------------------------------------------

ARC = ("persons-of-interest", "gather-intelligence", "keep-them-in-line")


def completed(agendas: int, name: str = "Ashen Patrol", **more: Any) -> Force:
    return force(agendas=dict.fromkeys(ARC[:agendas], 3), name=name, **more)


def test_how_many_agendas_are_completed(book: Rulebook) -> None:
    """R22, R25."""
    arc = book.story_arcs["bring-peace-to-the-galaxy"]
    start = force(agendas={ARC[0]: 3, ARC[1]: 2, "the-long-game": 3})
    assert completed_agendas(arc, start) == 1
    assert [is_complete(book.agendas[slug], start) for slug in ARC] == [True, False, False]
    assert [agenda.slug for agenda in open_agendas(book, start)] == list(ARC[1:])


def test_two_may_and_three_must(book: Rulebook) -> None:
    """R22."""
    assert [may_play_turning_point(book, completed(n)) for n in range(4)] == [False, False, True, True]
    assert [must_play_turning_point(book, completed(n)) for n in range(4)] == [False, False, False, True]


NEEDS_TWO = Problem(
    "R22", "A Turning Point Mission needs 2 completed Agendas of its own Story Arc.", "turning_point"
)
BLUE_OWNS = Problem("R22", "The owner of the Turning Point Mission is the blue player.", "turning_point")


@pytest.mark.parametrize(
    ("blue", "red", "owner", "problems"),
    [
        (0, 0, "", []),
        (2, 2, "", []),
        (2, None, "", []),
        (3, None, "", [Problem("R22", "Blue has completed its Agendas: a Turning Point Mission must be played.")]),
        (2, 3, "", [Problem("R22", "Red has completed its Agendas: a Turning Point Mission must be played.")]),
        (2, 0, "blue", []),
        (3, None, "blue", []),
        (2, 3, "blue", []),
        (3, 3, "blue", []),
        (1, 0, "blue", [NEEDS_TWO]),
        (2, 2, "red", [BLUE_OWNS]),
        (0, 1, "red", [NEEDS_TWO, BLUE_OWNS]),
        (0, None, "red", [NEEDS_TWO, BLUE_OWNS]),
        (1, 3, "blue", [NEEDS_TWO, Problem("R22", "Red must play its own Turning Point Mission.", "turning_point")]),
        (3, 1, "red",
         [NEEDS_TWO, BLUE_OWNS, Problem("R22", "Blue must play its own Turning Point Mission.", "turning_point")]),
        (2, 3, "red", [BLUE_OWNS]),
    ],
)  # fmt: skip
def test_whose_turning_point_mission_may_be_played(
    book: Rulebook, blue: int, red: int | None, owner: str, problems: list[Problem]
) -> None:
    """R22: with 3 it must, unless the other side is eligible too; then the two choose whose."""
    other = None if red is None else completed(red, "Red")
    assert list(turning_point_problems(book, completed(blue, "Blue"), other, owner)) == problems


def test_an_agenda_is_of_the_current_arc_and_not_completed(book: Rulebook) -> None:
    """R23."""
    start = force(agendas={ARC[0]: 3})
    text = "Bring an Agenda of the current Story Arc that is not completed."
    assert wrong(book, army(PARAGON, agenda=ARC[1]), start=start) == []
    for agenda in (ARC[0], "the-long-game", "x"):
        assert wrong(book, army(PARAGON, agenda=agenda), start=start) == [Problem("R23", text, "agenda")]


def test_the_owner_of_a_turning_point_mission_brings_no_agenda(book: Rulebook) -> None:
    """R22: the other side still may."""
    own = Terms(size=600, own_turning_point=True)
    assert wrong(book, army(PARAGON, agenda=ARC[1]), terms=own) == [
        Problem("R22", "The owner of a Turning Point Mission brings no Agenda.", "agenda")
    ]


# --- Ranks ---------------------------------------------------------------------------------------------------


def test_rank_tables_by_size(book: Rulebook) -> None:
    """R18: 600 Recon, 800 Escalation, 1000 Standard, 1600 Grand Army."""
    sizes = (300, 600, 601, 800, 801, 1000, 1001, 1600, 3000)
    tables = [rank_limits_for(book, size) for size in sizes]
    assert [table and table.name for table in tables] == [
        "Recon", "Recon", "Escalation", "Escalation", "Standard", "Standard", "Grand Army", "Grand Army", "Grand Army",
    ]  # fmt: skip
    assert rank_limits_for(replace(book, rank_limits=()), 600) is None


def test_recon_up_to_800() -> None:
    """R18."""
    assert [game_type(size) for size in (800, 801)] == ["Recon", "standard"]


def test_ranks_outside_the_limits_are_warnings(book: Rulebook) -> None:
    """R18: they do not block."""
    recon = rank_limits_for(book, 600)
    assert recon
    start = change(force(), SCOUT, card="at-st")
    small = army(PARAGON, TROOPERS, SCOUT, WALKER, "99")
    assert rank_warnings(book, start, small, recon) == [
        "Recon: at least 2 corps, the army has 1.",
        "Recon: at most 1 heavy, the army has 2.",
    ]
    assert rank_warnings(book, force(), army(PARAGON, TROOPERS, OTHERS), recon) == []


def test_an_exempted_unit_does_not_count_against_the_maximum(book: Rulebook) -> None:
    """R21; lent units do count."""
    recon = rank_limits_for(book, 600)
    assert recon
    vader = lent(book, "heroic-intervention", VADER)
    two = army(PARAGON, TROOPERS, OTHERS, lent=(vader,))
    assert rank_warnings(book, force(), two, recon) == ["Recon: at most 1 commander, the army has 2."]
    exempt = replace(two, lent=(vader, lent(book, "authorized-extraordinary-use", bearer="L1")))
    assert rank_warnings(book, force(), exempt, recon) == []
    corps = army(PARAGON, TROOPERS, OTHERS, lent=(lent(book, "authorized-extraordinary-use", bearer=OTHERS),))
    assert rank_warnings(book, force(), corps, recon) == []


def test_special_forces_in_words(book: Rulebook) -> None:
    recon = rank_limits_for(book, 600)
    assert recon
    start = force()
    for key in (SNOW, WALKER):
        start = change(start, key, card="scout-troopers")
    assert rank_warnings(book, start, army(PARAGON, TROOPERS, OTHERS, SCOUT, SNOW, WALKER), recon) == [
        "Recon: at most 2 special forces, the army has 3."
    ]


# --- Battle force and Battle Deck ----------------------------------------------------------------------------


def test_a_battle_force_of_the_register_s_own_faction(book: Rulebook) -> None:
    open_to_all = {item.slug for item in open_battle_forces(book, "empire")}
    assert open_to_all == {"blizzard-force", "imperial-remnant", "stormtrooper-battalion", "tempest-force"}
    mine = army(PARAGON, battle_force="tempest-force")
    other = army(PARAGON, battle_force="echo-base-defenders")
    assert list(army_problems(book, force(), mine, SMALL)) == []
    assert list(army_problems(book, force(), other, SMALL)) == [
        Problem("R18", "Choose a battle force of the Register's own Faction, or none.", "battle_force")
    ]


def test_only_the_battle_forces_of_the_campaign_may_be_named(book: Rulebook) -> None:
    """Those that the terms name, if they name any."""
    narrow = book.under(CampaignTerms(battle_forces=("tempest-force", "echo-base-defenders")))
    assert [item.slug for item in open_battle_forces(narrow, "empire")] == ["tempest-force"]
    other = army(PARAGON, battle_force="blizzard-force")
    assert [problem.rule for problem in army_problems(narrow, force(), other, SMALL)] == ["R18"]


def test_a_battle_force_has_rank_limits_of_its_own(book: Rulebook) -> None:
    """R18: Recon up to 800, then standard; scouts of Imperial Remnant stand as corps."""
    tables = [rank_limits_for(book, size, "imperial-remnant") for size in (800, 801)]
    assert [table and table.format for table in tables] == ["recon", "standard"]
    recon = tables[0]
    assert recon
    remnant = army(PARAGON, TROOPERS, SCOUT, battle_force="imperial-remnant")
    assert rank_warnings(book, force(), remnant, recon) == []
    assert rank_warnings(book, force(), replace(remnant, battle_force=""), recon) == [
        "Imperial Remnant: at least 2 corps, the army has 1.",
        "Imperial Remnant: at most 0 special forces, the army has 1.",
    ]


def test_a_battle_deck_is_looked_at_where_there_is_one(book: Rulebook) -> None:
    mine = army(PARAGON, battle_deck=("surface-scan",))
    texts = [problem.text for problem in army_problems(book, force(), mine, SMALL)]
    assert "Surface Scan is a standard card; this battle is recon." in texts


def test_above_its_combat_potential_it_may_have_to_let_units_go_first(book: Rulebook) -> None:
    """R2, `above_potential`."""
    strict, over = house(book, above_potential="units_go"), force(combat_potential=100)
    points = -combat_potential_left(book, over)
    assert wrong(strict, army(PARAGON), start=over) == [
        Problem("R2", f"The Register is {points} points above its Combat Potential: let units go first.")
    ]
    assert wrong(book, army(PARAGON), start=over) == wrong(strict, army(PARAGON)) == []
