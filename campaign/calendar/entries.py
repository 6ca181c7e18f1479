"""What is in a calendar: battles, and the last days of rounds."""

import datetime
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from uuid import UUID

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from campaign.battles.access import SIDES, fighters_of
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import both_ways, clock_text, status_text
from campaign.models import Campaign
from campaign.schedule.models import Round
from core.ics import Appointment
from core.time_zones import zone_of
from rules.core.values import Value


class CalendarEntry(Appointment):
    """One thing in the calendar of a campaign, whose name is shown in personal calendars. `note` is for the page.
    `mine`: the person the calendar is drawn for takes part. `number` is that of a battle in its campaign, 0 for others.
    """

    campaign: Campaign
    note: str = ""
    mine: bool = False
    number: int = 0


def campaign_entries(
    campaign: Campaign,
    first: datetime.date | None = None,
    last: datetime.date | None = None,
    *,
    user: User | None = None,
    public: bool = False,
) -> list[CalendarEntry]:
    """Return a campaign's entries between two days as `user` sees them. Public ones have no place, guest or note."""
    battles = Battle.objects.filter(campaign=campaign)
    return _entries(battles, [campaign.pk], first, last, user=user, public=public)


def personal_entries(
    user: User, first: datetime.date | None = None, last: datetime.date | None = None
) -> list[CalendarEntry]:
    """Return a person's entries in all their campaigns, in order: their battles, and what concerns whole campaigns."""
    campaigns = list(Campaign.objects.filter(memberships__user=user).values_list("pk", flat=True))
    return _entries(battles_for(user), campaigns, first, last, user=user)


def battles_for(user: User) -> QuerySet[Battle]:
    """Return the battles of a person's Registers, in campaigns that they are in."""
    own = Side.objects.filter(register__owner=user)
    campaigns = Campaign.objects.filter(memberships__user=user).values("pk")
    return Battle.objects.filter(pk__in=own.values("battle"), campaign__in=campaigns)


def first_after(battles: QuerySet[Battle], day: datetime.date) -> datetime.date | None:
    """Return the date of the next battle after a day, if there is one that is not canceled."""
    to_come = battles.filter(date__gt=day).exclude(status=Battle.Status.CANCELLED).order_by("date")
    return to_come.values_list("date", flat=True).first()


class Day(Value):
    """The entries of one day."""

    day: datetime.date
    entries: list[CalendarEntry]

    @property
    def weekday(self) -> str:
        """The name of the weekday."""
        return date_format(self.day, "l")


def by_day(entries: Iterable[CalendarEntry], first: datetime.date, last: datetime.date) -> list[Day]:
    """Return every day from `first` to `last` with its entries in order, no day if there are none. What began before
    `first` is shown on that day.
    """
    shown = (entry for entry in entries if not entry.canceled)
    found = {day: list(each) for day, each in groupby(shown, key=lambda entry: max(entry.day, first))}
    number = (last - first).days + 1 if found else 0
    return [Day(day, found.get(day, [])) for day in (first + datetime.timedelta(days=n) for n in range(number))]


def _entries(
    battles: QuerySet[Battle],
    campaigns: Collection[UUID],
    first: datetime.date | None,
    last: datetime.date | None,
    *,
    user: User | None,
    public: bool = False,
) -> list[CalendarEntry]:
    if first:
        battles = battles.filter(date__gte=first)
    if last:
        battles = battles.filter(date__lte=last)
    found = [_battle(each, user, public) for each in battles.select_related("campaign").prefetch_related(SIDES)]
    found += _rounds(campaigns, first, last)
    return sorted(found, key=_order)


def _rounds(
    campaigns: Collection[UUID], first: datetime.date | None, last: datetime.date | None
) -> Iterator[CalendarEntry]:
    """Yield the last days of rounds whose battles exist. The public may read them."""
    found = Round.objects.filter(campaign__in=campaigns, state=Round.State.CREATED)
    if first:
        found = found.filter(due__gte=first)
    if last:
        found = found.filter(due__lte=last)
    for each in found.select_related("campaign"):
        title = gettext("%(round)s is due") % {"round": each}
        yield CalendarEntry(
            key=f"round-{each.pk}",
            title=title,
            campaign=each.campaign,
            day=each.due,
            changed_at=each.created_at,
            text=gettext("%(round)s of %(campaign)s") % {"round": each, "campaign": each.campaign},
            version=each.version,
        )


def _order(entry: CalendarEntry) -> tuple[datetime.date, datetime.datetime, str, int]:
    """Sort by time, those without one last, then by the campaign's name and the number in it."""
    no_time = datetime.datetime.combine(entry.day, datetime.time.max, zone_of(""))
    return entry.day, entry.starts_at or no_time, str(entry.campaign), entry.number


def _battle(battle: Battle, user: User | None, public: bool) -> CalendarEntry:
    (blue, red), _ = both_ways(battle)
    names = [gettext("a guest") if public and side.is_guest else side.name for side in (blue, red)]
    canceled = battle.status == Battle.Status.CANCELLED
    size = ngettext("%(number)s point", "%(number)s points", battle.size) % {"number": battle.size}
    text = [gettext("%(battle)s of %(campaign)s") % {"battle": battle, "campaign": battle.campaign}, size]
    return CalendarEntry(
        key=f"battle-{battle.pk}",
        title=gettext("%(blue)s against %(red)s") % {"blue": names[0], "red": names[1]},
        campaign=battle.campaign,
        day=battle.date,
        changed_at=battle.created_at,
        starts_at=battle.starts_at,
        place="" if public else battle.place,
        note=", ".join(filter(None, [clock_text(battle), battle.place, size, status_text(battle)])),
        text="\n".join([*text, *([battle.arrangements] if battle.arrangements and not public else [])]),
        url="" if public else battle.get_absolute_url(),
        canceled=canceled,
        # Canceling does not change the plan, but calendar programs must see a change.
        version=battle.plan_version + canceled,
        mine=user is not None and user.pk in fighters_of(battle),
        number=battle.number,
    )
