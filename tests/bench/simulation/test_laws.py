"""Laws that hold for every Register, whatever happens to it: random campaigns, random answers, any number of them."""

from random import Random
from typing import Any

from hypothesis import example, given, settings, strategies as st

from bench.simulation import SimulatedSide, Supply, answer, battle, choose_army, fight, found
from rules.battle.army import BattleSetup
from rules.battle.report import Report
from rules.battle.report_violations import report_violations
from rules.core.campaign_rules import SWITCHES
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Await, Context, Progress, Question, run
from rules.post_battle.steps import STEPS, gains_of_the_game, take_the_field
from rules.register.building import corps_owed
from rules.register.state import RegisterState, replay
from tests.bench.simulation.laws import assert_adds_up
from tests.rules.build import house
from tests.rules.post_battle.rematching import again, answers_of, lines_of
from tests.thoroughness import examples

SEEDS = st.integers(0, 2**32)
#: Of what takes several battles for each example.
few = settings(max_examples=examples(12, 2000))


@given(seed=SEEDS)
def test_a_random_register_is_founded_by_the_rules(supply: Supply, seed: int) -> None:
    """R1 to R10."""
    context = found(supply, Random(seed), "First")
    assert_adds_up(supply.book, RegisterState(), context)
    assert corps_owed(supply.book, context.state) == 0
    assert context.state.commissioned


@few
@given(seed=SEEDS, battles=st.integers(1, 8))
def test_the_laws_hold_through_a_campaign(supply: Supply, seed: int, battles: int) -> None:
    """R2, R4, R12 to R16, R25, R36, R37, R41, R43, R50."""
    fight_on(supply, seed, battles)


@few
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


@few
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


@few
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


@few
@given(seed=SEEDS)
def test_the_same_answers_make_the_same_sequence(supply: Supply, seed: int) -> None:
    """Whatever was answered on the way: run anew, each step takes all of it, unchanged."""
    random, book = Random(seed), supply.book
    veterans = battle(*(found(supply, random, name).state for name in ("First", "Second")), "b1", supply, random)
    sides = [
        SimulatedSide(Context(book, own), choose_army(own, BattleSetup(size=800), supply, random))
        for own in (side.context.state for side in veterans)
    ]
    facts = fight(sides, "b2", False, random)[0]
    start = replay(take_the_field(sides[0].context.state, "b2"), sides[0].context.state)
    for number in (0, 2, 3, 5, 6, 7):
        script = STEPS[number].script
        played = _play(supply, script, facts, start, random)
        lines = lines_of(book, script, played.answers, facts, start)
        fit = again(book, script, lines, facts, start)
        assert (fit.effects, answers_of(fit), fit.left, fit.done) == (
            played.effects, list(played.answers), (), True,
        )  # fmt: skip
        start = played.state


def _play(supply: Supply, script: Any, facts: Report, start: RegisterState, random: Random) -> Progress:
    """A step with random answers."""
    given: list[Any] = []
    while True:
        context = Context(supply.book, start)
        progress = run(context, script(context, facts), given)
        if progress.question is None:
            return progress
        given = [*progress.answers, answer(progress.question, context, random, supply)]


@given(seed=SEEDS)
def test_random_battles_are_reported_by_the_rules(supply: Supply, seed: int) -> None:
    random = Random(seed)
    first, second = (found(supply, random, name).state for name in ("First", "Second"))
    starts = {state.name: state for state in (first, second)}
    for side in battle(first, second, "b1", supply, random):
        assert (
            list(report_violations(supply.book, starts[side.context.state.name], side.report, side.army.agenda)) == []
        )
