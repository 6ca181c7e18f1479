"""A plain army of the core rules."""

from dataclasses import replace

import pytest

from rules.battle.command_hand import playable
from rules.battle.plain_army import (
    BATTLE_FORCE,
    COMMAND_HAND,
    FACTIONS,
    POINTS,
    RANKS,
    UPGRADES,
    PlainArmy,
    PlainUnit,
    faction_of,
    fielded,
    mercenary_forces,
    notes,
    plain_army_violations,
    points,
)
from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from tests.rules.battle.decks import RECON as DECK
from tests.rules.battle.plain_armies import HAND, OFFICER, SNOW, STORM

VADER = "darth-vader-dark-lord-of-the-sith"
REBELS = PlainUnit("rebel-troopers")
CAPO, PYKES, SUNS = "pyke-syndicate-capo", "pyke-syndicate-foot-soldiers", "black-sun-enforcers"
ARMY = PlainArmy(faction="empire", size=600, units=(OFFICER, STORM, STORM))


def wrong(book: Rulebook, army: PlainArmy) -> list[Violation]:
    return list(plain_army_violations(book, army))


def with_units(*units: PlainUnit, **words: object) -> PlainArmy:
    return replace(ARMY, units=(*ARMY.units, *units), **words)  # type: ignore[arg-type]


def test_a_legal_army(book: Rulebook) -> None:
    assert wrong(book, ARMY) == []
    assert points(book, ARMY) == 55 + book.upgrades["academy-trained"].points + 2 * book.units[STORM.card].points


def test_the_command_cards_of_an_army(book: Rulebook) -> None:
    """Those of Darth Vader only with him."""
    hands = [
        {card.slug for card in playable(book, fielded(book, army))} for army in (ARMY, with_units(PlainUnit(VADER)))
    ]
    assert ["implacable" in hand for hand in hands] == [False, True]
    assert set(HAND) <= hands[0]


def test_everything_wrong_at_once(book: Rulebook) -> None:
    army = replace(ARMY, size=100, units=(PlainUnit(VADER), REBELS))
    assert {violation.rule for violation in wrong(book, army)} == {FACTIONS, POINTS, RANKS}


def test_cards_that_there_are_not(book: Rulebook) -> None:
    army = with_units(PlainUnit("x"), replace(STORM, upgrades=("y",), counterpart="z"), battle_force="w")
    assert wrong(book, army) == [
        Violation(BATTLE_FORCE, "This battle force does not exist. Choose another one.", "w"),
        Violation(FACTIONS, "This unit card does not exist. Choose another one.", "3"),
        Violation(UPGRADES, "This upgrade card does not exist. Choose another one.", "4"),
        Violation(FACTIONS, "This counterpart does not belong to this unit.", "4"),
    ]


def test_a_loadout_costs_nothing_and_needs_its_keyword(book: Rulebook) -> None:
    """TR lists upgrades that Loadout sets aside apart from the total (E8)."""
    army = with_units(replace(STORM, loadout=("hq-uplink",)))
    assert points(book, army) == points(book, with_units(STORM))
    assert wrong(book, army) == [Violation(UPGRADES, "Stormtroopers does not have the keyword Loadout.", "3")]
    unknown = with_units(replace(STORM, loadout=("y",)))
    assert wrong(book, unknown)[0] == Violation(UPGRADES, "This upgrade card does not exist. Choose another one.", "3")


# --- Factions ------------------------------------------------------------------------------------------------


def test_units_of_one_faction_and_mercenaries_who_serve_it(book: Rulebook) -> None:
    assert wrong(book, with_units(PlainUnit(SUNS))) == []
    assert wrong(book, with_units(PlainUnit("ewok-slingers"), REBELS)) == [
        Violation(FACTIONS, "Ewok Slingers cannot join an army of the Faction Empire.", "3"),
        Violation(FACTIONS, "Rebel Troopers cannot join an army of the Faction Empire.", "4"),
    ]


