"""Standings of teams, an option of ours: the figures of their members added up."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules.core.values import Value
from rules.tournaments.rule_sets import EventRules
from rules.tournaments.standings import Standing, figures_compared


class TeamStanding(Value):
    """A team with its rank from 1, its `figures` in the order in which they are compared, and the `counted` members."""

    team: str
    rank: int
    figures: tuple[Fraction | int, ...]
    counted: tuple[str, ...]


def team_standings(
    rules: EventRules, ordered: Sequence[Standing], teams: Mapping[str, str], best: int = 0
) -> tuple[TeamStanding, ...]:
    """Return the teams in order, best first: the sums of the figures of their members, of the `best` alone if that is
    not 0, compared as those of players are (E33); then the higher place of the best member. `ordered` are the standings
    of the players, best first, and `teams` the team of each who has one. Members who have left count like others.
    """
    members: dict[str, list[Standing]] = {}
    for standing in ordered:
        if standing.player in teams:
            members.setdefault(teams[standing.player], []).append(standing)
    found = []
    for team, standings in members.items():
        counted = standings[:best] if best else standings
        figures = tuple(
            sum(column) for column in zip(*(figures_compared(rules, each) for each in counted), strict=True)
        )
        found.append((figures, counted[0].rank, team, tuple(each.player for each in counted)))
    found.sort(key=lambda each: (tuple(-figure for figure in each[0]), each[1]))
    return tuple(
        TeamStanding(team, rank, figures, counted)
        for rank, (figures, _best, team, counted) in enumerate(found, start=1)
    )
