"""Rounds and cuts by the number of players (E14–E16)."""

import pytest

from rules.core.violations import RuleViolation
from rules.tournaments.structures import Proposal, Structure, most_rounds, propose


@pytest.mark.parametrize(
    ("structure", "players", "rounds", "cut"),
    [
        (Structure.GALACTIC_CONQUEST, 4, 4, 0),
        (Structure.GALACTIC_CONQUEST, 16, 4, 0),
        (Structure.GALACTIC_CONQUEST, 17, 4, 8),
        (Structure.GALACTIC_CONQUEST, 32, 4, 8),
        (Structure.GALACTIC_CONQUEST, 33, 5, 8),
        (Structure.GALACTIC_CONQUEST, 64, 5, 8),
        (Structure.GALACTIC_CONQUEST, 65, 6, 8),
        (Structure.GALACTIC_CONQUEST, 128, 6, 8),
        (Structure.GALACTIC_CONQUEST, 129, 7, 16),
        (Structure.GALACTIC_CONQUEST, 256, 7, 16),
        (Structure.GALACTIC_CONQUEST, 257, 8, 16),
        (Structure.FULL_SWISS, 4, 5, 0),
        (Structure.FULL_SWISS, 32, 5, 0),
        (Structure.FULL_SWISS, 33, 6, 0),
        (Structure.FULL_SWISS, 65, 7, 0),
        (Structure.FULL_SWISS, 129, 8, 0),
        (Structure.FULL_SWISS, 257, 9, 0),
        (Structure.BASIC, 4, 2, 0),
        (Structure.BASIC, 8, 2, 0),
        (Structure.BASIC, 9, 3, 0),
        (Structure.BASIC, 32, 3, 0),
        (Structure.BASIC, 33, 4, 0),
        (Structure.BASIC, 48, 4, 0),
        (Structure.BASIC, 49, 5, 0),
        (Structure.ADVANCED, 9, 3, 2),
        (Structure.ADVANCED, 24, 3, 2),
        (Structure.ADVANCED, 25, 4, 2),
        (Structure.ADVANCED, 44, 4, 2),
        (Structure.ADVANCED, 45, 5, 2),
        (Structure.ADVANCED, 90, 5, 2),
        (Structure.ADVANCED, 91, 5, 4),
    ],
)
def test_the_printed_rows(structure: Structure, players: int, rounds: int, cut: int) -> None:
    """E14, E15."""
    assert propose(structure, players) == Proposal(rounds, cut)


@pytest.mark.parametrize(
    ("structure", "players", "rule", "fewest"),
    [
        (Structure.GALACTIC_CONQUEST, 3, "E14", 4),
        (Structure.FULL_SWISS, 0, "E14", 4),
        (Structure.BASIC, 3, "E15", 4),
        (Structure.ADVANCED, 8, "E15", 9),
    ],
)
def test_too_few_players(structure: Structure, players: int, rule: str, fewest: int) -> None:
    with pytest.raises(RuleViolation) as caught:
        propose(structure, players)
    assert str(caught.value) == f"This structure needs at least {fewest} players. ({rule})"


def test_how_often_everyone_can_meet_somebody_new() -> None:
    """E16: four players can play three rounds, five can play five, each with one bye."""
    assert [most_rounds(players) for players in range(7)] == [0, 1, 1, 3, 3, 5, 5]