def test_the_faction_of_an_army_that_names_none(book: Rulebook) -> None:
    unnamed = replace(ARMY, faction="")
    assert (faction_of(book, unnamed), wrong(book, unnamed)) == ("empire", [])
    assert faction_of(book, replace(unnamed, battle_force="tempest-force", units=())) == "empire"
    mixed = replace(unnamed, units=(*ARMY.units, REBELS))
    assert faction_of(book, mixed) == ""
    assert wrong(book, mixed) == [
        Violation(FACTIONS, "All units of an army must share one Faction. These are empire, rebel.", "faction")
    ]
    hired = PlainArmy(units=(PlainUnit("black-sun-vigo"), PlainUnit(SUNS), PlainUnit(SUNS)))
    assert wrong(book, hired) == [
        Violation(FACTIONS, "All units of an army must share one Faction. These have none.", "faction")
    ]


def test_mercenaries_alone_fight_as_a_battle_force(book: Rulebook) -> None:
    units = (PlainUnit(CAPO), PlainUnit(PYKES), PlainUnit(PYKES), PlainUnit(SUNS))
    army = PlainArmy(faction="mercenary", battle_force="shadow-collective", size=600, units=units)
    assert wrong(book, army) == []
    assert Violation(FACTIONS, "Mercenaries need a Faction that hires them, or a battle force.", "faction") in wrong(
        book, replace(army, battle_force="")
    )


# --- Points and ranks ----------------------------------------------------------------------------------------


def test_points_to_the_last(book: Rulebook) -> None:
    there = points(book, ARMY)
    assert wrong(book, replace(ARMY, size=there)) == []
    assert wrong(book, replace(ARMY, size=there - 1)) == [
        Violation(POINTS, f"The cards cost {there} points, but only {there - 1} are allowed.")
    ]
    assert wrong(book, replace(ARMY, size=0)) == []


@pytest.mark.parametrize(
    ("size", "texts"),
    [
        (600, ["Recon: at most 4 corps (the army has 5)."]), (800, []), (1000, []),
        (1600, ["Grand Army: at least 6 corps (the army has 5)."]),
    ],
)  # fmt: skip
def test_ranks_by_size(book: Rulebook, size: int, texts: list[str]) -> None:
    army = with_units(STORM, STORM, STORM, size=size)
    assert wrong(book, army) == [Violation(RANKS, text) for text in texts]


def test_ranks_are_not_looked_at_without_a_table(book: Rulebook) -> None:
    assert wrong(replace(book, rank_limits=()), replace(ARMY, units=())) == []


# --- Upgrades ------------------------------------------------------------------------------------------------


def test_slots_restrictions_and_one_of_each(book: Rulebook) -> None:
    units = (
        replace(STORM, upgrades=("axe-ewok",)),
        replace(STORM, upgrades=("imperial-comms-technician", "imperial-comms-technician")),
    )
    assert [(violation.rule, violation.about, violation.text) for violation in wrong(book, with_units(*units))] == [
        (UPGRADES, "3", "Stormtroopers cannot take Axe Ewok."),
        (UPGRADES, "4", "Stormtroopers already has Imperial Comms Technician."),
        (UPGRADES, "4", "Stormtroopers has no free slot for this (personnel)."),
    ]


def test_compulsory_upgrades(book: Rulebook) -> None:
    assert wrong(book, replace(ARMY, units=(replace(OFFICER, upgrades=()), STORM, STORM))) == [
        Violation(UPGRADES, "Imperial Officer needs a Doctrine upgrade.", "0")
    ]


def test_unique_cards_once_over_the_whole_army(book: Rulebook) -> None:
    army = replace(ARMY, size=1000, units=(PlainUnit(VADER), PlainUnit(VADER), STORM, STORM, STORM))
    assert wrong(book, army) == [
        Violation(UPGRADES, "An army can have Darth Vader at most once, but this one has it twice.")
    ]


