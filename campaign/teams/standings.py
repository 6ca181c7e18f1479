"""The standings of teams: what the Registers of each have achieved together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from campaign.teams.models import Team
from core.names import name_order
from registers.models import Register
from rules.core.values import KeywordValue

if TYPE_CHECKING:
    from campaign.battles.pages.register_lines import Outline


class TeamStanding(KeywordValue):
    """A team with the sums of its commissioned Registers: how many there are, their Reputation, and their battles.
    Teams with the same Reputation and the same record share a `number`.
    """

    number: int
    team: Team
    registers: int
    reputation: int
    won: int
    drawn: int
    lost: int


def team_of(register: Register) -> Team | None:
    """Return the team of a Register in its campaign, None without one. It queries nothing, so the Register must come
    from `campaign.queries.registers.registers_of`, which has read teams; others have none here.
    """
    place = getattr(register, "team_place", None) if Register.team_place.is_cached(register) else None
    if place is None or place.team.campaign_id != register.enlistment.campaign_id:
        return None
    team: Team = place.team
    return team


def team_standings(lines: Iterable[Outline]) -> list[TeamStanding]:
    """Return the standings of the teams of these Registers, highest Reputation first, then by battles won and drawn.
    Unfinished Registers count for nothing, as in the standings of the campaign.
    """
    by_team = defaultdict[Team, list["Outline"]](list)
    for line in lines:
        if line.register.commissioned and (team := team_of(line.register)):
            by_team[team].append(line)
    found = [
        TeamStanding(
            number=0,
            team=team,
            registers=len(own),
            reputation=sum(line.register.reputation for line in own),
            **{name: sum(getattr(line, name) for line in own) for name in ("won", "drawn", "lost")},
        )
        for team, own in by_team.items()
    ]

    def achieved(each: TeamStanding) -> tuple[int, int, int, int]:
        return -each.reputation, -each.won, -each.drawn, each.lost

    found.sort(key=lambda each: (achieved(each), name_order(each.team.name)))
    first: dict[tuple[int, int, int, int], int] = {}
    return [replace(each, number=first.setdefault(achieved(each), at)) for at, each in enumerate(found, start=1)]
