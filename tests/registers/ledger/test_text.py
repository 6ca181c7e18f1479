"""A sentence for everything that can happen."""

import pytest

from registers.ledger.text import _SAY, SENTENCES, names_of, sentence
from registers.projection import state_of
from rules.register import effects as e

NAMES = {"1": "Captain Sorne", "2": "Grim Hounds"}

SAID = [
    (
        e.RegisterOpened(combat_potential=600, supply_points=5, reputation=0, rule="R1"),
        "Register started with 600 Combat Potential, 5 SP and Reputation 0",
    ),
    (e.FactionChosen(faction="empire", rule="R3"), "Faction: Empire"),
    (e.RegisterNamed(name="Ashen Patrol", rule="R10"), "Register named Ashen Patrol"),
    (e.RegisterCommissioned(rule="R4"), "Register created"),
    (e.RegisterDiscarded(rule="R10"), "Draft deleted"),
    (
        e.StoryArcBegun(story_arc="bring-peace-to-the-galaxy", rule="R10"),
        "Story Arc started: Bring Peace to the Galaxy",
    ),
    (e.SupplyPointsGained(amount=2, rule="R30", why="after the battle"), "+2 SP (after the battle)"),
    (e.SupplyPointsSpent(amount=1, rule="R41", why="Active Recruiting"), "−1 SP (Active Recruiting)"),
    (e.CombatPotentialRaised(amount=150, rule="R41"), "+150 Combat Potential"),
    (e.ReputationGained(amount=1, rule="R48"), "+1 Reputation"),
    (
        e.AgendaProgressed(agenda="keep-them-in-line", amount=2, rule="R25"),
        "Agenda Keep Them in Line progressed 2 times",
    ),
    (e.AssetGained(asset="medevac", rule="R43"), "Received Medevac"),
    (e.AssetUsedUp(asset="medevac", rule="R47"), "Used up Medevac"),
    (e.AidRequested(request="active-recruiting", rule="R41"), "Aid: Active Recruiting"),
    (
        e.AidRequested(request="request-strategic-asset", asset="medevac", rule="R41"),
        "Aid: Request Strategic Asset (Medevac)",
    ),
    (e.UnitAdded(unit="2", card="stormtroopers", rule="R10"), "Stormtroopers added"),
    (e.UnitAdded(unit="2", card="dewback-rider", rule="R10"), "Dewback Rider added"),
    (e.UnitAdded(unit="2", card="stormtroopers", name="Grim Hounds", rule="R10"), "Grim Hounds (Stormtroopers) added"),
    (e.ParagonChosen(unit="1", rule="R6"), "Captain Sorne became the Paragon"),
    (e.UnitNamed(unit="2", name="Grim Hounds", rule="R9"), "Unit named Grim Hounds"),
    (e.UpgradeAdded(unit="2", upgrade="duck-and-cover", rule="R7"), "Grim Hounds: upgrade Duck and Cover"),
    (
        e.UpgradeAdded(unit="2", upgrade="duck-and-cover", by_commendation=True, rule="R8"),
        "Grim Hounds: upgrade Duck and Cover (slot from a Commendation)",
    ),
    (e.UnitFell(unit="2", rule="R35"), "Grim Hounds: casualty, now among the fallen"),
    (e.UnitReassigned(unit="2", rule="R46"), "Grim Hounds: reassigned"),
    (e.ExperienceGained(unit="2", amount=2, rule="R39", why="took part"), "Grim Hounds: +2 Experience (took part)"),
    (e.ExperienceGained(unit="2", amount=1, lost=2, rule="R13"), "Grim Hounds: +1 Experience, 2 lost at the maximum"),
    (e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"), "Grim Hounds: reached Veteran Rank 1"),
    (e.CommendationOwed(unit="2", rule="R15"), "Grim Hounds: one more Commendation to choose"),
    (e.CommendationAwarded(unit="2", commendation="resilient", rule="R15"), "Grim Hounds: awarded Resilient"),
    (
        e.CommendationAwarded(unit="2", commendation="resilient", keyword="Aim 1", rule="R15"),
        "Grim Hounds: awarded Resilient with Aim 1",
    ),
    (e.CommendationWaived(unit="2", rule="R15"), "Grim Hounds: Commendation skipped"),
    (
        e.CommandCardUnlocked(command_card="no-such-card", rule="R16"),
        "The Paragon unlocked the Command Card no such card",
    ),
    (e.CommandCardDeclined(rule="R16"), "The Paragon declined a Command Card"),
    (e.MaximumVeteranRankRaised(unit="2", rule="R44"), "Grim Hounds: maximum Veteran Rank +1"),
    (e.SetbackGained(unit="2", setback="battle-shaken", rule="R36"), "Grim Hounds: Setback Battle-Shaken"),
    (
        e.SetbackRemoved(unit="2", setback="battle-shaken", rule="R42", why="a block"),
        "Grim Hounds: lost the Setback Battle-Shaken (a block)",
    ),
    (e.KeywordGained(unit="2", keyword="Aim 1", rule="R26"), "Grim Hounds: gained Aim 1"),
    (e.KeywordLost(unit="2", keyword="Aim 1", rule="R26"), "Grim Hounds: lost Aim 1"),
    (
        e.TraitGained(trait="tunnel-vision", games=2, rule="R37"),
        "The Paragon's Defining Trait for 2 games: Tunnel Vision",
    ),
    (e.TraitCountedDown(trait="tunnel-vision", games_left=1, rule="R37"), "Tunnel Vision lasts 1 more game"),
    (e.TraitCountedDown(trait="tunnel-vision", games_left=0, rule="R37"), "The Paragon overcame Tunnel Vision"),
    (e.FieldTaken(battle="7", rule="R11"), "Entered the battle"),
    (e.FieldLeft(rule="R11"), "Left the canceled battle"),
    (e.SequenceEnded(rule="R50"), "Post-Battle Sequence finished"),
    (e.DiceRolled(die="red_defense", faces=("block",), rule="R30", why="supplies"), "Supplies"),
    (e.DiceRolled(die="red_defense", faces=("block",), rule="R30"), "Red defense"),
    (
        e.DiceRolled(unit="2", die="black_attack", faces=("hit",), rule="R31", why="Setback"),
        "Grim Hounds: Setback roll",
    ),
    (e.RivalNamed(rival="3", name="Dune Lords", rule="R39"), "Most Feared Rival: Dune Lords"),
    (e.RivalNamed(rule="R39"), "No Most Feared Rival"),
    (
        e.OrderTokensDrawn(ranks=("special-forces", "corps"), rule="R26", why="Small Victories"),
        "Order tokens drawn: special forces, corps (Small Victories)",
    ),
    (e.SagaCompleted(arcs=3, rule="R49"), "All Story Arcs complete, after 3 Story Arcs"),
    (e.Corrected(unit="2", field="experience", old=12, new=9), "Experience of Grim Hounds corrected from 12 to 9"),
    (e.Noted(rule="R51", why="skipped: conceded"), "Skipped: conceded"),
    (e.Noted(unit="2", rule="R35", why="saved by a Medevac"), "Grim Hounds: saved by a Medevac"),
]


@pytest.mark.parametrize(("effect", "expected"), SAID, ids=[expected for _, expected in SAID])
def test_said(book, effect, expected):
    assert sentence(effect, NAMES, book) == expected


def test_everything_that_can_happen_is_said():
    assert sorted([*SENTENCES["effects"], *(kind.__name__ for kind in _SAY)]) == sorted(e.KINDS)
    assert set(e.KINDS.values()) == {type(effect) for effect, _ in SAID}


def test_a_unit_whose_joining_was_undone(book):
    assert sentence(e.UnitReassigned(unit="9", rule="R46"), NAMES, book) == "Unit 9: reassigned"


def test_names(book, founded):
    assert names_of(book, state_of(founded)) == {
        "1": "Captain Sorne",
        "2": "Stormtroopers (no. 2)",
        "3": "Stormtroopers (no. 3)",
    }
