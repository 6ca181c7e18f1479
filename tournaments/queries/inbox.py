"""A person's events that are not over: the next step of each, and their tasks, for the home page and the inbox."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, JSONObject
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from members.models import Role
from tournaments.models import Entry, Event, Game, JudgeCall, Membership, Round, SubmittedList

OVER = (Event.State.FINISHED, Event.State.CANCELLED)
BEFORE_START = (Event.State.OPEN, Event.State.CLOSED)
#: States of an entry whose player still wants to play.
WITH_A_PLACE = (Entry.State.REGISTERED, Entry.State.CHECKED_IN, Entry.State.PLAYING)


@dataclass(frozen=True, slots=True)
class EventTask:
    """A task of a person in an event or, if `idle`, something they wait for."""

    title: str
    note: str
    href: str
    idle: bool = False


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


@dataclass(frozen=True, slots=True)
class LatestList:
    """The last version of an army list: how many violations it has, and whether a leader has accepted them (E8)."""

    violations: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnEvent:
    """An event that is not over. `role` is the reader's as a leader, with its `counts`; `entry` is theirs as a player,
    with the `game` of the published round and the last army list.
    """

    event: Event
    last: LastRound | None = None
    role: str = ""
    counts: Counts | None = None
    entry: Entry | None = None
    latest_list: LatestList | None = None
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
        latest = entry.latest_list and LatestList(
            len(entry.latest_list["violations"]), entry.latest_list["by"] is not None
        )
        known = found.setdefault(entry.event_id, {"event": entry.event, "last": _last(entry)})
        known |= {"entry": entry, "latest_list": latest, "game": games.get(entry.pk)}
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


def next_step(own: OwnEvent, now: datetime) -> str:
    """Return the next step of a person in an event, in one line."""
    steps = []
    if own.entry:
        steps.append(_next_of_player(own, own.entry, now))
    if own.counts:
        steps.append(_next_of_leader(own.event, own.last, own.counts))
    return " · ".join(steps)


def _next_of_player(own: OwnEvent, entry: Entry, now: datetime) -> str:
    match entry.state:
        case Entry.State.WAITING:
            return gettext("On the waiting list")
        case Entry.State.DROPPED:
            return gettext("You dropped out")
        case Entry.State.CUT:
            return gettext("You missed the cut. The bracket goes on")
        case Entry.State.PLAYING:
            return _round_of_player(own, entry)
        case _ if own.event.state == Event.State.RUNNING:
            return gettext("The event started without you. Ask an organizer to add you")
    if text := _list_task(own, entry):
        return text
    if entry.state == Entry.State.CHECKED_IN:
        return gettext("Checked in. Round 1 comes next")
    if until := _check_in_until(own.event, now):
        return gettext("Check in until {time}").format(time=until)
    if own.event.starts_at:
        return gettext("Starts on {when}").format(when=_when(own.event, "DATETIME_FORMAT"))
    return gettext("Registered")


def _round_of_player(own: OwnEvent, entry: Entry) -> str:
    if own.game:
        return _round_and_table(own.game, entry)
    if own.last is None or own.last.state != Round.State.PUBLISHED:
        number = (own.last.number + (own.last.state == Round.State.CLOSED)) if own.last else 1
        return gettext("Round {number} is not published yet").format(number=number)
    return gettext("Round {number}: you do not play").format(number=own.last.number)


def _round_and_table(game: Game, entry: Entry) -> str:
    opponent = _opponent(game, entry)
    if opponent is None:
        return gettext("Round {number}: you have a bye").format(number=game.round.number)
    sentence = gettext("Round {number}: table {table} against {player}")
    if not game.table:
        sentence = gettext("Round {number}: against {player}")
    return sentence.format(number=game.round.number, table=game.table, player=opponent.name)


def _opponent(game: Game, entry: Entry) -> Entry | None:
    return game.second if game.first_id == entry.pk else game.first


def _next_of_leader(event: Event, last: LastRound | None, counts: Counts) -> str:
    match event.state:
        case Event.State.DRAFT:
            return gettext("Draft. Open registration when it is ready")
        case Event.State.OPEN | Event.State.CLOSED:
            number = counts.registered + counts.checked_in
            sentence = ngettext("{n} player, {checked} checked in", "{n} players, {checked} checked in", number)
            return sentence.format(n=number, checked=counts.checked_in)
    if last and last.state == Round.State.DRAFT:
        return gettext("Round {number} is drawn. Publish it").format(number=last.number)
    if last and last.state == Round.State.PUBLISHED:
        if not counts.missing:
            return gettext("Round {number}: all results are in. Close the round").format(number=last.number)
        sentence = ngettext(
            "Round {number}: {n} result is missing", "Round {number}: {n} results are missing", counts.missing
        )
        return sentence.format(number=last.number, n=counts.missing)
    return _between_rounds(event, last, counts)


def _between_rounds(event: Event, last: LastRound | None, counts: Counts) -> str:
    """Return the step after a closed round: the next one, the cut, or the end of the event."""
    number = (last.number if last else 0) + 1
    in_bracket = last is not None and last.stage == Round.Stage.BRACKET
    swiss_over = bool(event.rounds) and counts.swiss >= event.rounds
    if (in_bracket and counts.last_games == 1) or (swiss_over and not in_bracket and not event.cut):
        return gettext("All rounds are played. Finish the event")
    if swiss_over and not in_bracket:
        return gettext("Make the cut: the best {n} advance").format(n=event.cut)
    return gettext("Draw round {number}").format(number=number)


def tasks_in(own: OwnEvent, now: datetime) -> Iterator[EventTask]:
    """Yield a person's tasks in an event, and what they wait for: those of a player, then those of a leader."""
    if own.entry:
        yield from _tasks_of_player(own, own.entry, now)
    if own.counts:
        yield from _tasks_of_leader(own.event, own.role, own.counts)


