"""What rounds are called: Swiss rounds by their number, rounds of a bracket by the players who are left."""

from __future__ import annotations

from rules.core.translation import gettext
from tournaments.models import Round


def round_name(each: Round, games: int | None = None) -> str:
    """Return the name of a round: "Round 2", "Quarterfinals". `games` are those of its column, byes included; without
    it they are counted.
    """
    if each.stage == Round.Stage.SWISS:
        return gettext("Round {number}", number=each.number)
    return column_name(each.games.count() if games is None else games)


def column_name(games: int) -> str:
    """Return the name of a column of a bracket with so many games, byes included."""
    if games == 1:
        return gettext("Final")
    if games == 2:
        return gettext("Semifinals")
    if games == 4:
        return gettext("Quarterfinals")
    return gettext("Round of {number}", number=2 * games)
