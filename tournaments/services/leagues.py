"""Leagues: create, change, and choose the events that count."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User, has_right
from core.db.rows import update
from members.roles import ORGANIZE, is_organizer
from rules.core.violations import refuse
from tournaments.models import Event, League, LogKind
from tournaments.services.locks import lock_event
from tournaments.services.log import log_line

LONGEST_NAME, LONGEST_ABOUT = 80, 5000
MOST_PLACES, MOST_POINTS = 128, 10_000
FOREIGN_EVENT = gettext_lazy("Choose an event that you organize.")


@transaction.atomic
def save_league(*, actor: User, key: UUID, **values: Any) -> League:
    """Create the league with this primary key, which `actor` owns, or change it; a form sent twice creates one.
    `values` are fields of `League`: `points` those of each place, the first place first. Refuses an empty or overlong
    name, points that fall below those of a later place, and the league of somebody else.
    """
    fields = _checked(**values)
    league, is_new = League.objects.get_or_create(pk=key, defaults={**fields, "owner": actor})
    if not is_new:
        league = _lock(actor, league)
        for field, value in fields.items():
            setattr(league, field, value)
        league.save()
    return league


@transaction.atomic
def attach_event(*, actor: User, league: League, event: Event) -> None:
    """Let an event count for a league, instead of any other league. Doing it again changes nothing. Refuses anyone but
    the league's owner, and an event that they do not organize.
    """
    event, locked = lock_event(event), _lock(actor, league)
    if not is_organizer(actor, event):
        raise refuse("", str(FOREIGN_EVENT), "event")
    if event.league_id != locked.pk:
        update(event, league=locked)
        log_line(actor, event, LogKind.SETTINGS, league=locked.name)


@transaction.atomic
def detach_event(*, actor: User, league: League, event: Event) -> None:
    """Take an event out of a league. Refuses all but the league's owner and the event's organizers. Idempotent."""
    event = lock_event(event)
    if not is_organizer(actor, event):
        _lock(actor, league)
    if event.league_id == league.pk:
        update(event, league=None)
        log_line(actor, event, LogKind.SETTINGS, league="")


def _lock(actor: User, league: League) -> League:
    locked = League.objects.select_for_update(of=("self",), no_key=True).get(pk=league.pk)
    if locked.owner_id != actor.pk and not has_right(actor, ORGANIZE):
        raise refuse("", gettext("Only the owner of this league can do this."))
    return locked


def _checked(
    *, name: str, points: Sequence[int], participation_points: int = 0, about: str = "", best: int | None = None
) -> dict[str, Any]:
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
    return {
        "name": name, "about": about, "points": list(points), "participation_points": participation_points,
        "best": best,
    }  # fmt: skip
