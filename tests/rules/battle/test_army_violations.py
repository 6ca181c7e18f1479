"""What an army may hold (R18 to R23): cards, points, ranks, battle forces."""

from dataclasses import replace

from rules.battle.army import Army, BattleSetup, army_violations, open_battle_forces, rank_limits_for, rank_warnings
from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation, raise_if_any
from rules.register.building import combat_potential_left
from tests.rules.battle.fielding import SMALL, VADER, army, lent, wrong
from tests.rules.build import OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, WALKER, broken, change, house, state

# --- What an army may hold -----------------------------------------------------------------------------------


def test_a_legal_army(book: Rulebook) -> None:
    start = change(state(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"))
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("stormtrooper",)}), start=start) == []
    assert [*army_violations(book, start, army(PARAGON), SMALL)] == []


def test_the_paragon_is_always_among_them(book: Rulebook) -> None:
    """R19."""
    assert wrong(book, army(TROOPERS)) == [Violation("R19", "The Paragon is always part of the army. Add it.", PARAGON)]
    assert broken(lambda: raise_if_any(army_violations(book, state(), army(TROOPERS), SMALL))) == ["R19"]


def test_only_dossiers_with_their_own_upgrades(book: Rulebook) -> None:
    """R19."""
    start = change(state(), TROOPERS, upgrades=("stormtrooper",))
    taken = {PARAGON: ("tenacity",), TROOPERS: ("stormtrooper", "stormtrooper"), "99": ()}
    assert wrong(book, Army(fielded=taken), start=start) == [
        Violation("R19", "Captain Sorne can use only upgrades of its own Dossier.", PARAGON),
        Violation("R19", "Grim Hounds can use only upgrades of its own Dossier.", TROOPERS),
        Violation("R19", "This unit is not on the Register.", "99"),
    ]


def test_a_nameless_unit_is_called_by_its_card(book: Rulebook) -> None:
    start = change(state(), TROOPERS, name="")
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("x",)}), start=start) == [
        Violation("R19", "Stormtroopers can use only upgrades of its own Dossier.", TROOPERS)
    ]


def test_an_upgrade_that_gives_a_slot_to_another_comes_along(book: Rulebook) -> None:
    """R8, R19."""
    start = change(state(), TROOPERS, upgrades=("stormtrooper-captain", "tenacity"))
    assert wrong(book, Army(fielded={PARAGON: (), TROOPERS: ("tenacity",)}), start=start) == [
        Violation(
            "R8",
            "Grim Hounds fields an upgrade without the one that gives it its slot. Choose both or neither.",
            TROOPERS,
        )
    ]
    both = {PARAGON: (), TROOPERS: ("tenacity", "stormtrooper-captain")}
    assert wrong(book, Army(fielded=both), start=start) == []


def test_points_fit_the_size_and_the_reinforcements(book: Rulebook) -> None:
    """R19, R20."""
    walkers = army(PARAGON, WALKER)
    assert wrong(book, walkers, setup=BattleSetup(size=200)) == []
    assert wrong(book, walkers, setup=BattleSetup(size=150, reinforcements=50)) == []
    assert wrong(book, walkers, setup=BattleSetup(size=199)) == [
        Violation("R19", "The army has 200 points, but only 199 are allowed. Remove units or upgrades.")
    ]
    assert wrong(book, walkers, setup=BattleSetup(size=149, reinforcements=50)) == [
        Violation("R19", "The army has 200 points, but only 199 are allowed. Remove units or upgrades."),
        Violation("R20", "The limit includes 50 points of reinforcements."),
    ]


def test_unique_cards_once_and_limited_ones_as_often_as_they_say(book: Rulebook) -> None:
    """R19: over all cards fielded."""
    start = state()
    for key in (PARAGON, TROOPERS, OTHERS, SNOW):
        start = change(start, key, upgrades=("hq-uplink", "trusted-agent"), commendations=("forward-patrol",))
    slots = ("command", "comms")
    open_book = replace(
        book,
        units={
            slug: replace(card, upgrade_slots=slots) if slug.endswith("troopers") or "officer" in slug else card
            for slug, card in book.units.items()
        },
    )
    thrice = {PARAGON: ("hq-uplink", "trusted-agent"), TROOPERS: ("hq-uplink",), OTHERS: ("hq-uplink",), SNOW: ()}
    assert wrong(open_book, Army(fielded=thrice), start=start) == [
        Violation("R19", "An army can have HQ Uplink at most twice, but this one has it 3 times.")
    ]
    twice = {PARAGON: ("hq-uplink", "trusted-agent"), TROOPERS: ("hq-uplink", "trusted-agent")}
    assert wrong(open_book, Army(fielded=twice), start=start) == [
        Violation("R19", "An army can have Trusted Agent at most once, but this one has it twice.")
    ]


def test_unique_cards_of_one_name_are_one_person(book: Rulebook) -> None:
    """R19: as commander, as operative or as an upgrade."""
    start = state(assets=("heroic-intervention", "request-assistance"), combat_potential=2000)
    both = army(
        PARAGON,
        assets=("heroic-intervention", "request-assistance"),
        lent=(
            lent(book, "heroic-intervention", VADER),
            lent(book, "request-assistance", "darth-vader-the-emperors-apprentice", key="L2"),
        ),
    )
    assert wrong(book, both, start=start) == [
        Violation("R19", "An army can have Darth Vader at most once, but this one has it twice.")
    ]


