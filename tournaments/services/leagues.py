"""Leagues: create, change, and choose the events that count."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from members.roles import is_organizer
from rules.core.violations import refuse
from tournaments.models import Event, League, LogKind
from tournaments.services.locks import lock_event
from tournaments.services.log import log_line

LONGEST_NAME, LONGEST_ABOUT = 80, 5000
MOST_PLACES, MOST_POINTS = 128, 10_000
FOREIGN_EVENT = gettext_lazy("Choose an event that you organize.")


@transaction.atomic
def create_league(
    *,
    actor: User,
    name: str,
    points: Sequence[int],
    participation_points: int = 0,
    about: str = "",
    league_id: UUID | None = None,
) -> League:
    """Create a league that `actor` owns. `points` are those of each place, the first place first. `league_id` is its
    primary key, so that a form sent twice creates one. Refuses an empty or overlong name, and points that fall below
    those of a later place.
    """
    fields = _checked(name, points, participation_points, about)
    league, new = League.objects.get_or_create(pk=league_id or uuid4(), defaults={**fields, "owner": actor})
    if not new and league.owner_id != actor.pk:
        raise refuse("", gettext("This league belongs to another person."))
    return league


@transaction.atomic
def change_league(
    *, actor: User, league: League, name: str, points: Sequence[int], participation_points: int, about: str
) -> League:
    """Change a league; its table is computed again. Refuses all but its owner, and what `create_league` refuses."""
    locked = _lock(actor, league)
    for field, value in _checked(name, points, participation_points, about).items():
        setattr(locked, field, value)
    locked.save()
    return locked


@transaction.atomic
def attach_event(*, actor: User, league: League, event: Event) -> None:
    """Let an event count for a league, instead of any other league. Doing it again changes nothing. Refuses anyone but
    the league's owner, and an event that they do not organize.
    """
    locked = _lock(actor, league)
    event = lock_event(event)
    if not is_organizer(actor, event):
        raise refuse("", str(FOREIGN_EVENT), "event")
    if event.league_id != locked.pk:
        event.league = locked
        event.save(update_fields=["league"])
        log_line(actor=actor, event=event, kind=LogKind.SETTINGS, league=locked.name)


@transaction.atomic
def detach_event(*, actor: User, league: League, event: Event) -> None:
    """Take an event out of a league. Refuses all but the league's owner and the event's organizers. Idempotent."""
    event = lock_event(event)
    if not is_organizer(actor, event):
        _lock(actor, league)
    if event.league_id == league.pk:
        event.league = None
        event.save(update_fields=["league"])
        log_line(actor=actor, event=event, kind=LogKind.SETTINGS, league="")


def _lock(actor: User, league: League) -> League:
    locked = League.objects.select_for_update(of=("self",), no_key=True).get(pk=league.pk)
    if locked.owner_id != actor.pk and not actor.is_staff:
        raise refuse("", gettext("Only the owner of this league can do this."))
    return locked


def _checked(name: str, points: Sequence[int], participation_points: int, about: str) -> dict[str, object]:
    name, about = name.strip(), about.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise refuse(
            "", gettext("Give the league a name of up to %(number)s characters.") % {"number": LONGEST_NAME}, "name"
        )
    if len(about) > LONGEST_ABOUT:
        raise refuse("", gettext("Use up to %(number)s characters.") % {"number": LONGEST_ABOUT}, "about")
    if not 0 < len(points) <= MOST_PLACES:
        raise refuse("", gettext("Enter the points of 1 to %(number)s places.") % {"number": MOST_PLACES}, "points")
    if not all(0 <= each <= MOST_POINTS for each in (*points, participation_points)):
        raise refuse("", gettext("Points are whole numbers from 0 to %(number)s.") % {"number": MOST_POINTS}, "points")
    if list(points) != sorted(points, reverse=True) or participation_points > points[-1]:
        text = gettext("A better place cannot be worth less than a lower one. Enter the first place first.")
        raise refuse("", text, "points")
    return {"name": name, "about": about, "points": list(points), "participation_points": participation_points}
