"""Answers of a scenario that nobody asks for, and those that a refused act may leave out."""

import json
from typing import Any

import pytest

from campaign.models import Campaign
from campaign.scenarios.play import play, read
from tests.campaign.scenarios.spoiling import CHECK, FOLDER, MISSING, SEQUENCE, error_of, refused, spoil, unasked

CONCEDED = "act 5 (battle): expected no refusal, found: "


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        (  # the die that the reroll turned does not ask for a Setback any more
            [((*CHECK, "reroll"), {"dice": [0], "faces": ["blank"]}), ((*CHECK, "setback"), MISSING)],
            unasked("reroll of t1", "R33"),
        ),
        (
            [((*CHECK, "blanks_rerolled"), ["hit"]), ((*CHECK, "setback"), MISSING)],
            unasked("blanks_rerolled of t1", "R32"),
        ),
        (
            [((*CHECK, "extra_die"), True), ((*CHECK, "dice"), ["blank", "hit"])],
            refused("Nobody asked for this answer: extra_die of t1. (R32) t1 rolls 1 dice. (R31)"),
        ),
        (  # step 5 asks for a rival, and is not reached
            [((*CHECK, "trait"), ["hit"]), ((*SEQUENCE, "rival"), "t2")],
            unasked("trait of t1", "R37"),
        ),
        (
            [((*SEQUENCE, "casualties", 1), MISSING), ((*SEQUENCE, "medevac"), "scout")],
            refused("Nobody asked for this answer: medevac of scout. (R21)"),
        ),
    ],
)
def test_an_answer_to_no_question_is_found_before_one_that_follows_from_it(
    book, tmp_path, changes: list[tuple[tuple[str | int, ...], Any]], expected: str
) -> None:
    """What is named is the rule that nobody asked by, and not what is missing since."""
    assert error_of(tmp_path, "first-blood", *changes) == expected


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        (
            "r51-one-side",
            [(("acts", 4, "sides", "blue", "sequence", "supply"), "block")],
            f"{CONCEDED}Nobody asked for this answer: supply. (R30) Nobody asked for this answer: supply. (R51)",
        ),
        (
            "r51-one-side",
            [(("acts", 4, "sides", "blue", "claims"), [True])],
            f"{CONCEDED}Nobody asks a side that conceded for claims. (R51)",
        ),
    ],
)
def test_who_conceded_is_asked_for_less(book, tmp_path, name: str, changes: Any, expected: str) -> None:
    """R51."""
    assert error_of(tmp_path, name, *changes) == expected


def test_what_is_refused_need_not_be_written_to_its_end(book, tmp_path) -> None:
    """A unit that was defeated contests nothing (R39); the conditions of its Agenda are left out."""
    battle = ("acts", 1)
    blue = (*battle, "sides", "blue")
    wrong = [((*blue, "confirmed"), []), ((*blue, "contesting"), ["t1"]), ((*blue, "defeated"), ["t1"])]
    data = json.loads((FOLDER / "r28-shield.json").read_text())
    for change in [*wrong, ((*battle, "refused"), ["R39"])]:
        spoil(data, *change)
    data["acts"] = data["acts"][:2]
    path = tmp_path / "stopped.json"
    path.write_text(json.dumps(data))
    assert len(play(read(path), Campaign.objects.create(name="Stopped")).registers) > 0


def test_a_text_that_no_row_holds_is_said(book, tmp_path) -> None:
    """Files after it are played all the same."""
    text = error_of(tmp_path, "first-blood", (("acts", 0, "player"), "x" * 200))
    assert text.startswith("act 1 (found): a text is too long")
