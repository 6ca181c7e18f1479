"""Laws that hold for every Register, whatever happens to it: random campaigns, random answers, any number of them."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bench.simulation import SimulatedSide, Supply, answer, battle, found
from rules.core.campaign_rules import SWITCHES
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Await, Context, Progress, Question, run
from rules.post_battle.steps import STEPS, gains_of_the_game, take_the_field
from rules.register.building import combat_potential_left, corps_owed, must_add_corps
from rules.register.effects import (
    AgendaProgressed,
    CommendationAwarded,
    Effect,
    UnitAdded,
    UpgradeAdded,
    VeteranRankReached,
    from_data,
    to_data,
)
from rules.register.state import Dossier, RegisterState, apply, replay
from rules.register.veterans import HIGHEST, THRESHOLDS, experience_cap, maximum_veteran_rank, veteran_rank

from .build import house

SEEDS = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def supply(book: Rulebook) -> Supply:
    return Supply(book)


# --- Laws of a Register --------------------------------------------------------------------------------------


def check_register(book: Rulebook, state: RegisterState) -> None:
    """What is true of a Register at any moment."""
    assert state.supply_points >= 0
    assert state.paragon in state.dossiers
    assert state.command_cards_owed >= 0
    assert len(set(state.command_cards)) == len(state.command_cards)
    assert all(count <= book.assets[slug].per_sequence for slug, count in Counter(state.assets).items())
    assert all(count <= book.agendas[slug].progressions_to_complete for slug, count in state.agendas.items())
    assert all(book.agendas[slug].story_arc == state.story_arc for slug in state.agendas)
    assert not set(state.dossiers) & {*state.fallen, *state.reassigned}
    assert state.trait is None or state.trait.games_left in (1, 2)
    requests = [(count, book.aid_requests[slug]) for slug, count in state.requests.items() if slug in book.aid_requests]
    assert all(count == 1 or request.repeatable for count, request in requests)
    for dossier in state.dossiers.values():
        check_dossier(book, dossier)


def check_dossier(book: Rulebook, dossier: Dossier) -> None:
    whole, maximum = book.house.last_gain == "whole", maximum_veteran_rank(book, dossier)
    assert dossier.experience <= (THRESHOLDS[HIGHEST] if whole else experience_cap(book, dossier))
    assert dossier.veteran_rank <= veteran_rank(dossier.experience) <= (5 if whole else maximum)
    assert dossier.veteran_rank <= maximum <= 5
    assert dossier.owed >= 0
    assert len(set(dossier.commendations)) == len(dossier.commendations)
    assert len(set(dossier.upgrades)) == len(dossier.upgrades)
    high = sum(book.commendations[slug].high for slug in dossier.commendations)
    assert high <= (2 if "Lauded" in dossier.keywords else 1)
    for slug, count in Counter(dossier.setbacks).items():
        assert count == 1 or book.setbacks[slug].second == "stacks"


def check_step(book: Rulebook, before: RegisterState, effect: Effect, after: RegisterState) -> None:
    """What is true of a single effect."""
    assert from_data(json.loads(json.dumps(to_data(effect)))) == effect
    for key, dossier in after.dossiers.items():
        assert dossier.veteran_rank >= before.dossiers.get(key, dossier).veteran_rank
    if isinstance(effect, UnitAdded | UpgradeAdded) and effect.rule != "R29":
        assert combat_potential_left(book, after) >= 0
    if isinstance(effect, VeteranRankReached):
        assert after.dossiers[effect.unit].veteran_rank == before.dossiers[effect.unit].veteran_rank + 1
    if isinstance(effect, CommendationAwarded):
        assert before.dossiers[effect.unit].owed > 0
    if isinstance(effect, AgendaProgressed):
        assert after.agendas[effect.agenda] <= book.agendas[effect.agenda].progressions_to_complete


def check_barracks(book: Rulebook, state: RegisterState) -> None:
    """What is true of a Register once a sequence, or its founding, is over."""
    assert state.in_field is None
    assert state.requests == {}
    assert state.command_cards_owed == 0
    assert not any(dossier.owed for dossier in state.dossiers.values())
    assert all(dossier.veteran_rank == veteran_rank(dossier.experience) for dossier in state.dossiers.values())
    assert all(dossier.name for dossier in state.dossiers.values() if dossier.veteran_rank)
    assert not must_add_corps(book, state)


def assert_adds_up(book: Rulebook, start: RegisterState, context: Context) -> None:
    """Every effect of a scene, one after the other, adds up to its Register."""
    state = start
    for effect in context.effects:
        before, state = state, apply(state, effect)
        check_step(book, before, effect, state)
        if state.paragon:
            check_register(book, state)
    assert state == context.state == replay(context.effects, start)
    check_barracks(book, state)


@given(seed=SEEDS)
def test_a_random_register_is_founded_by_the_rules(supply: Supply, seed: int) -> None:
    """R1 to R10."""
    context = found(supply, Random(seed), "First")
    assert_adds_up(supply.book, RegisterState(), context)
    assert corps_owed(supply.book, context.state) == 0
    assert context.state.commissioned


@given(seed=SEEDS, battles=st.integers(1, 8))
def test_the_laws_hold_through_a_campaign(supply: Supply, seed: int, battles: int) -> None:
    """R2, R4, R12 to R16, R25, R36, R37, R41, R43, R50."""
    fight_on(supply, seed, battles)


@given(seed=SEEDS, readings=st.fixed_dictionaries({switch.name: st.sampled_from(switch.values) for switch in SWITCHES}))
def test_they_hold_under_any_house_rules(book: Rulebook, seed: int, readings: dict[str, str]) -> None:
    fight_on(Supply(house(book, **readings)), seed, 5)


def fight_on(supply: Supply, seed: int, battles: int) -> None:
    """Two random Registers fight one battle after the other."""
    random = Random(seed)
    states = {name: found(supply, random, name).state for name in ("First", "Second")}
    for number in range(battles):
        for side in battle(states["First"], states["Second"], f"b{number}", supply, random):
            name = side.context.state.name
            assert_adds_up(supply.book, states[name], side.context)
            states[name] = side.context.state


# --- Laws of scripts -----------------------------------------------------------------------------------------


def veteran_side(supply: Supply, random: Random) -> SimulatedSide:
    """A side of a battle that a Register with a few battles behind it has just fought, before its sequence."""
    states = [found(supply, random, name).state for name in ("First", "Second")]
    for number in range(random.randint(0, 6)):
        states = [side.context.state for side in battle(*states, f"b{number}", supply, random)]
    [side, _] = battle(*states, "last", supply, random)
    start = next(state for state in states if state.name == side.context.state.name)
    return SimulatedSide(Context(supply.book, replay(take_the_field(start, "last"), start)), side.army, side.report)


def reply(question: Question, context: Context, random: Random, supply: Supply) -> Any:
    """What comes back: from the other side, or from a random player."""
    if isinstance(question, Await):
        rivals = [None, *context.state.dossiers]
        return [["9", "Wardens"]] if question.what == "survivors" else random.choice(rivals)
    return answer(question, context, random, supply)


NONSENSE: list[Any] = [
    "nonsense", 7, True, [], ["nonsense"], [["x"]], [None, None], {}, {"nonsense": 1}, {"1": 1}, {"1": ["x"]},
    {"request": "x"}, {"request": "reassign-unit", "unit": "nobody"}, {"add": 1}, {"add": {"unit": 1}},
    {"1": {"commendation": []}},
]  # fmt: skip


@given(seed=SEEDS)
def test_a_step_resumes_from_its_answers_and_an_undo_drops_the_last(supply: Supply, seed: int) -> None:
    """Equal answers give equal effects, and each prefix of them ends at the question that was asked there."""
    random = Random(seed)
    side = veteran_side(supply, random)
    state = side.context.state
    for script in (gains_of_the_game, *(step.script for step in STEPS)):

        def resume(answers: list[Any], script: Any = script, state: RegisterState = state) -> Progress:
            context = Context(supply.book, state)
            return run(context, script(context, side.report), answers, ask_all=True)

        stages = [resume([])]
        while stages[-1].question:
            last = stages[-1]
            assert last.question
            refused(resume, last)
            given_answer = reply(last.question, Context(supply.book, last.state), random, supply)
            stages.append(resume([*last.answers, given_answer]))
        answers = list(stages[-1].answers)
        for place, stage in enumerate(stages):
            assert resume(answers[:place]) == stage
            assert stages[-1].effects[: len(stage.effects)] == stage.effects
            assert stage.state == replay(stage.effects, state)
        state = stages[-1].state


def refused(resume: Any, stage: Progress) -> None:
    """Nonsense is refused with a sentence (never an error of another kind), and changes nothing."""
    if isinstance(stage.question, Await):
        return
    violations: list[Violation] = []
    for wrong in NONSENSE:
        try:
            resume([*stage.answers, wrong])
        except RuleViolation as refusal:
            violations += refusal.violations
    assert all(violation.text and violation.rule.startswith("R") for violation in violations)
    assert resume(list(stage.answers)) == stage


@example(seed=861309)  # a Register that has to be founded again, since its corps units cannot be afforded
@given(seed=SEEDS)
def test_what_is_forced_is_what_a_written_campaign_would_answer(supply: Supply, seed: int) -> None:
    """A page leaves out questions with one answer; their answers are recorded all the same."""
    random = Random(seed)
    side = veteran_side(supply, random)
    state = side.context.state
    for step in STEPS:

        def resume(answers: list[Any], *, ask_all: bool, step: Any = step, state: RegisterState = state) -> Progress:
            context = Context(supply.book, state)
            return run(context, step.script(context, side.report), answers, ask_all=ask_all)

        progress = resume([], ask_all=False)
        while progress.question:
            given_answer = reply(progress.question, Context(supply.book, progress.state), random, supply)
            progress = resume([*progress.answers, given_answer], ask_all=False)
        assert resume(list(progress.answers), ask_all=True) == progress
        state = progress.state
