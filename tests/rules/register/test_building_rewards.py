"""Units that join by a reward."""

from dataclasses import replace
from functools import partial

from rules.core.rulebook import Rulebook
from rules.register.building import join_by_reward
from rules.register.effects import UnitAdded, UpgradeAdded
from tests.rules.build import PARAGON, broken, change
from tests.rules.register.joining import NEW, TANK, gun_of_the, short, spare

joined = partial(join_by_reward, rule="R29")


def test_a_unit_joins_by_a_reward_even_above_combat_potential(book: Rulebook) -> None:
    """Section 8: of any Faction's card, without a name; it takes over Faction and affiliation of the Paragon."""
    full = spare(combat_potential=444)
    assert joined(book, full, "a-a5-speeder-truck-rebel") == [
        UnitAdded(unit=NEW, card="a-a5-speeder-truck-rebel", faction="empire", rule="R29")
    ]


def test_it_takes_over_from_a_mercenary_paragon_that_it_has_no_faction(book: Rulebook) -> None:
    start = change(spare(), PARAGON, card="black-sun-vigo")
    assert joined(book, start, "tx-225-gavw-occupier-tank", name=" Tank ") == [
        UnitAdded(
            unit=NEW, card="tx-225-gavw-occupier-tank", name="Tank", faction="mercenary", affiliation="black sun",
            rule="R29",
        )
    ]  # fmt: skip


def test_without_a_paragon_it_takes_the_faction_of_the_register(book: Rulebook) -> None:
    assert joined(book, spare(paragon=""), "wlo-5-speeder-tank") == [
        UnitAdded(unit=NEW, card="wlo-5-speeder-tank", faction="empire", rule="R29")
    ]


def test_its_upgrades_are_as_on_any_joining_and_have_to_fit(book: Rulebook) -> None:
    """R2, R7, R8."""
    gun = gun_of_the(book, TANK)
    points = book.upgrades[gun].points
    room = spare(combat_potential=444 + 125 + points)
    assert joined(book, room, TANK, upgrades=[gun]) == [
        UnitAdded(unit=NEW, card=TANK, faction="empire", rule="R29"),
        UpgradeAdded(unit=NEW, upgrade=gun, rule="R7"),
    ]
    tight = replace(room, combat_potential=room.combat_potential - 1)
    assert broken(lambda: joined(book, tight, TANK, upgrades=[gun])) == ["R2"]
    assert broken(lambda: joined(book, room, TANK, upgrades=["emergency-transponder"])) == ["R7"]


def test_its_upgrades_wait_while_corps_units_are_owed(book: Rulebook) -> None:
    """R4: the unit costs nobody anything, an upgrade does."""
    gun = gun_of_the(book, TANK)
    assert broken(lambda: joined(book, short(1), TANK, upgrades=[gun])) == ["R4"]
    assert len(joined(book, short(1), TANK)) == 1


def test_unique_units_do_not_join_by_a_reward_either(book: Rulebook) -> None:
    """R5, and a name has its length."""
    assert broken(lambda: joined(book, spare(), "major-marquand-tempest-scout-2", name="x" * 81)) == [
        "R5", "R7",
    ]  # fmt: skip
