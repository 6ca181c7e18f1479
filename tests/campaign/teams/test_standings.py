"""The standings of teams: sums over their Registers."""

from campaign.battles.pages.register_lines import Outline
from campaign.models import Enlistment
from campaign.teams.models import Team, TeamPlace
from campaign.teams.standings import TeamStanding, team_standings
from registers.models import Register

DAWN, RIM, LAST = (Team(name=name, colour="azure", emblem="star") for name in ("Dawn League", "Rim Pact", "Last Stand"))


def line(team: Team | None, reputation: int, *record: int, commissioned: bool = True) -> Outline:
    register = Register(reputation=reputation, commissioned=commissioned)
    register.enlistment = Enlistment(register=register)
    register.team_place = TeamPlace(register=register, team=team) if team else None
    won, drawn, lost = record
    return Outline(register=register, won=won, drawn=drawn, lost=lost)


def standing(number: int, team: Team, registers: int, reputation: int, *record: int) -> TeamStanding:
    won, drawn, lost = record
    return TeamStanding(
        number=number, team=team, registers=registers, reputation=reputation, won=won, drawn=drawn, lost=lost
    )


def test_the_sums_of_each_team_with_the_highest_reputation_first():
    lines = [
        line(DAWN, 3, 2, 0, 1),
        line(RIM, 2, 1, 1, 0),
        line(RIM, 2, 0, 0, 2),
        line(None, 9, 9, 0, 0),
        line(RIM, 9, 0, 0, 0, commissioned=False),
    ]
    assert team_standings(lines) == [standing(1, RIM, 2, 4, 1, 1, 2), standing(2, DAWN, 1, 3, 2, 0, 1)]


def test_equal_teams_share_a_number_and_fewer_defeats_decide():
    lines = [line(RIM, 1, 1, 0, 0), line(DAWN, 1, 1, 0, 0), line(LAST, 1, 1, 0, 1)]
    assert team_standings(lines) == [
        standing(1, DAWN, 1, 1, 1, 0, 0),
        standing(1, RIM, 1, 1, 1, 0, 0),
        standing(3, LAST, 1, 1, 1, 0, 1),
    ]


def test_a_team_of_another_campaign_counts_for_nothing():
    here = line(DAWN, 1, 1, 0, 0)
    here.register.enlistment.campaign_id = "0d1f2a35-0000-4000-8000-000000000000"
    assert team_standings([here]) == []
