"""A person's events that are not over, with all that their next step and their tasks depend on."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject
from django.urls import reverse

from accounts.models import User
from core.db.prepared import Prepared
from members.models import Role
from rules.core.values import KeywordValue
from tournaments.models import Entry, Event, Game, JudgeCall, LogLine, Membership, Round, SubmittedList
from tournaments.models.entry import PLACED
from tournaments.models.event import OVER


class OwnEvent(KeywordValue):
    """An event that is not over, with the number, stage and state of its `last` round, and its `column`: how many games
    it has in a bracket, 0 in the Swiss rounds. `role` is the reader's as a leader, with its `counts`; `entry` is theirs
    as a player, with the `game` of the published round, whether there is an army list, and whether the last one is in
    order (E8).
    """

    event: Event
    last: Round | None = None
    column: int = 0
    role: str = ""
    counts: dict[str, int] | None = None
    entry: Entry | None = None
    has_list: bool = False
    list_in_order: bool = False
    game: Game | None = None

    @property
    def href(self) -> str:
        """The address of the page where the reader goes on."""
        if self.entry and self.entry.state in PLACED:
            return reverse("tournaments:player", args=[self.event.pk])
        if self.role and self.event.state == Event.State.RUNNING:
            return reverse("tournaments:console", args=[self.event.pk])
        return self.event.get_absolute_url()

    @property
    def delete_href(self) -> str:
        """The address of the page that deletes the event, if it is a draft and the reader organizes it."""
        may = self.event.state == Event.State.DRAFT and self.role == Role.ORGANIZER
        return reverse("tournaments:delete", args=[self.event.pk]) if may else ""


def own_events(user: User) -> list[OwnEvent]:
    """Return the events not over that a person plays in or leads, soonest first, in at most four queries."""
    roles = dict(_led(user.pk))
    entries = {entry.event_id: entry for entry in _played(user.pk)}
    if not roles and not entries:
        return []
    games = _games_of(entries.values())
    found = []
    for event in _events(user, {*roles, *entries}, counted=bool(roles)):
        entry, latest, last = entries.get(event.pk), event.latest_list, event.last_round
        if entry:
            entry.event = event
        found.append(
            OwnEvent(
                event=event,
                column=last.pop("column") if last else 0,
                last=Round(**last) if last else None,
                role=roles.get(event.pk, ""),
                counts=event.counts if event.pk in roles else None,
                entry=entry,
                has_list=bool(latest),
                list_in_order=bool(latest) and (not latest["violations"] or latest["by"] is not None),
                game=games.get(entry.pk) if entry else None,
            )
        )
    return sorted(found, key=_soonest)


@Prepared
def _led(user: int) -> QuerySet[Membership, Any]:
    led = Membership.objects.filter(user__pk=user, role__in=Event.roles).exclude(event__state__in=OVER)
    return led.values_list("event", "role")


@Prepared
def _played(user: int) -> QuerySet[Entry]:
    entries = Entry.objects.filter(user__pk=user).exclude(event__state__in=(Event.State.DRAFT, *OVER))
    return entries.exclude(state=Entry.State.EJECTED)


def _soonest(own: OwnEvent) -> tuple[bool, bool, float, str]:
    at = own.event.starts_at
    return own.event.state != Event.State.RUNNING, at is None, at.timestamp() if at else 0, own.event.name


def _events(user: User, keys: Collection[UUID], *, counted: bool) -> Iterable[Any]:
    """Return events with their last round and the user's last army list, and if `counted` the `counts`."""
    event = OuterRef("pk")
    rounds = (
        Round.objects.filter(event=event)
        .order_by("-number")
        .annotate(column=Count("games", filter=Q(stage=Round.Stage.BRACKET)))
    )
    lists = SubmittedList.objects.filter(entry__event=event, entry__user=user).exclude(entry__state=Entry.State.EJECTED)
    latest = lists.order_by("-number").values(found=JSONObject(violations="violations", by="accepted_by"))
    changed = LogLine.objects.filter(event=event).order_by("-at").values("at")[:1]
    return Event.objects.filter(pk__in=keys).annotate(
        touched_at=Coalesce(Subquery(changed), F("created_at")),
        last_round=Subquery(
            rounds.values(found=JSONObject(number="number", stage="stage", state="state", column="column"))[:1]
        ),
        latest_list=Subquery(latest[:1]),
        **({"counts": _counts(user)} if counted else {}),
    )


def _counts(user: User) -> JSONObject:
    """Return what is to do in an event, for its leaders, as an expression for a query of events.

    `taken` are the judge calls that the user has taken, `lists` the army lists whose violations wait for a decision
    (E8), `claims` the entries that somebody asks to take over (E5). `active` counts the players who play, `swiss` the
    closed Swiss rounds.
    """
    event = OuterRef("pk")
    games = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED).exclude(second=None)
    calls = JudgeCall.objects.filter(event=event)
    entries = Entry.objects.filter(event=event)
    newer = SubmittedList.objects.filter(entry=OuterRef("entry"), number__gt=OuterRef("number"))
    lists = SubmittedList.objects.filter(entry__event=event, accepted_by=None, entry__state__in=PLACED)
    closed = Round.objects.filter(event=event, stage=Round.Stage.SWISS, state=Round.State.CLOSED)
    return JSONObject(
        registered=_number(entries.filter(state=Entry.State.REGISTERED), "event"),
        checked_in=_number(entries.filter(state=Entry.State.CHECKED_IN), "event"),
        active=_number(entries.filter(state=Entry.State.PLAYING), "event"),
        claims=_number(entries.exclude(claimant=None), "event"),
        missing=_number(games.exclude(state=Game.State.CONFIRMED), "round__event"),
        disputed=_number(games.filter(state=Game.State.DISPUTED), "round__event"),
        waiting_calls=_number(calls.filter(state=JudgeCall.State.WAITING), "event"),
        taken=_number(calls.filter(state=JudgeCall.State.TAKEN, judge=user), "event"),
        appeals=_number(calls.filter(state=JudgeCall.State.APPEALED), "event"),
        lists=_number(lists.exclude(violations=[]).exclude(Exists(newer)), "entry__event"),
        swiss=_number(closed, "event"),
    )


def _games_of(entries: Iterable[Entry]) -> dict[int, Game]:
    """Return the games of published rounds in which entries play, by the entry."""
    keys = {entry.pk for entry in entries if entry.state == Entry.State.PLAYING}
    if not keys:
        return {}
    games = Game.objects.filter(Q(first__in=keys) | Q(second__in=keys), round__state=Round.State.PUBLISHED)
    found = games.select_related("round", "first", "second")
    return {each: game for game in found for each in (game.first_id, game.second_id) if each in keys}


def _number(rows: QuerySet[Any], event: str) -> Coalesce:
    """Return the number of rows as an expression; `event` is the path from a row to its event."""
    return Coalesce(Subquery(rows.order_by().values(event).annotate(n=Count("pk")).values("n")), 0)
