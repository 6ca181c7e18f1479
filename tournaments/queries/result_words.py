"""The result of a game in words, as a player or a judge reads it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from rules.tournaments.results import Ending
from tournaments.models import Entry, Game

ENDING_NAMES = {
    Ending.VICTORY: _("Victory"),
    Ending.TIME: _("Time"),
    Ending.DRAW: _("Draw, not played"),
    Ending.CONCEDED: _("Conceded"),
    Ending.NO_SHOW: _("No-show"),
    Ending.ALL_DEFEATED: _("All defeated"),
    Ending.BOTH_DEFEATED: _("Both defeated"),
    Ending.SIX_ROUNDS: _("Six rounds"),
}


@dataclass(frozen=True, slots=True)
class SideWords:
    """One player of a result: points defeated, victory tokens, and whether they won, were blue, gave up or won the
    priority roll.
    """

    entry: Entry
    points: int
    tokens: int
    won: bool
    is_blue: bool
    gave_up: bool
    won_roll: bool


@dataclass(frozen=True, slots=True)
class ResultWords:
    """A result: how the game ended, and its two players, the reader first."""

    how: str
    sides: tuple[SideWords, SideWords]
    agreed: bool

    @property
    def winner(self) -> Entry | None:
        """Return who won, None for a draw."""
        return next((side.entry for side in self.sides if side.won), None)


def result_words(game: Game, reader: Entry | None = None) -> ResultWords | None:
    """Return the result of a game of two entries as it was entered, the `reader` first; None if there is none."""
    if not game.how:
        return None
    first, second = game.pair
    one = _side(game, first, game.first_points, game.first_tokens)
    other = _side(game, second, game.second_points, game.second_tokens)
    sides = (other, one) if reader is not None and reader.pk == second.pk else (one, other)
    return ResultWords(str(ENDING_NAMES[Ending(game.how)]), sides, game.agreed)


def _side(game: Game, entry: Entry, points: int, tokens: int) -> SideWords:
    return SideWords(
        entry, points, tokens, won=game.winner_id == entry.pk, is_blue=game.blue_id == entry.pk,
        gave_up=game.by_id == entry.pk, won_roll=game.roll_id == entry.pk,
    )  # fmt: skip