def test_units_that_are_unique_by_their_title_are_told_apart_by_it(book: Rulebook) -> None:
    """R19."""
    start = state(assets=("request-assistance",) * 2)
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


# --- Ranks ---------------------------------------------------------------------------------------------------


def test_ranks_outside_the_limits_are_warnings(book: Rulebook) -> None:
    """R18: they do not block."""
    recon = rank_limits_for(book, 600)
    assert recon
    start = change(state(), SCOUT, card="at-st")
    small = army(PARAGON, TROOPERS, SCOUT, WALKER, "99")
    assert rank_warnings(book, start, small, recon) == [
        "Recon: at least 2 corps (the army has 1).",
        "Recon: at most 1 heavy (the army has 2).",
    ]
    assert rank_warnings(book, state(), army(PARAGON, TROOPERS, OTHERS), recon) == []


def test_an_exempted_unit_does_not_count_against_the_maximum(book: Rulebook) -> None:
    """R21; lent units do count."""
    recon = rank_limits_for(book, 600)
    assert recon
    vader = lent(book, "heroic-intervention", VADER)
    two = army(PARAGON, TROOPERS, OTHERS, lent=(vader,))
    assert rank_warnings(book, state(), two, recon) == ["Recon: at most 1 commander (the army has 2)."]
    exempt = replace(two, lent=(vader, lent(book, "authorized-extraordinary-use", bearer="L1")))
    assert rank_warnings(book, state(), exempt, recon) == []
    corps = army(PARAGON, TROOPERS, OTHERS, lent=(lent(book, "authorized-extraordinary-use", bearer=OTHERS),))
    assert rank_warnings(book, state(), corps, recon) == []


def test_special_forces_in_words(book: Rulebook) -> None:
    recon = rank_limits_for(book, 600)
    assert recon
    start = state()
    for key in (SNOW, WALKER):
        start = change(start, key, card="scout-troopers")
    assert rank_warnings(book, start, army(PARAGON, TROOPERS, OTHERS, SCOUT, SNOW, WALKER), recon) == [
        "Recon: at most 2 special forces (the army has 3)."
    ]


# --- Battle force and Battle Deck ----------------------------------------------------------------------------


def test_a_battle_force_of_the_register_s_own_faction(book: Rulebook) -> None:
    open_to_all = {item.slug for item in open_battle_forces(book, "empire")}
    assert open_to_all == {"blizzard-force", "imperial-remnant", "stormtrooper-battalion", "tempest-force"}
    mine = army(PARAGON, battle_force="tempest-force")
    other = army(PARAGON, battle_force="echo-base-defenders")
    assert list(army_violations(book, state(), mine, SMALL)) == []
    assert list(army_violations(book, state(), other, SMALL)) == [
        Violation("R18", "Choose a battle force of the Register’s Faction, or none.", "battle_force")
    ]


def test_only_the_battle_forces_of_the_campaign_may_be_named(book: Rulebook) -> None:
    """Those that the campaign rules name, if they name any."""
    narrow = book.under(CampaignRules(battle_forces=("tempest-force", "echo-base-defenders")))
    assert [item.slug for item in open_battle_forces(narrow, "empire")] == ["tempest-force"]
    other = army(PARAGON, battle_force="blizzard-force")
    assert [violation.rule for violation in army_violations(narrow, state(), other, SMALL)] == ["R18"]


def test_a_battle_force_has_rank_limits_of_its_own(book: Rulebook) -> None:
    """R18: Recon up to 800, then standard; scouts of Imperial Remnant stand as corps."""
    tables = [rank_limits_for(book, size, "imperial-remnant") for size in (800, 801)]
    assert [table and table.format for table in tables] == ["recon", "standard"]
    recon = tables[0]
    assert recon
    remnant = army(PARAGON, TROOPERS, SCOUT, battle_force="imperial-remnant")
    assert rank_warnings(book, state(), remnant, recon) == []
    assert rank_warnings(book, state(), replace(remnant, battle_force=""), recon) == [
        "Imperial Remnant: at least 2 corps (the army has 1).",
        "Imperial Remnant: at most 0 special forces (the army has 1).",
    ]


def test_a_battle_deck_is_looked_at_where_there_is_one(book: Rulebook) -> None:
    mine = army(PARAGON, battle_deck=("surface-scan",))
    texts = [violation.text for violation in army_violations(book, state(), mine, SMALL)]
    assert "Surface Scan is a standard card, but this battle is recon. Choose another card." in texts


def test_above_its_combat_potential_it_may_have_to_let_units_go_first(book: Rulebook) -> None:
    """R2, `above_potential`."""
    strict, over = house(book, above_potential="units_go"), state(combat_potential=100)
    points = -combat_potential_left(book, over)
    assert wrong(strict, army(PARAGON), start=over) == [
        Violation("R2", f"The Register is {points} points above its Combat Potential. Dismiss units first.")
    ]
    assert wrong(book, army(PARAGON), start=over) == wrong(strict, army(PARAGON)) == []