def _tasks_of_player(own: OwnEvent, entry: Entry, now: datetime) -> Iterator[EventTask]:
    event = own.event
    if text := _list_task(own, entry):
        yield EventTask(text, event.name, reverse("tournaments:submit_list", args=[event.pk, entry.number]))
    if entry.state == Entry.State.REGISTERED and (until := _check_in_until(event, now)):
        title = gettext("Check in until {time}").format(time=until)
        yield EventTask(title, event.name, reverse("tournaments:player", args=[event.pk]))
    if own.game and (opponent := _opponent(own.game, entry)):
        yield from _task_of_game(event, own.game, entry, opponent)


def _task_of_game(event: Event, game: Game, entry: Entry, opponent: Entry) -> Iterator[EventTask]:
    note = f"{event.name} · {_round_and_table(game, entry)}"
    there = reverse("tournaments:player", args=[event.pk])
    match game.state:
        case Game.State.OPEN:
            yield EventTask(gettext("Report your game"), note, there)
        case Game.State.REPORTED if game.reported_by_id == entry.pk:
            yield EventTask(
                gettext("{player} has to confirm your result").format(player=opponent.name), note, there, idle=True
            )
        case Game.State.REPORTED:
            yield EventTask(gettext("Confirm {player}’s result").format(player=opponent.name), note, there)
        case Game.State.DISPUTED:
            yield EventTask(gettext("Your disputed result is being decided"), note, there, idle=True)


def _list_task(own: OwnEvent, entry: Entry) -> str:
    """Return what a player has to do about their army list (E8, E9), or an empty text."""
    may_change = own.event.state in BEFORE_START or entry.list_unlocked
    if not may_change or entry.state not in WITH_A_PLACE:
        return ""
    if own.latest_list is None:
        return gettext("Submit your army list") if own.event.lists_required else ""
    if own.latest_list.violations and not own.latest_list.accepted:
        return gettext("Fix your army list")
    return gettext("Change your army list") if entry.list_unlocked else ""


def _tasks_of_leader(event: Event, role: str, counts: Counts) -> Iterator[EventTask]:
    def task(title: str, number: int, page: str) -> Iterator[EventTask]:
        if number:
            yield EventTask(title.format(n=number), event.name, reverse(f"tournaments:{page}", args=[event.pk]))

    n = counts.waiting_calls
    yield from task(ngettext("Take a call from a table", "Take {n} calls from tables", n), n, "judges")
    n = counts.taken
    yield from task(ngettext("Enter your ruling", "Enter {n} rulings", n), n, "judges")
    n = counts.disputed
    yield from task(ngettext("Decide a disputed result", "Decide {n} disputed results", n), n, "console")
    if role in (Role.ORGANIZER, Role.HEAD_JUDGE):
        n = counts.appeals
        yield from task(ngettext("Decide an appeal", "Decide {n} appeals", n), n, "judges")
    if role == Role.ORGANIZER:
        n = counts.lists
        yield from task(ngettext("Decide about an army list", "Decide about {n} army lists", n), n, "lists")
        n = counts.claims
        sentence = ngettext("Answer a request to take over an entry", "Answer {n} requests to take over an entry", n)
        yield from task(sentence, n, "entries")


def _check_in_until(event: Event, now: datetime) -> str:
    """Return the time when an event starts, on its day until then; otherwise an empty text."""
    if event.state not in BEFORE_START or event.starts_at is None or now >= event.starts_at:
        return ""
    zone = ZoneInfo(event.time_zone)
    is_today = event.starts_at.astimezone(zone).date() == now.astimezone(zone).date()
    return _when(event, "TIME_FORMAT") if is_today else ""


def _when(event: Event, form: str) -> str:
    assert event.starts_at is not None  # noqa: S101  the caller has looked
    return date_format(event.starts_at.astimezone(ZoneInfo(event.time_zone)), form)