def test_cards_that_cannot_be_had(book: Rulebook) -> None:
    old = replace(book.units["snowtroopers"], retired=True)
    gone = replace(book, units={**book.units, old.slug: old})
    assert wrong(gone, with_units(SNOW)) == [Violation(FACTIONS, "Snowtroopers is no longer in the catalogue.", "3")]
    card = next(card for card in book.upgrades.values() if card.release and card.type == "command")
    found = wrong(book, with_units(replace(OFFICER, upgrades=("academy-trained", card.slug))))
    assert Violation(UPGRADES, f"{card.full_name} is not released yet ({card.release}).", "3") in found
    assert not [
        violation
        for violation in wrong(
            book.under(CampaignRules(unreleased=True)),
            with_units(replace(OFFICER, upgrades=("academy-trained", card.slug))),
        )
        if "released" in violation.text
    ]


def test_a_counterpart_comes_with_its_unit_and_costs_its_points(book: Rulebook) -> None:
    iden = PlainUnit(
        "iden-versio-inferno-squad-leader", (), "idens-id10-seeker-droid", ("hq-uplink",)
    )  # fmt: skip
    army = replace(ARMY, units=(iden, STORM, STORM))
    assert wrong(book, army) == []
    assert points(book, army) == sum(
        card.points
        for card in (
            book.units[iden.card], book.counterparts[iden.counterpart].card, book.upgrades["hq-uplink"],
            book.units[STORM.card], book.units[STORM.card],
        )
    )  # fmt: skip
    assert wrong(book, replace(ARMY, units=(replace(OFFICER, counterpart="grogu"), STORM, STORM))) == [
        Violation(FACTIONS, "This counterpart does not belong to this unit.", "0")
    ]


# --- Battle forces -------------------------------------------------------------------------------------------

REMNANT = replace(
    ARMY,
    battle_force="imperial-remnant",
    units=(OFFICER, STORM, PlainUnit("shoretroopers"), PlainUnit("imperial-death-troopers")),
)


def test_units_stand_at_the_rank_of_their_battle_force(book: Rulebook) -> None:
    """Imperial Remnant holds no special forces; Death Troopers are its corps."""
    assert wrong(book, REMNANT) == []
    many = replace(REMNANT, units=(*REMNANT.units, *[PlainUnit("imperial-death-troopers")] * 2), size=800)
    assert wrong(book, many) == [Violation(RANKS, "Imperial Remnant: at most 4 corps (the army has 5).")]


def test_only_units_of_the_battle_force(book: Rulebook) -> None:
    assert wrong(book, replace(REMNANT, units=(*REMNANT.units, SNOW))) == [
        Violation(BATTLE_FORCE, "Snowtroopers is not in Imperial Remnant.", "4")
    ]


def test_so_many_of_a_unit(book: Rulebook) -> None:
    assert wrong(book, replace(REMNANT, units=(OFFICER, STORM, STORM, STORM))) == [
        Violation(BATTLE_FORCE, "At least 1 Shoretroopers (the army has 0)."),
        Violation(BATTLE_FORCE, "At most 2 Stormtroopers (the army has 3)."),
    ]


def test_commanders_and_operatives_together(book: Rulebook) -> None:
    agent = PlainUnit("imperial-agent-bringing-order-to-the-galaxy", ("platoon-commander",))
    units = (OFFICER, replace(OFFICER, upgrades=("defend-in-depth",)), agent, *REMNANT.units[1:])
    found = wrong(book, replace(REMNANT, units=units))
    text = "Imperial Remnant: at most 2 commanders and operatives in total (the army has 3)."
    assert found == [Violation(RANKS, text)]


def test_a_battle_force_of_the_army_s_own_faction(book: Rulebook) -> None:
    found = wrong(book, replace(REMNANT, faction="rebel"))
    assert Violation(FACTIONS, "Imperial Remnant is only for the Faction Empire.", "faction") in found


