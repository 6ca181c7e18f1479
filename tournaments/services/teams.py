"""Teams of an event, an option of ours: signing one up, joining and leaving it, and forming them by hand."""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from rules.core.violations import Violation, raise_if_any, refuse
from tournaments.access import check_not_ejected
from tournaments.models import Entry, Event, LogKind, Team
from tournaments.queries.entries import name_key
from tournaments.queries.rounds import paired_before
from tournaments.services.entries import LONGEST_NAME, check_state
from tournaments.services.locks import lock_event, lock_organized
from tournaments.services.log import log_line
from tournaments.services.pairing import redraw

#: States of an event in which its teams change.
CHANGEABLE = (Event.State.DRAFT, Event.State.OPEN, Event.State.CLOSED, Event.State.RUNNING)


@transaction.atomic
def create_team(*, actor: User | None, entry: Entry, name: str) -> Team:
    """Sign up a team with a player as its first member, and return it. Doing it again changes nothing. Refuses a name
    that is taken, and what `_assign` refuses.
    """
    event = _lock(entry)
    if entry.team and name_key(entry.team.name) == name_key(name):
        return entry.team
    team = Team.objects.create(event=event, name=_checked_name(event, name, None))
    _assign(actor, event, {entry: team})
    return team


@transaction.atomic
def join_team(*, actor: User | None, entry: Entry, word: str) -> Team:
    """Let a player join the team with a word, from another team or none, and return it. Joining again changes nothing.
    Refuses a word that no team has, and what `_assign` refuses.
    """
    event = _lock(entry)
    if (team := event.teams.filter(word=word).first()) is None:
        raise refuse("", gettext("No team of this event has this word. Ask a member of the team."), "word")
    _assign(actor, event, {entry: team})
    return team


@transaction.atomic
def leave_team(*, actor: User | None, entry: Entry) -> None:
    """Let a player leave their team, which is deleted without members. Without a team it changes nothing."""
    _assign(actor, _lock(entry), {entry: None})


@transaction.atomic
def save_team(*, actor: User, event: Event, team: Team | None, name: str, members: Sequence[str]) -> None:
    """Form a team (`team` None) or correct one, as an organizer: its name, and its members by their names, who leave
    other teams. Without members it is deleted. The same team sent twice is formed once. Refuses a name that is taken,
    names that no player has, and what `_assign` refuses.
    """
    locked = lock_organized(actor, event)
    check_state(locked, CHANGEABLE)
    known = {name_key(each.name): each for each in locked.entries.select_related("team")}
    keys = [name_key(each) for each in members]
    wanted = [known[key] for key in keys if key in known]
    if team is None and wanted and all(each.team and each.team.name == name.strip() for each in wanted):
        return
    unknown = [each for each, key in zip(members, keys, strict=True) if key not in known]
    text = gettext("No player of this event has this name: %(names)s") % {"names": ", ".join(unknown)}
    raise_if_any([Violation("", text, "members")] if unknown else [])
    name = _checked_name(locked, name, team)
    if team is None:
        team = Team.objects.create(event=locked, name=name)
    elif team.name != name:
        update(team, name=name)
    gone = [each for each in known.values() if each.team_id == team.pk and each not in wanted]
    _assign(actor, locked, {**dict.fromkeys(gone), **dict.fromkeys(wanted, team)})


def _lock(entry: Entry) -> Event:
    """Lock the event of a player who changes their own team, and read the player again."""
    event = lock_event(entry.event)
    check_state(event, CHANGEABLE)
    entry.refresh_from_db()
    check_not_ejected(entry)
    return event


def _checked_name(event: Event, name: str, team: Team | None) -> str:
    name, others = name.strip(), event.teams.exclude(pk=team.pk if team else 0)
    if not 0 < len(name) <= LONGEST_NAME:
        raise refuse("", gettext("Enter a name of up to %(number)s characters.") % {"number": LONGEST_NAME}, "name")
    if name_key(name) in map(name_key, others.values_list("name", flat=True)):
        raise refuse("", gettext("Another team is called %(name)s. Choose another name.") % {"name": name}, "name")
    return name


def _assign(actor: User | None, event: Event, teams: Mapping[Entry, Team | None]) -> None:
    """Let players of a locked event join one team or leave theirs, delete teams without members, and draw a draft
    again. Refuses it in an event without teams, a team that is too large, and players whom a published round has:
    teammates are kept apart by the teams of that draw, which can be checked (E23).
    """
    changed = {entry: team for entry, team in teams.items() if entry.team_id != (team.pk if team else None)}
    if event.team_size is None:
        raise refuse("", gettext("This event has no teams."))
    if paired := paired_before(changed.keys()):
        raise refuse("", gettext("%(player)s has been paired. Their team is final.") % {"player": paired[0].name})
    for entry, team in changed.items():
        entry.team = team
        log_line(actor, event, LogKind.ENTRY, entry=entry.number, team=team.name if team else "")
    Entry.objects.bulk_update(changed, ["team"])
    joined = next(filter(None, changed.values()), None)
    if joined and joined.members.count() > event.team_size:
        text = gettext("%(team)s is full: a team has %(number)s players.")
        raise refuse("", text % {"team": joined.name, "number": event.team_size})
    event.teams.filter(members=None).delete()
    if changed:
        redraw(event=event, because="teams")
