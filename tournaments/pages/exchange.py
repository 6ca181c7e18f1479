"""An event as tables for a spreadsheet: pairings, results, standings."""

from collections.abc import Callable, Iterator, Mapping

from core.tables import csv_of
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Game, Round
from tournaments.queries.results import counted_figures
from tournaments.queries.standings import Places

Row = tuple[object, ...]
#: Decimals before each exact fraction.
DECIMALS = 6


def event_csv(places: Places, table: str) -> str:
    """Return a table as CSV, one of `TABLES`. Drafts of rounds and results that are not confirmed are left out."""
    return csv_of(TABLES[table](places))


def _pairings(places: Places) -> Iterator[Row]:
    yield ("Round", "Stage", "Table", "Number", "Player", "Opponent number", "Opponent")
    for each, game in _games(places):
        yield (each.number, each.stage, game.table or "", *_who(game.first), *_who(game.second))


def _results(places: Places) -> Iterator[Row]:
    yield (
        "Round", "Stage", "Table", "Number", "Player", "Opponent number", "Opponent", "Ending", "Winner",
        "Points defeated", "Opponent's points defeated", "Victory tokens", "Opponent's victory tokens",
        "Conceded or did not appear", "Blue player", "Priority roll", "Mission",
    )  # fmt: skip
    names = {entry.pk: entry.name for entry in places.history.entries.values()}
    for each, game in _games(places):
        start = (each.number, each.stage, game.table or "", *_who(game.first), *_who(game.second))
        if game.second_id is None:
            yield (*start, "bye", names.get(game.first_id), *[""] * 8)
        elif game.state == Game.State.CONFIRMED:
            points, tokens = counted_figures(places.event.rules, game)
            yield (
                *start, game.how, names.get(game.winner_id), *points, *tokens, names.get(game.by_id),
                names.get(game.blue_id), names.get(game.roll_id), game.mission,
            )  # fmt: skip


def _standings(places: Places) -> Iterator[Row]:
    conquest = places.event.rule_set == RuleSet.GALACTIC_CONQUEST
    figures = {"Strength of schedule": "strength_of_schedule"}
    if not conquest:
        figures = {
            "Average MOV": "average_margin", "Extended average MOV": "extended_average_margin", **figures,
            "Extended strength of schedule": "extended_strength_of_schedule",
        }  # fmt: skip
    heads = [f"{name}{part}" for name in figures for part in ("", " (numerator)", " (denominator)")]
    yield (
        "Place", "Rank", "Number", "Player", "Club", "State", "Event points", "Rounds", *heads, "Points defeated",
        "Victory tokens", "Ticket",
    )  # fmt: skip
    for placed in places.all:
        entry, standing = placed.entry, placed.standing
        place = int(placed.place) if placed.place.isdecimal() else placed.place
        cells: Row = ("",) * (len(heads) + 5)
        if standing:
            values = [getattr(standing, name) for name in figures.values()]
            exact = (cell for each in values for cell in (round(float(each), DECIMALS), *each.as_integer_ratio()))
            ends = (standing.points_defeated, standing.tokens, str(standing.ticket))
            cells = (standing.points, standing.rounds, *exact, *ends)
        yield (place, standing.rank if standing else "", *_who(entry), entry.club, entry.state, *cells)


def _games(places: Places) -> Iterator[tuple[Round, Game]]:
    for each in places.history.rounds:
        if each.state != Round.State.DRAFT:
            for game in each.games.all():
                yield each, game


def _who(entry: Entry | None) -> Row:
    return (entry.number, entry.name) if entry else ("", "")


#: The tables by the name in their address.
TABLES: Mapping[str, Callable[[Places], Iterator[Row]]] = {
    "pairings": _pairings, "results": _results, "standings": _standings,
}  # fmt: skip
