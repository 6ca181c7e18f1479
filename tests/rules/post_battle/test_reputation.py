"""Step 9, Adjust Reputation (R48)."""

from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Progress
from rules.post_battle.reputation import adjust_reputation
from rules.register.effects import ReputationGained, SupplyPointsGained

from ..build import PARAGON, done, noted, play, report, state

ALL = {"persons-of-interest": 3, "gather-intelligence": 3, "keep-them-in-line": 3}
ENDED = ReputationGained(amount=1, rule="R48", why="Bring Peace to the Galaxy ended")


def step(book: Rulebook, side: Report, agendas: dict[str, int]) -> Progress:
    return play(book, state(agendas=agendas), lambda context: adjust_reputation(context, side))


def test_nothing_ended(book: Rulebook) -> None:
    assert done(step(book, report(PARAGON), ALL)) == [noted("R48", "no Story Arc ended")]


@pytest.mark.parametrize(
    "facts", [{"result": "won"}, {"result": "lost"}, {"result": "drawn"}, {"result": "lost", "conceded": True}]
)
def test_an_arc_ends_won_or_lost(book: Rulebook, facts: dict[str, Any]) -> None:
    """R48; R51 skips no step 9."""
    two = {**ALL, "keep-them-in-line": 2}
    assert done(step(book, report(PARAGON, owns_turning_point=True, **facts), two)) == [ENDED]


def test_all_three_agendas_give_one_more_and_three_sp(book: Rulebook) -> None:
    """R48."""
    assert done(step(book, report(PARAGON, owns_turning_point=True), ALL)) == [
        ENDED,
        ReputationGained(amount=1, rule="R48", why="all Agendas complete"),
        SupplyPointsGained(amount=3, rule="R48", why="all Agendas complete"),
    ]


def test_the_opponent_of_the_owner_has_ended_nothing(book: Rulebook) -> None:
    """R48."""
    mission = book.story_arcs["the-weekend-war"].turning_point
    assert done(step(book, report(PARAGON, turning_point=mission, result="won"), ALL)) == [
        noted("R48", "no Story Arc ended")
    ]
