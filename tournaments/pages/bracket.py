"""The bracket as pages show it: columns with their games, the seeds, and the places (E38–E43)."""

from django.utils.translation import gettext

from rules.core.values import KeywordValue, Value
from rules.tournaments.results import GIVEN_UP, Ending
from rules.tournaments.rule_sets import EventRules
from tournaments.models import Entry, Game, LogKind, Round
from tournaments.pages.results import Side, side_of
from tournaments.queries.history import History
from tournaments.queries.results import ENDING_NAMES
from tournaments.queries.rounds import column_name


class BracketCell(KeywordValue):
    """A game in its column. `note` says how it was decided if not by a win: a bye, a priority roll (E40, E41)."""

    place: int
    table: int
    sides: tuple[Side, Side]
    note: str = ""


class BracketColumn(Value):
    """A round of the bracket; `number` is that of its round, 0 while it is not published."""

    name: str
    number: int
    games: tuple[BracketCell, ...]


class Bracket(Value):
    """The bracket; without columns while it is not published. `places` are the players of each place, best first."""

    columns: tuple[BracketColumn, ...]
    places: tuple[tuple[str, tuple[Side, ...]], ...]

    @property
    def winner(self) -> Side | None:
        """The winner of the bracket (E43), None until it is known."""
        return next((sides[0] for place, sides in self.places if place == "1"), None)


def bracket_of(history: History) -> Bracket:
    """Return the published bracket of an event, in one query besides those of the history."""
    history = history.published
    if not (rounds := history.of_stage(Round.Stage.BRACKET)):
        return Bracket((), ())
    seeds, rules = _seeds(history), history.event.rules
    columns = [
        BracketColumn(
            column_name(len(each.games.all())),
            each.number,
            tuple(_cell(game, seeds, rules) for game in each.games.all()),
        )
        for each in rounds
    ]
    while len(columns[-1].games) > 1:
        columns.append(_later_column(columns[-1]))
    return Bracket(tuple(columns), _places(history, seeds))


def _seeds(history: History) -> dict[int, int]:
    """Return the seed of each entry by its number, from the last cut; empty in an event that is elimination only."""
    line = history.event.log.filter(kind=LogKind.CUT).first()
    numbers = line.facts.get("seeds", []) if line else []
    return {number: seed for seed, number in enumerate(numbers, start=1)}


def _cell(game: Game, seeds: dict[int, int], rules: EventRules) -> BracketCell:
    if game.first is None or game.second is None:
        nobody = Side(waits_for=gettext("Bye") if game.first else gettext("Nobody"))
        alone = _player(game.first, seeds, won=True) if game.first else nobody
        return BracketCell(place=game.place, table=game.table, sides=(alone, nobody))
    confirmed = game.state == Game.State.CONFIRMED
    one, other = (
        side_of(game, entry, rules, has_result=confirmed, seed=seeds.get(entry.number, 0)) for entry in game.pair
    )
    return BracketCell(place=game.place, table=game.table, sides=(one, other), note=_note(game, confirmed))


def _player(entry: Entry, seeds: dict[int, int], *, won: bool = False) -> Side:
    return Side(number=entry.number, name=entry.name, seed=seeds.get(entry.number, 0), won=won)


def _note(game: Game, confirmed: bool) -> str:
    if not confirmed:
        return ""
    if not game.winner_id and game.roll_id:
        roll = next(entry.name for entry in game.pair if entry.pk == game.roll_id)
        return gettext("Draw. %(player)s won the priority roll.") % {"player": roll}
    return f"{ENDING_NAMES[Ending(game.how)]}." if game.how in GIVEN_UP else ""


def _later_column(before: BracketColumn) -> BracketColumn:
    """Return the column after one, with the players who are certain: the bracket is fixed (E39)."""
    games = []
    for place in range(0, len(before.games), 2):
        one, other = (_advancing(game) for game in before.games[place : place + 2])
        games.append(BracketCell(place=place // 2 + 1, table=0, sides=(one, other)))
    return BracketColumn(column_name(len(games)), 0, tuple(games))


def _advancing(game: BracketCell) -> Side:
    winner = next((side for side in game.sides if side.won), None)
    if winner:
        return Side(number=winner.number, name=winner.name, seed=winner.seed)
    return Side(waits_for=gettext("Winner of game %(number)s") % {"number": game.place})


def _places(history: History, seeds: dict[int, int]) -> tuple[tuple[str, tuple[Side, ...]], ...]:
    groups: dict[str, list[Entry]] = {}
    for key, place in history.places().items():
        groups.setdefault(place, []).append(history.entries[key])

    def order(entry: Entry) -> tuple[int, int]:
        return seeds.get(entry.number, 0), entry.number

    return tuple(
        (place.replace("-", "–"), tuple(_player(entry, seeds) for entry in sorted(groups[place], key=order)))
        for place in sorted(groups, key=lambda place: int(place.partition("-")[0]))
    )