def test_unique_and_barred_upgrades_of_a_battle_force(book: Rulebook) -> None:
    officer = replace(OFFICER, upgrades=("academy-trained", "vigilance"))
    assert wrong(book, replace(REMNANT, units=(officer, *REMNANT.units[1:]))) == []
    battle_force = book.battle_forces["imperial-remnant"]
    barred = replace(battle_force, barred=frozenset({"vigilance"}), unique_upgrades=frozenset())
    strict = replace(book, battle_forces={**book.battle_forces, battle_force.slug: barred})
    found = wrong(strict, replace(REMNANT, units=(officer, *REMNANT.units[1:])))
    assert {(violation.rule, violation.about, violation.text) for violation in found} == {
        (BATTLE_FORCE, "0", f"{book.upgrades[slug].full_name} is not in Imperial Remnant.") for slug in officer.upgrades
    }


def test_special_issue_keeps_a_unit_in_its_battle_force(book: Rulebook) -> None:
    major = next(unit for unit in book.units.values() if "Special Issue: Tempest Force" in unit.keywords)
    found = wrong(book, replace(ARMY, size=1000, units=(*ARMY.units, STORM, PlainUnit(major.slug))))
    text = f"{major.full_name} can join only the battle force Tempest Force."
    assert Violation(BATTLE_FORCE, text, "4") in found


# --- Command Hand and Battle Deck ----------------------------------------------------------------------------


def test_a_hand_and_a_deck_are_looked_at_where_there_are_any(book: Rulebook) -> None:
    army = replace(ARMY, command_cards=HAND, battle_cards=tuple(DECK))
    assert wrong(book, army) == []
    assert wrong(book, replace(ARMY, command_cards=("ambush",), battle_cards=("surface-scan",)))[:3] == [
        Violation(COMMAND_HAND, "A Command Hand has 2 cards of 1 pip. This one has 1.", "pips-1"),
        Violation(COMMAND_HAND, "A Command Hand has 2 cards of 2 pips. This one has 0.", "pips-2"),
        Violation(COMMAND_HAND, "A Command Hand has 2 cards of 3 pips. This one has 0.", "pips-3"),
    ]


def test_cards_of_the_hand_look_at_battle_force_and_counterparts(book: Rulebook) -> None:
    text = "Drive Them Out is only for the battle force Tempest Force."
    violation = Violation(COMMAND_HAND, text, "drive-them-out")
    assert violation in wrong(book, replace(ARMY, command_cards=("drive-them-out",)))
    tempest = replace(ARMY, battle_force="tempest-force", command_cards=("drive-them-out",))
    assert violation not in wrong(book, tempest)
    din = PlainUnit("din-djarin-the-mandalorian", (), "grogu")
    needs = Violation(COMMAND_HAND, "The Hand Thing needs Grogu in the army.", "the-hand-thing")
    for unit, expected in ((din, False), (replace(din, counterpart=""), True)):
        army = PlainArmy(faction="rebel", units=(unit,), command_cards=("the-hand-thing",))
        assert (needs in wrong(book, army)) is expected


# --- What the check cannot know ------------------------------------------------------------------------------


def test_keywords_of_army_building_and_sheets_are_named(book: Rulebook) -> None:
    assert notes(book, ARMY) == []
    krennic = PlainUnit("director-orson-krennic-architect-of-terror")
    assert notes(book, replace(REMNANT, units=(krennic, *REMNANT.units))) == [
        "Imperial Remnant has its own rules. Check its sheet.",
        "Director Orson Krennic: Entourage: Imperial Death Troopers affects army building. Check its card.",
    ]


def test_battle_forces_of_mercenaries_alone(book):
    known = {slug: replace(each, retired=False) for slug, each in book.battle_forces.items()}
    retired = {slug: replace(each, retired=True) for slug, each in book.battle_forces.items()}
    assert mercenary_forces(replace(book, battle_forces=known)) == "Shadow Collective, The Ohnaka Gang"
    assert mercenary_forces(replace(book, battle_forces=retired)) == ""
