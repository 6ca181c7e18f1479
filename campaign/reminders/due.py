"""What people are reminded of by themselves: battles tomorrow, rounds due tomorrow, and reports that wait."""

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext

from campaign.battles.access import SIDES, fighters_of
from campaign.battles.models import Battle
from campaign.battles.queries.battles import versus, when_text
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.models import Action, Activity, ActivityKind, Campaign
from core.time_zones import zone_of
from notifications.models import Kind
from rules.core.values import KeywordValue

#: The hour of the day before a battle from which people are reminded of it, on the clock of the battle.
EVENING = 17
#: How long a report may wait before its confirmation is overdue.
PATIENCE = timedelta(days=2)


class Reminder(KeywordValue):
    """A reminder of one thing in a campaign to several people (primary keys); the rest is as in
    `notifications.services.people`.
    """

    campaign: Campaign
    users: Collection[int]
    kind: str
    title: str
    body: str
    url: str
    key: str


def reminders_due(now: datetime) -> Iterator[Reminder]:
    """Yield all reminders that are due at a moment, including those that were sent before."""
    yield from _battles_tomorrow(now)
    yield from _rounds_due(now)
    yield from _reports_waiting(now)


def _battles_tomorrow(now: datetime) -> Iterator[Reminder]:
    today = now.date()
    around = (today - timedelta(days=1), today + timedelta(days=2))  # on all clocks of the world
    for battle in _battles().filter(status__in=BEFORE_PLAY, date__range=around):
        local = now.astimezone(zone_of(battle.time_zone or battle.campaign.time_zone))
        if battle.date == local.date() + timedelta(days=1) and local.hour >= EVENING:
            place = gettext(", %(place)s") % {"place": battle.place} if battle.place else ""
            late = [side.name for side in battle.sides.all() if not side.army_chosen]
            to_do = [gettext("No army yet: %(names)s.") % {"names": ", ".join(late)}] if late else []
            yield Reminder(
                campaign=battle.campaign,
                users=_players(battle),
                kind=Kind.REMINDER,
                title=gettext("Battle tomorrow: %(battle)s") % {"battle": versus(battle)},
                body="\n".join([f"{when_text(battle)}{place}.", *to_do]),
                url=battle.get_absolute_url(),
                key=f"battle {battle.pk} {battle.date}",
            )


def _rounds_due(now: datetime) -> Iterator[Reminder]:
    """The date of a battle of a round is the day on which the round is due, unless its players have moved it."""
    today = now.date()
    around = (today - timedelta(days=1), today + timedelta(days=2))
    battles = _battles().filter(status__in=BEFORE_PLAY, pairing__round__due__range=around)
    for battle in battles.exclude(date=F("pairing__round__due")).select_related("pairing__round"):
        local, due = now.astimezone(zone_of(battle.campaign.time_zone)), battle.pairing.round
        if due.due == local.date() + timedelta(days=1) and local.hour >= EVENING:
            yield Reminder(
                campaign=battle.campaign,
                users=_players(battle),
                kind=Kind.ROUND,
                title=gettext("%(round)s is due tomorrow: %(battle)s") % {"round": due, "battle": versus(battle)},
                body=gettext("The battle is planned for %(when)s.") % {"when": when_text(battle)},
                url=battle.get_absolute_url(),
                key=f"round {due.pk} {due.due}",
            )


def _reports_waiting(now: datetime) -> Iterator[Reminder]:
    reports = Activity.objects.filter(battle=OuterRef("pk"), kind=ActivityKind.BATTLE, facts__act=str(Action.REPORT))
    last = Subquery(reports.order_by("-at").values("at")[:1])
    waiting = _battles().filter(status=Battle.Status.REPORTED).annotate(reported_at=last)
    for battle in waiting.filter(reported_at__lt=now - PATIENCE).select_related("reported_by"):
        yield Reminder(
            campaign=battle.campaign,
            users=_players(battle) - {battle.reported_by_id},
            kind=Kind.CONFIRM,
            title=gettext("Confirm the report: %(battle)s") % {"battle": versus(battle)},
            body=gettext("The report has waited for two days. Confirm it, or say what is wrong."),
            url=battle.get_absolute_url(),
            key=f"overdue {battle.pk} {battle.version}",
        )


def _battles() -> QuerySet[Battle]:
    """Return battles outside the demo and deleted campaigns, ready for the functions above."""
    return (
        Battle.objects.filter(campaign__guest=None, campaign__deleted_at=None)
        .select_related("campaign")
        .prefetch_related(SIDES)
    )


def _players(battle: Battle) -> set[int]:
    return {pk for pk in fighters_of(battle) if pk is not None}
