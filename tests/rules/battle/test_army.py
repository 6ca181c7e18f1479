"""An army for a battle (R17 to R20): points, and the tables of ranks by size."""

from dataclasses import replace

from rules.battle.army import Army, army_points, game_type, lent_points, rank_limits_for, reinforcements, unit_points
from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import Rulebook
from tests.rules.battle.fielding import VADER, lent
from tests.rules.build import PARAGON, SCOUT, TROOPERS, change, state


def test_reinforcements_are_50_points_for_each_point_of_reputation_behind() -> None:
    """R20."""
    assert [reinforcements(*both) for both in ((0, 0), (0, 1), (1, 4), (3, 1))] == [0, 50, 150, 0]


def test_a_fielded_unit_costs_its_cards_and_15_for_each_downtrodden(book: Rulebook) -> None:
    """R19."""
    start = change(
        state(), TROOPERS, upgrades=("dlt-19-stormtrooper", "stormtrooper"),
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
    start = change(state(), TROOPERS, upgrades=("stormtrooper",), setbacks=("downtrodden",))
    whole = Army(
        fielded={PARAGON: (), TROOPERS: ("stormtrooper", "ghost"), "99": ("tenacity",)},
        lent=(lent(book, "heroic-intervention", VADER),),
    )
    assert army_points(book, start, whole) == 55 + 42 + 8 + 15 + 170


def test_rank_tables_by_size(book: Rulebook) -> None:
    """R18: Recon up to 800 points, Standard above; 750 is the size after one Active Recruiting."""
    tables = [rank_limits_for(book, size) for size in (300, 750, 800, 801, 1600, 3000)]
    assert [table and table.name for table in tables] == [*["Recon"] * 3, *["Standard"] * 3]
    assert rank_limits_for(replace(book, rank_limits=()), 600) is None


def test_rank_tables_that_a_campaign_picks(book: Rulebook) -> None:
    """R18: Escalation and Grand Army hold only where they are picked; a battle force has its own."""
    picked = book.under(CampaignRules(rank_table="grand-army"))
    assert [rank_limits_for(picked, size) for size in (600, 1600)] == [book.rank_limits[3]] * 2
    remnant = "imperial-remnant"
    assert rank_limits_for(picked, 800, remnant) == book.battle_forces[remnant].ranks["recon"]


def test_recon_up_to_800() -> None:
    """R18."""
    assert [game_type(size) for size in (800, 801)] == ["Recon", "standard"]
