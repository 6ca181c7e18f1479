"""The table of a league, over its finished events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.names import name_order
from rules.core.values import Value
from tournaments.models import Entry, Event, League
from tournaments.queries.history import histories_of
from tournaments.queries.results import person_keys
from tournaments.queries.standings import Placed, Places


@dataclass(slots=True)
class LeagueLine:
    """A player of a league. Equal points share a `rank`. `results` have `place` and `points` of each event in order."""

    name: str
    rank: int = 0
    points: int = 0
    results: list[dict[str, Any]] = field(default_factory=list)


class LeagueTable(Value):
    """The events that count, the first one first, and the players, best first."""

    events: list[Event]
    lines: list[LeagueLine]


def points_for(league: League, placed: Placed) -> int:
    """Return the points for a place: places 3–4 both get those of 3; below the table there are participation points."""
    if placed.first <= len(league.points):
        return int(league.points[placed.first - 1])
    return league.participation_points


def table_of(league: League, events: Sequence[Event]) -> LeagueTable:
    """Return the table over those of the events that are finished, in four queries. Players are known as by
    `person_keys`. The `best` results of a player count. Ejected players get no points (E4). Equal points share a rank.
    """
    finished = sorted(
        (event for event in events if event.state == Event.State.FINISHED),
        key=lambda event: ((event.starts_at or event.created_at), str(event.pk)),
    )
    lines: dict[object, LeagueLine] = {}
    histories = histories_of(finished)
    people = person_keys(entry for history in histories for entry in history.entries.values())
    for history in histories:
        for placed in Places(history).all:
            entry = placed.entry
            if entry.state != Entry.State.EJECTED:
                line = lines.setdefault(people[entry.pk], LeagueLine(entry.name))
                line.name, points = entry.name, points_for(league, placed)
                place = placed.place.replace("-", "–")
                line.results.append({"event": history.event, "entry": entry, "place": place, "points": points})
    for line in lines.values():
        best = sorted(line.results, key=lambda each: -each["points"])[: league.best]
        line.points = sum(each["points"] for each in best)
        line.results = [{**each, "counts": each in best} for each in line.results]
    return LeagueTable(finished, ranked(lines.values()))


def ranked(lines: Iterable[LeagueLine]) -> list[LeagueLine]:
    """Return lines by points, with their ranks: equal points share one."""
    ordered = sorted(lines, key=lambda line: (-line.points, name_order(line.name)))
    for place, line in enumerate(ordered):
        tied = place and ordered[place - 1].points == line.points
        line.rank = ordered[place - 1].rank if tied else place + 1
    return ordered
