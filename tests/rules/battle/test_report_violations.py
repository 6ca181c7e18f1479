"""What a report of a battle may not say (section 5, R21, R25, R39, R51)."""

from typing import Any

import pytest

from rules.battle.report import Lent
from rules.battle.report_violations import concession_violations, report_violations
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from tests.rules.build import OTHERS, PARAGON, SCOUT, TROOPERS, WALKER, house, report, state


def wrong(book: Rulebook, *, brought: str = "", lent: tuple[Lent, ...] = (), **facts: Any) -> list[Violation]:
    """What is wrong with a report of a side of four units, of which SNOW and WALKER stayed at home."""
    side = report(PARAGON, TROOPERS, OTHERS, SCOUT, lent=lent, **facts)
    return list(report_violations(book, state(agendas={"persons-of-interest": 3}), side, brought))


def test_a_report_that_may_be_true(book: Rulebook) -> None:
    lent = (Lent("request-assistance", "L1", book.units["at-st"]),)
    violations = wrong(
        book, lent=lent, defeated=(TROOPERS, "L1"), contesting=(OTHERS,), agenda="keep-them-in-line",
        brought="keep-them-in-line", tokens=3, in_game_experience={SCOUT: 2}, in_game_supply=1, asks={"x": 0},
    )  # fmt: skip
    assert violations == []


@pytest.mark.parametrize(
    ("fact", "words"), [("defeated", "defeated"), ("contesting", "contesting or holding an objective")]
)
@pytest.mark.parametrize("units", [(WALKER,), ("L1",), (TROOPERS, TROOPERS)])
def test_only_units_of_the_army_once_each(book: Rulebook, fact: str, words: str, units: tuple[str, ...]) -> None:
    assert wrong(book, **{fact: units}) == [
        Violation("R39", f"Only units of the army can be reported as {words}, once each.")
    ]


def test_a_defeated_unit_contests_nothing(book: Rulebook) -> None:
    """Section 5. Each is named, lent ones too; who was not in the army is told so alone."""
    lent = (Lent("request-assistance", "L1", book.units["at-st"]),)
    assert wrong(book, lent=lent, defeated=(TROOPERS, SCOUT, "L1"), contesting=("L1", OTHERS, SCOUT)) == [
        Violation("R39", "AT-ST was defeated, so it cannot contest or hold an objective. Untick one of them.", "L1"),
        Violation("R39", "Red Six was defeated, so it cannot contest or hold an objective. Untick one of them.", SCOUT),
    ]
    both = {"defeated": (WALKER,), "contesting": (WALKER,)}
    assert [violation.about for violation in wrong(book, **both)] == ["", ""]


@pytest.mark.parametrize(
    "facts", [{"tokens": -1}, {"secondary_vp": -1}, {"in_game_supply": -1}, {"asks": {"x": 2, "y": -1}}]
)
def test_numbers_are_not_below_0(book: Rulebook, facts: dict[str, Any]) -> None:
    assert wrong(book, **facts) == [Violation("R25", "Numbers in a report must be 0 or more.")]


@pytest.mark.parametrize("experience", [{WALKER: 1}, {"L1": 1}, {SCOUT: -1}])
def test_experience_during_the_game_goes_to_units_that_took_part(book: Rulebook, experience: dict[str, int]) -> None:
    [unit] = experience
    assert wrong(book, in_game_experience=experience) == [
        Violation("R16", "Only units that took part can gain XP during the game.", unit)
    ]


# --- The Agenda in play --------------------------------------------------------------------------------------

PLAN = {"contingency_switched": True, "assets": ("contingency-plan",)}
OTHER = Violation("R25", "Choose another Agenda of the Story Arc that is not complete.", "agenda")
NO_PLAN = Violation("R21", "The Agenda can be switched only with a Contingency Plan in use.", "agenda")
SAME = Violation("R25", "The Agenda in play must be the one that was brought.", "agenda")


