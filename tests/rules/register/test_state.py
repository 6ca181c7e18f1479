"""The sum of effects: what each one does to a Register, and that it does nothing else."""

from dataclasses import fields, replace
from typing import Any

import pytest

from rules.register import effects as e
from rules.register.state import Dossier, Field, RegisterState, Trait, apply, replay
from tests.rules.build import OTHERS, PARAGON, TROOPERS, change, state, without


def unit(**changes: Any) -> RegisterState:
    """The Register with one unit changed."""
    return change(state(), TROOPERS, **changes)


TWICE = ("battle-fatigue", "downtrodden", "battle-fatigue")

#: A Register, an effect, and the fields of the Register that are another after it.
CASES: list[tuple[RegisterState, e.Effect, dict[str, Any]]] = [
    (
        RegisterState(),
        e.RegisterOpened(combat_potential=600, supply_points=5, reputation=1, rule="R1"),
        {"combat_potential": 600, "supply_points": 5, "reputation": 1},
    ),
    (state(), e.FactionChosen(faction="rebel", rule="R3"), {"faction": "rebel"}),
    (state(), e.RegisterNamed(name="Dawn", rule="R10"), {"name": "Dawn"}),
    (
        state(commissioned=False, requests={"active-recruiting": 1}),
        e.RegisterCommissioned(rule="R4"),
        {"commissioned": True, "requests": {}},
    ),
    (state(commissioned=False), e.RegisterDiscarded(rule="R10"), {"discarded": True}),
    (
        state(agendas={"keep-them-in-line": 2}),
        e.StoryArcBegun(story_arc="a-pirates-life", rule="R49"),
        {"story_arc": "a-pirates-life", "agendas": {}, "arcs_ended": 1},
    ),
    (
        state(commissioned=False),
        e.StoryArcBegun(story_arc="a-pirates-life", rule="R49"),
        {"story_arc": "a-pirates-life"},
    ),
    (
        state(arcs_ended=3, saga_complete=True),
        e.StoryArcBegun(story_arc="a-pirates-life", rule="R49"),
        {"story_arc": "a-pirates-life", "saga_complete": False},
    ),
    (state(arcs_ended=2), e.SagaCompleted(arcs=3, rule="R49"), {"arcs_ended": 3, "saga_complete": True}),
    (state(), e.SupplyPointsGained(amount=2, rule="R30"), {"supply_points": 7}),
    (state(), e.SupplyPointsSpent(amount=5, rule="R41"), {"supply_points": 0}),
    (state(), e.CombatPotentialRaised(amount=150, rule="R41"), {"combat_potential": 1150}),
    (state(reputation=1), e.ReputationGained(amount=1, rule="R48"), {"reputation": 2}),
    (
        state(agendas={"keep-them-in-line": 1, "gather-intelligence": 1}),
        e.AgendaProgressed(agenda="keep-them-in-line", amount=2, rule="R25"),
        {"agendas": {"keep-them-in-line": 3, "gather-intelligence": 1}, "in_field": Field("b1", "", 2)},
    ),
    (
        state(in_field=None),
        e.AgendaProgressed(agenda="keep-them-in-line", amount=1, rule="R25"),
        {"agendas": {"keep-them-in-line": 1}},
    ),
    (
        state(assets=("medevac",)),
        e.AssetGained(asset="combat-drop", rule="R43"),
        {"assets": ("medevac", "combat-drop")},
    ),
    (
        state(assets=("medevac", "combat-drop", "medevac")),
        e.AssetUsedUp(asset="medevac", rule="R47"),
        {"assets": ("combat-drop", "medevac")},
    ),
    (
        state(requests={"request-strategic-asset": 1}),
        e.AidRequested(request="request-strategic-asset", asset="medevac", rule="R41"),
        {"requests": {"request-strategic-asset": 2, "medevac": 1}},
    ),
    (state(), e.AidRequested(request="reassign-unit", rule="R41"), {"requests": {"reassign-unit": 1}}),
    (
        state(),
        e.UnitAdded(unit="8", card="at-st", name="Shade", faction="empire", affiliation="pyke", rule="R29"),
        {"dossiers": {**state().dossiers, "8": Dossier("8", "at-st", "Shade", "empire", "pyke")}, "next_key": 9},
    ),
    (
        state(next_key=20),
        e.UnitAdded(unit="8", card="at-st", rule="R10"),
        {"dossiers": {**state().dossiers, "8": Dossier("8", "at-st")}},
    ),
    (state(), e.ParagonChosen(unit=TROOPERS, rule="R6"), {"paragon": TROOPERS}),
    (state(), e.UnitNamed(unit=TROOPERS, name="Ghosts", rule="R9"), {"dossiers": unit(name="Ghosts").dossiers}),
    (
        unit(upgrades=("stormtrooper",)),
        e.UpgradeAdded(unit=TROOPERS, upgrade="tenacity", rule="R8"),
        {"dossiers": unit(upgrades=("stormtrooper", "tenacity")).dossiers},
    ),
    (
        unit(upgrades=("stormtrooper",)),
        e.UpgradeAdded(unit=TROOPERS, upgrade="tenacity", by_commendation=True, rule="R8"),
        {"dossiers": unit(upgrades=("stormtrooper", "tenacity"), by_commendation=("tenacity",)).dossiers},
    ),
    (
        state(),
        e.UnitFell(unit=TROOPERS, rule="R35"),
        {"dossiers": without(state(), TROOPERS).dossiers, "fallen": {TROOPERS: state().dossiers[TROOPERS]}},
    ),
    (
        state(reassigned={OTHERS: Dossier(OTHERS, "at-st")}),
        e.UnitReassigned(unit=TROOPERS, rule="R46"),
        {
            "dossiers": without(state(), TROOPERS).dossiers,
            "reassigned": {OTHERS: Dossier(OTHERS, "at-st"), TROOPERS: state().dossiers[TROOPERS]},
        },
    ),
    (
        unit(experience=3),
        e.ExperienceGained(unit=TROOPERS, amount=2, lost=5, rule="R39"),
        {"dossiers": unit(experience=5).dossiers},
    ),
    (
        unit(owed=1),
        e.VeteranRankReached(unit=TROOPERS, veteran_rank=2, rule="R12"),
        {"dossiers": unit(veteran_rank=2, owed=2).dossiers},
    ),
    (
        state(),
        e.VeteranRankReached(unit=PARAGON, veteran_rank=1, rule="R12"),
        {"dossiers": change(state(), PARAGON, veteran_rank=1, owed=1).dossiers, "command_cards_owed": 1},
    ),
    (unit(owed=1), e.CommendationOwed(unit=TROOPERS, rule="R29"), {"dossiers": unit(owed=2).dossiers}),
    (state(), e.CommendationOwed(unit=PARAGON, rule="R29"), {"dossiers": change(state(), PARAGON, owed=1).dossiers}),
    (
        unit(owed=2, commendations=("resilient",)),
        e.CommendationAwarded(unit=TROOPERS, commendation="recon-badge", rule="R15"),
        {"dossiers": unit(owed=1, commendations=("resilient", "recon-badge")).dossiers},
    ),
    (
        unit(owed=1, keywords=("Hunted",)),
        e.CommendationAwarded(unit=TROOPERS, commendation="x", keyword="Agile 1", rule="R15"),
        {"dossiers": unit(commendations=("x",), keywords=("Hunted", "Agile 1")).dossiers},
    ),
    (unit(owed=1), e.CommendationWaived(unit=TROOPERS, rule="R15"), {"dossiers": unit().dossiers}),
    (
        state(command_cards_owed=2, command_cards=("a",)),
        e.CommandCardUnlocked(command_card="b", rule="R16"),
        {"command_cards_owed": 1, "command_cards": ("a", "b")},
    ),
    (state(command_cards_owed=2), e.CommandCardDeclined(rule="R16"), {"command_cards_owed": 1}),
    (unit(training=1), e.MaximumVeteranRankRaised(unit=TROOPERS, rule="R44"), {"dossiers": unit(training=2).dossiers}),
    (
        unit(setbacks=("downtrodden",)),
        e.SetbackGained(unit=TROOPERS, setback="downtrodden", rule="R36"),
        {"dossiers": unit(setbacks=("downtrodden", "downtrodden")).dossiers},
    ),
    (
        unit(setbacks=TWICE),
        e.SetbackRemoved(unit=TROOPERS, setback="battle-fatigue", rule="R42"),
        {"dossiers": unit(setbacks=("downtrodden", "battle-fatigue")).dossiers},
    ),
    (
        unit(keywords=("Hunted",)),
        e.KeywordGained(unit=TROOPERS, keyword="Hunted", rule="R29"),
        {"dossiers": unit(keywords=("Hunted", "Hunted")).dossiers},
    ),
    (
        unit(keywords=("Hunted", "Compel", "Hunted")),
        e.KeywordLost(unit=TROOPERS, keyword="Hunted", rule="R29"),
        {"dossiers": unit(keywords=("Compel",)).dossiers},
    ),
    (
        state(trait=Trait("unsure", 1)),
        e.TraitGained(trait="greedy", games=2, rule="R37"),
        {"trait": Trait("greedy", 2, fresh=True)},
    ),
    (state(in_field=None), e.TraitGained(trait="greedy", games=2, rule="R37"), {"trait": Trait("greedy", 2)}),
    (
        state(trait=Trait("greedy", 2)),
        e.TraitCountedDown(trait="greedy", games_left=1, rule="R37"),
        {"trait": Trait("greedy", 1)},
    ),
    (state(trait=Trait("greedy", 1)), e.TraitCountedDown(trait="greedy", games_left=0, rule="R37"), {"trait": None}),
    (
        state(in_field=None, requests={"active-recruiting": 1}),
        e.FieldTaken(battle="b2", trait="greedy", rule="R11"),
        {"in_field": Field("b2", "greedy"), "requests": {}},
    ),
    (state(), e.FieldLeft(rule="R11"), {"in_field": None}),
    (
        state(trait=Trait("greedy", 2, fresh=True)),
        e.FieldLeft(rule="R11"),
        {"trait": Trait("greedy", 2), "in_field": None},
    ),
    (
        state(trait=Trait("greedy", 2, fresh=True), requests={"active-recruiting": 1}),
        e.SequenceEnded(rule="R50"),
        {"trait": Trait("greedy", 2), "requests": {}, "in_field": None},
    ),
    (state(), e.SequenceEnded(rule="R50"), {"in_field": None}),
    (state(), e.Corrected(field="supply_points", old=5, new=3), {"supply_points": 3}),
    (state(), e.Corrected(unit=TROOPERS, field="experience", old=0, new=7), {"dossiers": unit(experience=7).dossiers}),
    (state(), e.DiceRolled(die="red_defense", faces=("block",), rule="R30"), {}),
    (state(), e.OrderTokensDrawn(ranks=("corps",), rule="R26"), {}),
    (state(), e.RivalNamed(rival="2", name="Hounds", rule="R39"), {}),
    (state(), e.Noted(rule="R51", why="skipped: conceded"), {}),
]


@pytest.mark.parametrize(
    ("before", "effect", "changes"), CASES, ids=[f"{type(case[1]).__name__}-{i}" for i, case in enumerate(CASES)]
)
def test_an_effect_changes_this_and_nothing_else(
    before: RegisterState, effect: e.Effect, changes: dict[str, Any]
) -> None:
    assert apply(before, effect) == replace(before, **changes)


def test_every_kind_of_effect_is_tried_above() -> None:
    assert {type(effect) for _, effect, _ in CASES} == set(e.KINDS.values())


def test_nothing_is_changed_in_place() -> None:
    for before, effect, _ in CASES:
        image = {field.name: repr(getattr(before, field.name)) for field in fields(RegisterState)}
        apply(before, effect)
        assert {name: repr(getattr(before, name)) for name in image} == image


def test_a_register_is_the_sum_of_what_happened_to_it() -> None:
    opened = e.RegisterOpened(combat_potential=600, supply_points=5, reputation=0, rule="R1")
    spent = e.SupplyPointsSpent(amount=1, rule="R41")
    assert replay([opened, spent]) == RegisterState(combat_potential=600, supply_points=4)
    assert replay([spent], replay([opened])) == replay([opened, spent])
    assert replay([]) == RegisterState()
