"""A person's events that are not over, with all that their next step and their tasks depend on."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject
from django.urls import reverse

from accounts.models import User
from tournaments.models import Entry, Event, Game, JudgeCall, Membership, Round, SubmittedList

OVER = (Event.State.FINISHED, Event.State.CANCELLED)
#: States of an entry whose player still wants to play.
WITH_A_PLACE = (Entry.State.REGISTERED, Entry.State.CHECKED_IN, Entry.State.PLAYING)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What is to do in an event, for its leaders. `taken` are the judge calls that the leader has taken themselves,
    `lists` the army lists whose violations wait for a decision (E8), and `claims` the entries that somebody asks to
    take over (E5). `swiss` counts the closed Swiss rounds, and `last_games` the games of the last round.
    """

    registered: int
    checked_in: int
    missing: int
    disputed: int
    waiting_calls: int
    taken: int
    appeals: int
    lists: int
    claims: int
    swiss: int
    last_games: int


@dataclass(frozen=True, slots=True)
class LastRound:
    """The last round of an event: its number, stage and state."""

    number: int
    stage: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEvent:
    """An event that is not over. `role` is the reader's as a leader, with its `counts`; `entry` is theirs as a player,
    with the `game` of the published round, whether there is an army list, and whether the last one is in order (E8).
    """

    event: Event
    last: LastRound | None = None
    role: str = ""
    counts: Counts | None = None
    entry: Entry | None = None
    has_list: bool = False
    list_in_order: bool = False
    game: Game | None = None

    @property
    def href(self) -> str:
        """The address of the page where the reader goes on."""
        if self.entry and self.entry.state in WITH_A_PLACE:
            return reverse("tournaments:player", args=[self.event.pk])
        if self.role and self.event.state == Event.State.RUNNING:
            return reverse("tournaments:console", args=[self.event.pk])
        return self.event.get_absolute_url()


def own_events(user: User) -> list[OwnEvent]:
    """Return the events that are not over and that a person plays in or leads, soonest first. Three queries."""
    found: dict[UUID, dict[str, Any]] = {}
    for membership in _led_by(user):
        counts = Counts(**{field.name: getattr(membership, f"n_{field.name}") for field in fields(Counts)})
        found[membership.event_id] = {
            "event": membership.event, "last": _last(membership), "role": membership.role, "counts": counts,
        }  # fmt: skip
    entries = list(_entries_of(user))
    games = _games_of(entries)
    for entry in entries:
        latest = entry.latest_list
        in_order = bool(latest) and (not latest["violations"] or latest["by"] is not None)
        known = found.setdefault(entry.event_id, {"event": entry.event, "last": _last(entry)})
        known |= {"entry": entry, "has_list": bool(latest), "list_in_order": in_order, "game": games.get(entry.pk)}
    return sorted((OwnEvent(**known) for known in found.values()), key=_soonest)


def _soonest(own: OwnEvent) -> tuple[bool, bool, float, str]:
    at = own.event.starts_at
    return own.event.state != Event.State.RUNNING, at is None, at.timestamp() if at else 0, own.event.name


def _last(row: Any) -> LastRound | None:
    return LastRound(**row.last_round) if row.last_round else None


def _led_by(user: User) -> Iterable[Any]:
    """Return the memberships of a leader in events that are not over, with what `Counts` has (`n_…`)."""
    event = OuterRef("event")
    games = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED).exclude(second=None)
    calls = JudgeCall.objects.filter(event=event)
    entries = Entry.objects.filter(event=event)
    newer = SubmittedList.objects.filter(entry=OuterRef("entry"), number__gt=OuterRef("number"))
    lists = SubmittedList.objects.filter(entry__event=event, accepted_by=None, entry__state__in=WITH_A_PLACE)
    closed = Round.objects.filter(event=event, stage=Round.Stage.SWISS, state=Round.State.CLOSED)
    last = Round.objects.filter(event=OuterRef("round__event")).order_by("-number").values("number")[:1]
    counted = {
        "registered": _number(entries.filter(state=Entry.State.REGISTERED), "event"),
        "checked_in": _number(entries.filter(state=Entry.State.CHECKED_IN), "event"),
        "claims": _number(entries.exclude(claimant=None), "event"),
        "missing": _number(games.exclude(state=Game.State.CONFIRMED), "round__event"),
        "disputed": _number(games.filter(state=Game.State.DISPUTED), "round__event"),
        "waiting_calls": _number(calls.filter(state=JudgeCall.State.WAITING), "event"),
        "taken": _number(calls.filter(state=JudgeCall.State.TAKEN, judge=user), "event"),
        "appeals": _number(calls.filter(state=JudgeCall.State.APPEALED), "event"),
        "lists": _number(lists.exclude(violations=[]).exclude(Exists(newer)), "entry__event"),
        "swiss": _number(closed, "event"),
        "last_games": _number(Game.objects.filter(round__event=event, round__number=Subquery(last)), "round__event"),
    }
    led = Membership.objects.filter(user=user, role__in=Event.roles).exclude(event__state__in=OVER)
    annotated: Any = led.select_related("event").annotate(
        last_round=_last_round(), **{f"n_{name}": number for name, number in counted.items()}
    )
    return annotated  # type: ignore[no-any-return]


def _entries_of(user: User) -> Iterable[Any]:
    """Return a person's entries in events that are not over, with their last army list."""
    lists = SubmittedList.objects.filter(entry=OuterRef("pk")).order_by("-number")
    latest = lists.values(found=JSONObject(violations="violations", by="accepted_by"))
    hidden = (Event.State.DRAFT, *OVER)
    entries = Entry.objects.filter(user=user).exclude(event__state__in=hidden).exclude(state=Entry.State.EJECTED)
    annotated: Any = entries.select_related("event").annotate(
        last_round=_last_round(), latest_list=Subquery(latest[:1])
    )
    return annotated  # type: ignore[no-any-return]


def _last_round() -> Subquery:
    rounds = Round.objects.filter(event=OuterRef("event")).order_by("-number")
    return Subquery(rounds.values(found=JSONObject(number="number", stage="stage", state="state"))[:1])


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
