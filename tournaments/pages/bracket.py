"""The bracket as pages show it: columns with their games, the seeds, and the places (E38–E43)."""

from dataclasses import dataclass

from django.utils.translation import gettext

from rules.tournaments.results import Ending
from tournaments.models import Entry, Game, LogKind, Round
from tournaments.queries.history import History, bracket_game
from tournaments.queries.rounds import column_name


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketSide:
    """A line of a game: a player, or where one will come from. `number` is 0 and `waits_for` a sentence until the
    player is known. `score` is empty while the game has no result; `seed` is 0 in an event without seeds.
    """

    number: int = 0
    name: str = ""
    seed: int = 0
    waits_for: str = ""
    points: int | None = None
    tokens: int | None = None
    won: bool = False
    lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketCell:
    """A game in its column. `note` says how it was decided if not by a win: a bye, a priority roll (E40, E41)."""

    place: int
    table: int
    sides: tuple[BracketSide, BracketSide]
    note: str = ""


@dataclass(frozen=True, slots=True)
class BracketColumn:
    """A round of the bracket; `number` is that of its round, 0 while it is not published."""

    name: str
    number: int
    games: tuple[BracketCell, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The bracket; without columns while it is not published. `places` are the players of each place, best first."""

    columns: tuple[BracketColumn, ...]
    places: tuple[tuple[str, tuple[BracketSide, ...]], ...]

    @property
    def winner(self) -> BracketSide | None:
        """The winner of the bracket (E43), None until it is known."""
        return next((sides[0] for place, sides in self.places if place == "1"), None)


def bracket_of(history: History) -> Bracket:
    """Return the published bracket of an event, in one query besides those of the history."""
    history = history.published
    rounds = history.of_stage(Round.Stage.BRACKET)
    if not rounds:
        return Bracket((), ())
    seeds = _seeds(history)
    columns = [_column(each, seeds) for each in rounds]
    while len(columns[-1].games) > 1:
        columns.append(_later_column(columns[-1]))
    return Bracket(tuple(columns), _places(history, seeds))


def _seeds(history: History) -> dict[int, int]:
    """Return the seed of each entry by its number, from the last cut; empty in an event that is elimination only."""
    line = history.event.log.filter(kind=LogKind.CUT).first()
    numbers = line.facts.get("seeds", []) if line else []
    return {number: seed for seed, number in enumerate(numbers, start=1)}


def _column(each: Round, seeds: dict[int, int]) -> BracketColumn:
    games = list(each.games.all())
    return BracketColumn(column_name(len(games)), each.number, tuple(_cell(game, seeds) for game in games))


def _cell(game: Game, seeds: dict[int, int]) -> BracketCell:
    decided = bracket_game(game)
    confirmed = game.state == Game.State.CONFIRMED and game.second is not None
    sides = []
    for entry, points, tokens in (
        (game.first, game.first_points, game.first_tokens), (game.second, game.second_points, game.second_tokens),
    ):  # fmt: skip
        if entry is None:
            sides.append(BracketSide(waits_for=gettext("Bye") if game.first else gettext("Nobody")))
            continue
        side = BracketSide(
            number=entry.number, name=entry.name, seed=seeds.get(entry.number, 0),
            points=points if confirmed else None, tokens=tokens if confirmed else None,
            won=decided.winner == entry.key, lost=bool(decided.winner) and decided.winner != entry.key,
        )  # fmt: skip
        sides.append(side)
    return BracketCell(place=game.place, table=game.table, sides=(sides[0], sides[1]), note=_note(game, confirmed))


def _note(game: Game, confirmed: bool) -> str:
    if not confirmed:
        return ""
    roll = {entry.pk: entry.name for entry in game.pair}.get(game.roll_id or 0)
    if not game.winner_id and roll:
        return gettext("Draw. %(player)s won the priority roll.") % {"player": roll}
    if game.how == Ending.CONCEDED:
        return gettext("Conceded.")
    return gettext("No-show.") if game.how == Ending.NO_SHOW else ""


def _later_column(before: BracketColumn) -> BracketColumn:
    """Return the column after one, with the players who are certain: the bracket is fixed (E39)."""
    games = []
    for place in range(0, len(before.games), 2):
        one, other = (_advancing(game) for game in before.games[place : place + 2])
        games.append(BracketCell(place=place // 2 + 1, table=0, sides=(one, other)))
    return BracketColumn(column_name(len(games)), 0, tuple(games))


def _advancing(game: BracketCell) -> BracketSide:
    winner = next((side for side in game.sides if side.won), None)
    if winner:
        return BracketSide(number=winner.number, name=winner.name, seed=winner.seed)
    return BracketSide(waits_for=gettext("Winner of game %(number)s") % {"number": game.place})


def _places(history: History, seeds: dict[int, int]) -> tuple[tuple[str, tuple[BracketSide, ...]], ...]:
    groups: dict[str, list[Entry]] = {}
    for key, place in history.places().items():
        groups.setdefault(place, []).append(history.entries[key])
    return tuple(
        (
            place.replace("-", "–"),
            tuple(
                BracketSide(number=entry.number, name=entry.name, seed=seeds.get(entry.number, 0))
                for entry in sorted(groups[place], key=lambda entry: (seeds.get(entry.number, 0), entry.number))
            ),
        )
        for place in sorted(groups, key=lambda place: int(place.partition("-")[0]))
    )
