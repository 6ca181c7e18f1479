"""Whose Turning Point Mission is played (R17, R22), and which Agenda is brought (R23)."""

from typing import Any

import pytest

from rules.battle.army import (
    BattleSetup,
    completed_agendas,
    is_complete,
    may_bring_agenda,
    may_play_turning_point,
    must_play_turning_point,
    open_agendas,
    turning_point_violations,
)
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.state import RegisterState
from tests.rules.battle.fielding import army, wrong
from tests.rules.build import PARAGON, house, state

ARC = ("persons-of-interest", "gather-intelligence", "keep-them-in-line")


def completed(agendas: int, name: str = "Ashen Patrol", **more: Any) -> RegisterState:
    return state(agendas=dict.fromkeys(ARC[:agendas], 3), name=name, **more)


def test_how_many_agendas_are_completed(book: Rulebook) -> None:
    """R22, R25."""
    arc = book.story_arcs["bring-peace-to-the-galaxy"]
    start = state(agendas={ARC[0]: 3, ARC[1]: 2, "the-long-game": 3})
    assert completed_agendas(arc, start) == 1
    assert [is_complete(book.agendas[slug], start) for slug in ARC] == [True, False, False]
    assert [agenda.slug for agenda in open_agendas(book, start)] == list(ARC[1:])


def test_two_may_and_three_must(book: Rulebook) -> None:
    """R22."""
    assert [may_play_turning_point(book, completed(n)) for n in range(4)] == [False, False, True, True]
    assert [must_play_turning_point(book, completed(n)) for n in range(4)] == [False, False, False, True]


NEEDS_TWO = Violation("R22", "A Turning Point Mission needs 2 completed Agendas of its Story Arc.", "turning_point")

BLUE_OWNS = Violation(
    "R22", "The owner of a Turning Point Mission must be the Blue Player. Change the colors.", "turning_point"
)


@pytest.mark.parametrize(
    ("blue", "red", "owner", "violations"),
    [
        (0, 0, "", []),
        (2, 2, "", []),
        (2, None, "", []),
        (3, None, "", [Violation("R22", "Blue has completed all its Agendas, so a Turning Point Mission "
            "must be played.")]),
        (2, 3, "", [Violation("R22", "Red has completed all its Agendas, so a Turning Point Mission must be played.")]),
        (2, 0, "blue", []),
        (3, None, "blue", []),
        (2, 3, "blue", []),
        (3, 3, "blue", []),
        (1, 0, "blue", [NEEDS_TWO]),
        (2, 2, "red", [BLUE_OWNS]),
        (0, 1, "red", [NEEDS_TWO, BLUE_OWNS]),
        (0, None, "red", [NEEDS_TWO, BLUE_OWNS]),
        (1, 3, "blue", [NEEDS_TWO, Violation("R22", "Red must play its own Turning Point Mission.", "turning_point")]),
        (3, 1, "red",
         [NEEDS_TWO, BLUE_OWNS, Violation("R22", "Blue must play its own Turning Point Mission.", "turning_point")]),
        (2, 3, "red", [BLUE_OWNS]),
    ],
)  # fmt: skip
def test_whose_turning_point_mission_may_be_played(
    book: Rulebook, blue: int, red: int | None, owner: str, violations: list[Violation]
) -> None:
    """R22: with 3 it must, unless the other side is eligible too; then the two choose whose."""
    other = None if red is None else completed(red, "Red")
    assert list(turning_point_violations(book, completed(blue, "Blue"), other, owner)) == violations


@pytest.mark.parametrize(
    ("agendas", "own", "expected"), [(0, False, True), (2, False, True), (3, False, False), (2, True, False)]
)
def test_who_may_bring_an_agenda(book: Rulebook, agendas: int, own: bool, expected: bool) -> None:
    """R22, R23: not the owner of the Turning Point Mission, and only one that is not complete."""
    setup = BattleSetup(size=600, own_turning_point=own)
    assert may_bring_agenda(book, completed(agendas), setup) is expected


def test_nobody_brings_an_agenda_to_a_turning_point_mission(book: Rulebook) -> None:
    """R22, R52: by house rules neither side; in other battles as always."""
    strict, mission = house(book, turning_point_agenda="nobody"), BattleSetup(size=600, turning_point=True)
    assert [may_bring_agenda(each, completed(2), mission) for each in (book, strict)] == [True, False]
    assert may_bring_agenda(strict, completed(2), BattleSetup(size=600))
    assert wrong(strict, army(PARAGON, agenda=ARC[1]), setup=mission) == [
        Violation("R22", "In this campaign nobody brings an Agenda to a Turning Point Mission.", "agenda")
    ]


def test_an_agenda_is_of_the_current_arc_and_not_completed(book: Rulebook) -> None:
    """R23."""
    start = state(agendas={ARC[0]: 3})
    text = "Choose an Agenda of the current Story Arc that is not complete."
    assert wrong(book, army(PARAGON, agenda=ARC[1]), start=start) == []
    for agenda in (ARC[0], "the-long-game", "x"):
        assert wrong(book, army(PARAGON, agenda=agenda), start=start) == [Violation("R23", text, "agenda")]


def test_the_owner_of_a_turning_point_mission_brings_no_agenda(book: Rulebook) -> None:
    """R22: the other side still may."""
    own = BattleSetup(size=600, own_turning_point=True)
    assert wrong(book, army(PARAGON, agenda=ARC[1]), setup=own) == [
        Violation("R22", "The owner of a Turning Point Mission cannot bring an Agenda.", "agenda")
    ]