@pytest.mark.parametrize(
    ("brought", "agenda", "facts", "expected"),
    [
        ("keep-them-in-line", "keep-them-in-line", {}, []),
        ("", "", {}, []),
        ("keep-them-in-line", "gather-intelligence", {}, [SAME]),
        ("keep-them-in-line", "", {}, [SAME]),
        ("keep-them-in-line", "gather-intelligence", PLAN, []),
        ("keep-them-in-line", "keep-them-in-line", PLAN, [OTHER]),
        ("keep-them-in-line", "persons-of-interest", PLAN, [OTHER]),
        ("keep-them-in-line", "the-long-game", PLAN, [OTHER]),
        ("keep-them-in-line", "", PLAN, [OTHER]),
        ("", "gather-intelligence", PLAN, [NO_PLAN]),
        ("keep-them-in-line", "gather-intelligence", {"contingency_switched": True}, [NO_PLAN]),
    ],
)
def test_the_agenda_is_the_one_brought_or_switched_to(
    book: Rulebook, brought: str, agenda: str, facts: dict[str, Any], expected: list[Violation]
) -> None:
    """R21, R25."""
    assert wrong(book, brought=brought, agenda=agenda, **facts) == expected


# --- Marks ---------------------------------------------------------------------------------------------------


def marking(book: Rulebook, agenda: str, *marked: str, **facts: Any) -> list[Violation]:
    return wrong(book, agenda=agenda, brought=agenda, marked=marked, **facts)


@pytest.mark.parametrize(
    ("agenda", "marked", "text"),
    [
        ("daring-defense", (TROOPERS,), ""),
        ("daring-defense", (), ""),
        ("daring-defense", (PARAGON,), ""),
        ("daring-defense", (TROOPERS, OTHERS), "This Agenda marks at most 1. Untick some."),
        ("protect-your-allies", (TROOPERS, OTHERS, SCOUT), ""),
        ("protect-your-allies", (TROOPERS, PARAGON), "This Agenda cannot mark the Paragon. Untick it."),
        ("loot-and-plunder", (PARAGON, OTHERS, SCOUT), ""),
        ("loot-and-plunder", (PARAGON, TROOPERS), "This Agenda cannot mark defeated units. Untick them."),
        ("keep-them-in-line", (TROOPERS,), ""),
        ("keep-them-in-line", (WALKER,), "Only units of the army can be marked, once each."),
        ("loot-and-plunder", (SCOUT, SCOUT), "Only units of the army can be marked, once each."),
        ("", (WALKER,), "Only units of the army can be marked, once each."),
    ],
)
def test_marks_are_those_of_the_agenda(book: Rulebook, agenda: str, marked: tuple[str, ...], text: str) -> None:
    """R25."""
    expected = [Violation("R25", text, "marked")] if text else []
    assert marking(book, agenda, *marked, defeated=(TROOPERS,)) == expected


# --- Concessions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winner", "conceded", "loser"),
    [
        ("blue", set(), ""), ("", set(), ""), ("blue", {"red"}, ""), ("red", {"blue"}, ""), ("", {"blue", "red"}, ""),
        ("red", {"blue", "red"}, ""), ("red", {"red"}, "red"), ("", {"red"}, "red"), ("blue", {"blue"}, "blue"),
    ],
)  # fmt: skip
def test_if_one_side_conceded_the_other_won(book: Rulebook, winner: str, conceded: set[str], loser: str) -> None:
    """R51: if both did, the report says who won, or nobody."""
    text = f"The {loser} side conceded, so the other side won. Change the winner."
    expected = [Violation("R51", text, "winner")] * bool(loser)
    assert list(concession_violations(book, winner, frozenset(conceded))) == expected


def test_or_nobody_has_who_ended_it_together(book: Rulebook) -> None:
    """R51, `ended_together`: one alone concedes as ever."""
    nobody = house(book, ended_together="nobody_concedes")
    text = "Both sides ended this battle together, so nobody conceded. Untick both, and report the battle as it stood."
    for winner in ("blue", ""):
        assert list(concession_violations(nobody, winner, frozenset({"blue", "red"}))) == [
            Violation("R51", text, "conceded")
        ]
    assert list(concession_violations(nobody, "blue", frozenset({"red"}))) == []


# --- Random reports ------------------------------------------------------------------------------------------
