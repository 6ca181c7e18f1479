"""Teams as pages show them: their members, and their place by the sum of the members' figures."""

from core.names import name_order
from rules.core.values import Value
from rules.tournaments.teams import team_standings
from tournaments.models import Entry, Team
from tournaments.pages.standings import Cell, cell_of, columns_of
from tournaments.queries.history import History


class TeamLine(Value):
    """A team. Before a round is closed its `rank` is 0, and it has no `cells`, which are in the order of the columns of
    the standings. `members` are its players, each with whether their results count.
    """

    team: Team
    name: str
    rank: int
    cells: tuple[Cell, ...]
    members: tuple[tuple[Entry, bool], ...]


def team_lines(history: History) -> list[TeamLine]:
    """Return the teams of an event, best first, in one query; by name until a round is closed."""
    event, standings = history.event, history.standings() if history.swiss() else ()
    known = {each.team: each for each in team_standings(event.rules, standings, history.teams, event.team_best or 0)}
    columns, lines = columns_of(event), []
    for team in event.teams.all():
        found = known.get(str(team.pk))
        pairs = zip(found.figures, columns, strict=True) if found else ()
        cells = tuple(cell_of(figure, column.short) for figure, column in pairs)
        members = [each for each in history.entries.values() if each.team_id == team.pk]
        counted = tuple((each, found is None or each.key in found.counted) for each in members)
        lines.append(TeamLine(team, team.name, found.rank if found else 0, cells, counted))
    return sorted(lines, key=lambda line: (not line.rank, line.rank, name_order(line.name), line.team.pk))
