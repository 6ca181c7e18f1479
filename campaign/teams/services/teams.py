"""Create, change and delete teams, and put Registers into them."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import RestrictedError
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.models import ActivityKind, Campaign
from campaign.services.activity import log_activities, log_activity
from campaign.services.locks import lock_campaign, lock_organized
from campaign.teams.models import LONGEST_NAME, Colour, Emblem, Team, TeamPlace, TeamSettings
from members.roles import is_organizer, is_player
from rules.core.violations import Violation, raise_if_any, refuse

ONLY_ORGANIZERS = gettext_noop("Only organizers can change teams.")
#: More teams than a campaign has players are of no use.
MOST = 12
CREATED, CHANGED, DELETED, JOINED, LEFT = "created", "changed", "deleted", "joined", "left"


@transaction.atomic
def save_team(*, actor: User, campaign: Campaign, team_id: UUID, name: str, colour: str, emblem: str) -> Team:
    """Create the team with this primary key, or change it. A form sent twice creates one team. Refuses anyone but an
    organizer, an empty, overlong or taken name, an unknown color or emblem, more than MOST teams, and a key of another
    campaign's team.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    name = " ".join(name.split())
    teams = {team.pk: team for team in campaign.teams.all()}
    raise_if_any(_violations(name, colour, emblem, [each for pk, each in teams.items() if pk != team_id]))
    team = teams.get(team_id)
    if team and (team.name, team.colour, team.emblem) == (name, colour, emblem):
        return team
    if team is None and Team.objects.filter(pk=team_id).exists():
        raise refuse("", gettext("This form is out of date. Reload the page."))
    if team is None and len(teams) >= MOST:
        raise refuse("", gettext("A campaign can have up to %(most)s teams. Change or delete one.") % {"most": MOST})
    what = CHANGED if team else CREATED
    team = team or Team(pk=team_id, campaign=campaign)
    team.name, team.colour, team.emblem = name, colour, emblem
    team.save()
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.TEAM, what=what, team=name)
    return team


@transaction.atomic
def delete_team(*, actor: User, campaign: Campaign, team_id: UUID) -> None:
    """Delete a team. Repeating it changes nothing. Refuses all but organizers, and a team in the star map's history."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if (team := campaign.teams.filter(pk=team_id).first()) is None:
        return
    try:
        team.delete()
    except RestrictedError:
        text = gettext("The history of the star map names %(team)s. Rename the team instead.") % {"team": team}
        raise refuse("", text) from None
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.TEAM, what=DELETED, team=team.name)


@transaction.atomic
def assign_registers(*, actor: User, campaign: Campaign, teams: Mapping[UUID, UUID | None]) -> None:
    """Put Registers (by primary key) into teams, or into none. A Register that is in its team already stays there.
    Organizers assign every Register of the campaign, players their own while `TeamSettings` lets them choose. Refuses
    everybody else, a Register of another campaign, and an unknown team.
    """
    campaign = lock_campaign(campaign)
    organizes = is_organizer(actor, campaign)
    if not organizes and not (players_choose(campaign) and is_player(actor, campaign)):
        raise refuse("", gettext("Only organizers can assign teams in this campaign."))
    registers = campaign.registers.filter(pk__in=teams, discarded=False)
    found = {each.pk: each for each in registers if organizes or each.owner_id == actor.pk}
    if found.keys() != teams.keys():
        raise refuse("", gettext("This Register is not in the campaign, or not yours."))
    known = {team.pk: team for team in campaign.teams.all()}
    if not {team for team in teams.values() if team} <= known.keys():
        raise refuse("", gettext("This team was deleted. Choose another one."))
    before = dict(TeamPlace.objects.filter(register__in=found).values_list("register", "team"))
    moved = {pk: team for pk, team in teams.items() if before.get(pk) != team}
    TeamPlace.objects.filter(register__in=moved).delete()
    TeamPlace.objects.bulk_create(TeamPlace(register_id=pk, team_id=team) for pk, team in moved.items() if team)
    facts = [
        {"what": JOINED if team else LEFT, "register": str(pk), "team": known[team].name if team else ""}
        for pk, team in moved.items()
    ]
    log_activities(actor=actor, kind=ActivityKind.TEAM, lines=((campaign, each) for each in facts))


@transaction.atomic
def let_players_choose(*, actor: User, campaign: Campaign, allowed: bool) -> None:
    """Let players choose the teams of their own Registers, or leave it to organizers. Refuses anyone else."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    TeamSettings.objects.update_or_create(campaign=campaign, defaults={"players_choose": allowed})


def players_choose(campaign: Campaign) -> bool:
    """Return whether players choose the teams of their own Registers: one query."""
    return TeamSettings.objects.filter(campaign=campaign, players_choose=True).exists()


def _violations(name: str, colour: str, emblem: str, others: list[Team]) -> Iterator[Violation]:
    if not name:
        yield Violation("", gettext("Enter a name for the team."), "name")
    if len(name) > LONGEST_NAME:
        yield Violation("", gettext("Use up to %(longest)s characters.") % {"longest": LONGEST_NAME}, "name")
    if name.casefold() in {team.name.casefold() for team in others}:
        yield Violation("", gettext("Another team has this name. Enter a different one."), "name")
    if colour not in Colour.values:
        yield Violation("", gettext("Choose a color."), "colour")
    if emblem not in Emblem.values:
        yield Violation("", gettext("Choose an emblem."), "emblem")
