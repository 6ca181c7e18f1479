"""How the answers of a step fit when it runs anew: what stays, what is asked, what nobody asks any more."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.casualties import AddDice, Reroll, determine_casualties
from rules.post_battle.commendations import Award, award_commendations
from rules.post_battle.dialogue import (
    Await,
    Choose,
    ChooseSeveral,
    Confirm,
    Context,
    Dialogue,
    Option,
    Question,
    Roll,
    run,
)
from rules.post_battle.edit_register import edit_register
from rules.post_battle.experience import award_experience
from rules.post_battle.rematch_answers import (
    AnswerPart,
    Fit,
    Fitted,
    Gap,
    Misfit,
    answer_parts,
    in_lines,
    parts_of,
    refit,
)
from rules.post_battle.supply import award_supply_points
from rules.register.effects import Noted, SupplyPointsGained, UnitAdded
from tests.rules.build import BIKE, OTHERS, PARAGON, SCOUT, STORMTROOPERS, TROOPERS, change, report, state
from tests.rules.post_battle.rematching import again, answers_of, lines_of

CHECKS = {"check:2": ["hit"], "check:5": ["hit"]}
SETBACKS = {"setback:2": ["blank"], "setback:5": ["surge"]}


# --- Dice --------------------------------------------------------------------------------------------------------


def test_the_same_battle_takes_the_same_answers_as_they_were(book: Rulebook) -> None:
    facts = report(TROOPERS, SCOUT, defeated=(TROOPERS, SCOUT))
    lines = lines_of(book, determine_casualties, [CHECKS, SETBACKS], facts)
    fit = again(book, determine_casualties, lines, facts)
    context = Context(book, state())
    played = run(context, determine_casualties(context, facts), [CHECKS, SETBACKS])
    assert (fit.effects, fit.state, answers_of(fit), fit.left, fit.done) == (
        played.effects, played.state, [CHECKS, SETBACKS], (), True,
    )  # fmt: skip
    assert [(fitted.at, fitted.unchanged) for fitted in fit.answers] == [(0, True), (2, True)]


def test_a_unit_that_was_not_defeated_takes_its_dice_along_and_leaves_the_others(book: Rulebook) -> None:
    lines = lines_of(
        book, determine_casualties, [CHECKS, SETBACKS], report(TROOPERS, SCOUT, defeated=(TROOPERS, SCOUT))
    )
    fit = again(book, determine_casualties, lines, report(TROOPERS, SCOUT, defeated=(SCOUT,)))
    assert answers_of(fit) == [{"check:5": ["hit"]}, {"setback:5": ["surge"]}]
    assert [(part.what, part.answer) for part in fit.left] == [
        ("Roll::check:2", ["hit"]), ("Roll::setback:2", ["blank"]),
    ]  # fmt: skip
    assert [fitted.unchanged for fitted in fit.answers] == [False, False]


def test_one_more_defeated_unit_rolls_alone(book: Rulebook) -> None:
    lines = lines_of(
        book, determine_casualties, [CHECKS, SETBACKS], report(TROOPERS, SCOUT, defeated=(TROOPERS, SCOUT))
    )
    fit = again(book, determine_casualties, lines, report(TROOPERS, SCOUT, OTHERS, defeated=(TROOPERS, OTHERS, SCOUT)))
    assert fit.misfit is not None
    assert isinstance(fit.misfit.question, Roll)
    assert [pool.key for pool in fit.misfit.question.pools] == ["check:3"]
    assert (fit.misfit.slots, fit.misfit.violations, fit.effects, fit.done) == (
        {"Roll::check:3": 0}, (), (), False,
    )  # fmt: skip


def test_what_is_said_since_joins_what_was_said(book: Rulebook) -> None:
    lines = lines_of(
        book, determine_casualties, [CHECKS, SETBACKS], report(TROOPERS, SCOUT, defeated=(TROOPERS, SCOUT))
    )
    facts = report(TROOPERS, SCOUT, OTHERS, defeated=(TROOPERS, OTHERS, SCOUT))
    stopped = again(book, determine_casualties, lines, facts)
    assert stopped.misfit is not None
    since = in_lines(parts_of(stopped.misfit.question, {"check:3": ["surge"]}))
    fit = again(book, determine_casualties, lines | since, facts)
    assert answers_of(fit)[0] == {"check:2": ["hit"], "check:3": ["surge"], "check:5": ["hit"]}
    assert fit.done


def test_another_number_of_dice_is_another_roll(book: Rulebook) -> None:
    facts = report(TROOPERS, defeated=(TROOPERS,))
    lines = lines_of(book, determine_casualties, [{"check:2": ["hit"]}, {"setback:2": ["blank"]}], facts, state())
    burdened = change(state(), TROOPERS, setbacks=("downtrodden", "battle-shaken"))
    fit = again(book, determine_casualties, lines, facts, change(burdened, TROOPERS, setbacks=("downtrodden",) * 3))
    assert fit.misfit is not None
    assert [(pool.key, pool.count) for pool in getattr(fit.misfit.question, "pools", ())] == [("check:2", 3)]
    assert fit.misfit.violations == ()
    assert [part.what for part in fit.left] == ["Roll::setback:2"]


def test_rerolls_and_added_dice_belong_to_units(book: Rulebook) -> None:
    weary, twice = "war-weary", ("downtrodden", "downtrodden")
    start = change(state(), TROOPERS, setbacks=(weary, *twice), commendations=("resilient",))
    start = change(start, SCOUT, setbacks=(weary, *twice), commendations=("resilient",))
    both, one = (report(TROOPERS, SCOUT, defeated=keys) for keys in ((TROOPERS, SCOUT), (SCOUT,)))
    answers = [
        [SCOUT],
        {"check:2": ["hit", "hit", "critical"], "check:5": ["hit", "hit", "hit", "hit"]},
        {"5": [0]},
        {"reroll:5": ["blank"]},
        {"setback:2": ["surge"], "setback:5": ["surge"]},
    ]
    lines = lines_of(book, determine_casualties, answers, both, start)
    assert answers_of(again(book, determine_casualties, lines, both, start)) == answers
    alone = again(book, determine_casualties, lines, one, start)
    assert answers_of(alone) == [
        [SCOUT], {"check:5": ["hit"] * 4}, {"5": [0]}, {"reroll:5": ["blank"]}, {"setback:5": ["surge"]},
    ]  # fmt: skip
    third = change(start, OTHERS, setbacks=(weary, *twice), commendations=("resilient",))
    more = report(TROOPERS, SCOUT, OTHERS, defeated=(TROOPERS, SCOUT, OTHERS))
    stopped = again(book, determine_casualties, lines, more, third)
    assert stopped.misfit is not None
    assert isinstance(stopped.misfit.question, AddDice)
    assert [unit.value for unit in stopped.misfit.question.units] == [OTHERS]
    lines |= in_lines(parts_of(stopped.misfit.question, []))
    lines |= {"Roll::check:3": [replace(_one(lines["Roll::check:2"]), what="Roll::check:3")]}
    rerolls = again(book, determine_casualties, lines, more, third)
    assert rerolls.misfit is not None
    assert isinstance(rerolls.misfit.question, Reroll)
    assert [rolled.unit for rolled in rerolls.misfit.question.checks] == [OTHERS]


def _one(line: Sequence[AnswerPart | Gap]) -> AnswerPart:
    [part] = line
    assert isinstance(part, AnswerPart)
    return part


# --- Choices -----------------------------------------------------------------------------------------------------


def opponents(*keys: str) -> Any:
    """What the other side hands over."""

    def handed(question: Await) -> tuple[Any] | None:
        return ([[key, f"Unit {key}"] for key in keys],) if question.what == "survivors" else (None,)

    return handed


def test_a_rival_that_cannot_be_named_any_more(book: Rulebook) -> None:
    facts = report(TROOPERS)
    lines = lines_of(book, award_experience, [[["2", "Two"], ["3", "Three"]], "3", None], facts)
    assert again(book, award_experience, lines, facts, handed=opponents("2", "3")).done
    stopped = again(book, award_experience, lines, facts, handed=opponents("1", "2"))
    assert stopped.misfit == Misfit(
        Choose(
            rule="R39",
            text="Name the Most Feared Rival among the units of the opponent.",
            kind="rival",
            options=(Option("1", "Unit 1"), Option("2", "Unit 2")),
            may_lack=True,
        ),
        {"Choose:R39::rival": 0},
        (Violation("R39", "Choose one of these: Unit 1, Unit 2."),),
    )


def test_what_the_other_side_does_not_have_yet_is_waited_for(book: Rulebook) -> None:
    fit = again(book, award_experience, {}, report(TROOPERS))
    assert isinstance(fit.awaits, Await)
    assert (fit.done, fit.answers, fit.misfit) == (False, (), None)


def test_the_only_possible_answer_gives_itself_and_is_nobodys(book: Rulebook) -> None:
    """What nobody chose does not answer where there is a choice now."""
    one, two = (Option("1", "One"), Option("2", "Two"))
    asked = [Choose(rule="R26", text="?", kind="unit", options=options) for options in ((one,), (one, two))]

    def script(question: Question) -> Dialogue[None]:
        yield question
        yield Noted(rule="R26")

    alone, either = asked
    lines = in_lines(answer_parts(Context(book, state()), script(alone), ["1"]))
    assert answers_of(refit(Context(book, state()), script(alone), lines)) == ["1"]
    assert refit(Context(book, state()), script(alone), {}).answers == (Fitted("1", 0),)
    fit = refit(Context(book, state()), script(either), lines)
    assert (fit.misfit, fit.left) == (Misfit(either, {"Choose:R26::unit": 0}), ())


def test_other_tokens_are_drawn_anew(book: Rulebook) -> None:
    def script(count: int) -> Dialogue[None]:
        yield ChooseSeveral(rule="R26", text="?", kind="ranks", bag={"corps": 2, "heavy": 1}, labels={}, count=count)
        yield Confirm(rule="R26", text="?", about="3", kind="may")

    lines = in_lines(answer_parts(Context(book, state()), script(2), [["corps", "heavy"], True]))
    assert answers_of(refit(Context(book, state()), script(2), lines)) == [["corps", "heavy"], True]
    assert refit(Context(book, state()), script(1), lines).misfit is not None


def test_who_reaches_a_rank_now_is_asked_for_a_commendation_alone(book: Rulebook) -> None:
    start = change(state(), TROOPERS, owed=1, veteran_rank=1, experience=5)
    facts, given = report(TROOPERS), {"2": {"commendation": None}}
    lines = lines_of(book, award_commendations, [given], facts, start)
    more = change(start, SCOUT, owed=1, veteran_rank=1, experience=5)
    fit = again(book, award_commendations, lines, facts, more)
    assert fit.misfit is not None
    assert isinstance(fit.misfit.question, Award)
    assert [due.unit for due in fit.misfit.question.dues] == [SCOUT]
    assert again(book, award_commendations, lines, facts).left != ()


def test_what_the_rules_refuse_of_one_unit_is_asked_of_that_unit(book: Rulebook) -> None:
    """The commendation needs a Veteran Rank that it has no more; that of the other unit stands."""
    start = change(state(), TROOPERS, owed=1, veteran_rank=3, experience=25)
    start = change(start, SCOUT, owed=1, veteran_rank=1, experience=5)
    slug = next(card.slug for card in book.commendations.values() if card.requires.veteran_rank == 3)
    given = {"2": {"commendation": slug, "keyword": _keyword(book, slug)}, "5": {"commendation": None}}
    facts = report(TROOPERS, SCOUT)
    lines = lines_of(book, award_commendations, [given], facts, start)
    fit = again(book, award_commendations, lines, facts, change(start, TROOPERS, veteran_rank=1))
    assert fit.misfit is not None
    assert [due.unit for due in getattr(fit.misfit.question, "dues", ())] == [TROOPERS]
    assert [violation.about for violation in fit.misfit.violations] == [TROOPERS]


def _keyword(book: Rulebook, slug: str) -> str:
    return (*book.commendations[slug].choose_keyword, "")[0]


# --- Units that join -----------------------------------------------------------------------------------------------


def joins(name: str) -> dict[str, Any]:
    return {"add": {"unit": STORMTROOPERS, "name": name}}


def joined(fit: Fit) -> list[tuple[str, str]]:
    return [(effect.unit, effect.name) for effect in fit.effects if isinstance(effect, UnitAdded)]


def test_the_keys_of_units_stay_though_one_is_left_out_and_another_joins(book: Rulebook) -> None:
    facts = report(TROOPERS)
    lines = lines_of(book, edit_register, [joins("One"), joins("Two"), None], facts)
    assert joined(again(book, edit_register, lines, facts)) == [("8", "One"), ("9", "Two")]
    [what] = lines
    first, second, end = lines[what]
    left_out = {what: [Gap.SKIP, second, end]}
    assert joined(again(book, edit_register, left_out, facts)) == [("9", "Two")]
    other = AnswerPart(what=what, shape="", answer=joins("Three"))
    instead = again(book, edit_register, {what: [other, second, end]}, facts, fresh_key=20)
    assert joined(instead) == [("20", "Three"), ("9", "Two")]
    asked = again(book, edit_register, {what: [Gap.ASK, second, Gap.SKIP, end]}, facts)
    assert asked.misfit is not None
    assert asked.misfit.slots == {what: 0}
    assert asked.left == (second, end)
    assert first != second


def test_an_edit_that_is_refused_says_why(book: Rulebook) -> None:
    facts = report(TROOPERS)
    named = {"name": {"unit": BIKE, "name": "Dust Devils"}}
    lines = lines_of(book, edit_register, [named, None], facts)
    units = {key: unit for key, unit in state().dossiers.items() if key != BIKE}
    fit = again(book, edit_register, lines, facts, replace(state(), dossiers=units))
    assert fit.misfit is not None
    assert [violation.rule for violation in fit.misfit.violations] != []


# --- Former answers, as far as they fit -------------------------------------------------------------------------------


@pytest.mark.parametrize("answers", [[None], [{"check:2": ["hit"]}], [CHECKS, "what?"]])
def test_answers_of_something_else_are_left(book: Rulebook, answers: list[Any]) -> None:
    facts = report(TROOPERS, SCOUT, defeated=(TROOPERS, SCOUT))
    context = Context(book, state())
    kept = answer_parts(context, determine_casualties(context, facts), answers)
    assert [part.what for part in kept] == ["Roll::check:2", "Roll::check:5"] * (answers[0] == CHECKS)


def test_more_answers_than_questions(book: Rulebook) -> None:
    context = Context(book, state())
    parts = answer_parts(
        context, award_supply_points(context, report(PARAGON)), [{"supply": ["block"]}, "more"], ["mine", "his"]
    )
    assert [(part.answer, part.place, part.origin) for part in parts] == [(["block"], 0, "mine")]


def test_a_refusal_without_a_question_is_raised(book: Rulebook) -> None:
    def script() -> Dialogue[None]:
        yield SupplyPointsGained(rule="R30", amount=1)
        raise RuleViolation([Violation("R1", "Never.")])

    with pytest.raises(RuleViolation):
        refit(Context(book, state()), script(), {})
    assert answer_parts(Context(book, state()), script(), [1]) == []


def test_what_was_chosen_is_left_where_there_is_no_choice_any_more(book: Rulebook) -> None:
    def script(*values: str) -> Dialogue[None]:
        yield Choose(rule="R39", text="?", kind="rival", options=tuple(Option(each, each) for each in values))

    lines = in_lines(answer_parts(Context(book, state()), script("1", "2"), ["2"]))
    fit = refit(Context(book, state()), script("1"), lines)
    assert (answers_of(fit), [part.answer for part in fit.left], fit.done) == (["1"], ["2"], True)
    fit = refit(Context(book, state()), script("2"), in_lines(answer_parts(Context(book, state()), script("2"), ["2"])))
    assert (answers_of(fit), fit.left) == (["2"], ())
