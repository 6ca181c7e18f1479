"""How a rule asks: questions, their answers, and the driver of scripts."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.dialogue import (
    Await,
    Choose,
    ChooseSeveral,
    Confirm,
    Context,
    Dialogue,
    Option,
    Pool,
    Question,
    Roll,
    UnusedAnswers,
    run,
    unit_option,
)
from rules.register.effects import Noted
from tests.rules.build import TROOPERS, broken, change, state, violations

ROLL = Roll(rule="R31", text="Roll", pools=(Pool("a", "black_attack", 2, "Hounds"), Pool("b", "red_defense", 1)))
CHOOSE = Choose(rule="R26", text="Which?", about="3", kind="unit", options=(Option("1", "One"), Option("2", "Two")))
SEVERAL = ChooseSeveral(rule="R42", text="Which?", about="3", kind="setbacks", bag={"x": 2, "y": 1}, labels={}, count=2)
CONFIRM = Confirm(rule="R26", text="Do you?", about="3", kind="may")


# --- Answers -------------------------------------------------------------------------------------------------


def test_a_plain_question_answers_nothing() -> None:
    with pytest.raises(NotImplementedError):
        Question(rule="R1", text="?").check(None)
    assert Question(rule="R1", text="?").forced is None


def test_faces_by_pool() -> None:
    assert ROLL.check({"a": ["hit", "surge"], "b": ["block"]}) == {"a": ("hit", "surge"), "b": ("block",)}
    assert ROLL.check({"a": ("hit", "surge"), "b": ("block",)}) == {"a": ("hit", "surge"), "b": ("block",)}
    assert ROLL.forced is None


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"a": ["hit", "hit"]}, {"a": ["hit", "hit"], "b": ["block"], "c": ["hit"]}]
)
def test_all_pools_and_no_others(answer: Any) -> None:
    assert violations(lambda: ROLL.check(answer)) == [Violation("R31", "Roll all of these dice, and no others.")]


@pytest.mark.parametrize("faces", [None, "hi", ["hit"], ["hit", "hit", "hit"], {"hit": 1, "surge": 1}])
def test_as_many_faces_as_dice(faces: Any) -> None:
    assert violations(lambda: ROLL.check({"a": faces, "b": ["block"]})) == [Violation("R31", "Enter 2 dice.", "a")]


def test_one_die_is_a_die() -> None:
    assert violations(lambda: ROLL.check({"a": ["hit", "hit"], "b": []})) == [Violation("R31", "Enter 1 die.", "b")]


@pytest.mark.parametrize("face", ["block", "", None, 1, ["hit"]])
def test_only_faces_that_the_die_has(face: Any) -> None:
    assert violations(lambda: ROLL.check({"a": ["hit", face], "b": ["block"]})) == [
        Violation("R31", f"This die has no face {face!r}.", "a")
    ]


def test_an_option_is_chosen() -> None:
    assert CHOOSE.check("2") == "2"
    assert CHOOSE.forced is None


@pytest.mark.parametrize("answer", [None, "3", 1, ["1"], {"1": "2"}])
def test_only_what_is_offered_can_be_chosen(answer: Any) -> None:
    assert violations(lambda: CHOOSE.check(answer)) == [Violation("R26", "Choose one of these: One, Two.", "3")]


def test_declining_where_it_is_allowed() -> None:
    assert replace(CHOOSE, decline="nobody").check(None) is None
    assert replace(CHOOSE, decline="nobody").check("1") == "1"


def test_a_compulsory_choice_of_one_is_forced() -> None:
    one = replace(CHOOSE, options=CHOOSE.options[:1])
    assert one.forced == ("1",)
    assert replace(one, decline="nobody").forced is None


def test_several_are_taken_out_of_a_bag() -> None:
    assert SEVERAL.check(["x", "x"]) == ("x", "x")
    assert SEVERAL.check(("y", "x")) == ("y", "x")


@pytest.mark.parametrize("answer", [None, "xy", [], ["x"], ["x", "x", "y"]])
def test_exactly_as_many_as_are_asked_for(answer: Any) -> None:
    assert violations(lambda: SEVERAL.check(answer)) == [Violation("R42", "Choose exactly 2.", "3")]


@pytest.mark.parametrize("answer", [["y", "y"], ["x", "z"], ["x", None], [["x"], "x"]])
def test_only_what_is_in_the_bag(answer: Any) -> None:
    assert violations(lambda: SEVERAL.check(answer)) == [
        Violation("R42", "Some of these cannot be chosen. Choose from the list.", "3")
    ]


@pytest.mark.parametrize(
    ("bag", "count", "forced"),
    [
        ({"x": 2, "y": 1}, 2, None),
        ({"x": 2, "y": 1}, 3, (["x", "x", "y"],)),
        ({"x": 3}, 2, (["x", "x"],)),
        ({"x": 1}, 1, (["x"],)),
    ],
)
def test_all_of_a_bag_or_some_of_one_kind_is_forced(bag: dict[str, int], count: int, forced: Any) -> None:
    assert replace(SEVERAL, bag=bag, count=count).forced == forced


def test_yes_or_no() -> None:
    assert [CONFIRM.check(answer) for answer in (True, False)] == [True, False]
    assert CONFIRM.forced is None
    for answer in (None, 1, "yes"):
        assert violations(lambda answer=answer: CONFIRM.check(answer)) == [
            Violation("R26", "Answer with yes or no.", "3")
        ]


def test_what_the_other_side_did_is_taken_as_it_comes() -> None:
    awaited = Await(rule="R39", text="Wait", what="survivors")
    assert awaited.check([["1", "Hounds"]]) == [["1", "Hounds"]]
    assert awaited.forced is None


# --- The driver ----------------------------------------------------------------------------------------------


def battle_story(context: Context) -> Dialogue[None]:
    """Ask, note what was said, ask what is forced, note how many effects there were."""
    choice = yield CHOOSE
    yield Noted(rule="R26", why=str(choice))
    alone = yield replace(CHOOSE, options=CHOOSE.options[:1])
    yield from [Noted(rule="R26", why=str(alone)), Noted(rule="R26", why=str(len(context.effects)))]


def progress_after(book: Rulebook, *answers: Any, ask_all: bool = False) -> Any:
    context = Context(book, state())
    return run(context, battle_story(context), answers, ask_all=ask_all)


def test_a_script_stops_at_a_question_it_has_no_answer_to(book: Rulebook) -> None:
    progress = progress_after(book)
    assert (progress.effects, progress.answers, progress.question) == ((), (), CHOOSE)
    assert not progress.done


def test_a_forced_answer_is_given_and_recorded(book: Rulebook) -> None:
    progress = progress_after(book, "2")
    assert [effect.why for effect in progress.effects] == ["2", "1", "1"]
    assert (progress.answers, progress.question, progress.done) == (("2", "1"), None, True)


def test_a_written_campaign_answers_every_question(book: Rulebook) -> None:
    waiting = progress_after(book, "2", ask_all=True)
    assert waiting.question == replace(CHOOSE, options=CHOOSE.options[:1])
    assert progress_after(book, "2", "1", ask_all=True) == progress_after(book, "2")


def test_a_script_resumes_from_its_answers(book: Rulebook) -> None:
    assert progress_after(book, *progress_after(book, "2").answers) == progress_after(book, "2")


def test_whoever_drives_a_script_may_answer(book: Rulebook) -> None:
    context = Context(book, state())
    assert run(context, battle_story(context), reply_to=lambda progress: ("2",)) == progress_after(book, "2")


def test_wrong_answers_are_refused(book: Rulebook) -> None:
    assert broken(lambda: progress_after(book, "7")) == ["R26"]
    assert broken(lambda: progress_after(book, "1", "2")) == ["R26"]


def test_answers_left_over_belong_to_something_else(book: Rulebook) -> None:
    with pytest.raises(UnusedAnswers, match=r"^2 answers left over$"):
        progress_after(book, "1", "1", "1", "2")


def test_a_unit_as_something_to_choose(book: Rulebook) -> None:
    start = change(state(), TROOPERS, experience=7, veteran_rank=1, setbacks=("downtrodden", "battle-shaken"))
    assert unit_option(book, start, TROOPERS) == Option(
        TROOPERS, "Grim Hounds", "Stormtroopers · 7 XP, VR 1 · Battle-Shaken · Downtrodden 1"
    )
