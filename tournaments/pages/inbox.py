"""The next step of a person in each of their events, and their tasks, for the home page and the inbox."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext

from core.retention import DRAFT_UNTOUCHED
from core.sentences import said
from members.models import Role
from rules.core.translation import sentences_of
from rules.core.values import Value
from tournaments.models import Entry, Event, Game, Round
from tournaments.models.entry import PLACED
from tournaments.queries.inbox import OwnEvent
from tournaments.queries.rounds import name_of, round_in_text

SAID = sentences_of(__file__)
BEFORE_START = (Event.State.OPEN, Event.State.CLOSED)


class EventTask(Value):
    """A task of a person in an event or, if `idle`, something they wait for."""

    title: str
    note: str
    href: str
    idle: bool = False


def next_step(own: OwnEvent, now: datetime) -> str:
    """Return the next step of a person in an event, in one line."""
    steps = []
    if own.entry:
        steps.append(_next_of_player(own, own.entry, now))
    if own.counts:
        steps.append(_next_of_leader(own, own.last, own.counts))
    return " · ".join(steps)


def _next_of_player(own: OwnEvent, entry: Entry, now: datetime) -> str:
    match entry.state:
        case Entry.State.WAITING:
            return gettext("On the waiting list")
        case Entry.State.DROPPED:
            return gettext("You have withdrawn") if entry.has_withdrawn else gettext("You have dropped")
        case Entry.State.CUT:
            missed = gettext("You missed the cut. The bracket goes on")
            return missed if entry.replaceable else gettext("You declined your place in the bracket")
        case Entry.State.PLAYING:
            return _round_of_player(own, entry)
        case _ if own.event.state == Event.State.RUNNING:
            return gettext("The event started without you. Ask an organizer to add you")
    if text := _list_task(own, entry):
        return text
    if entry.state == Entry.State.CHECKED_IN:
        return gettext("Checked in. Round 1 comes next")
    if until := _check_in_until(own.event, now):
        return gettext("Check in until %(time)s") % {"time": until}
    if own.event.starts_at:
        return gettext("Starts on %(when)s") % {"when": _when(own.event, "DATETIME_FORMAT")}
    return gettext("Registered")


def _round_of_player(own: OwnEvent, entry: Entry) -> str:
    if own.game:
        return _round_and_table(own, own.game, entry)
    if own.last is None or own.last.state != Round.State.PUBLISHED:
        closed = own.last is not None and own.last.state == Round.State.CLOSED
        number = own.last.number + closed if own.last else 1
        return gettext("%(round)s: not published yet") % {"round": name_of(number, own.column >> closed)}
    return gettext("%(round)s: you do not play") % {"round": name_of(own.last.number, own.column)}


def _round_and_table(own: OwnEvent, game: Game, entry: Entry) -> str:
    opponent, name = game.opponent_of(entry), name_of(game.round.number, own.column)
    if opponent is None:
        return gettext("%(round)s: you have a bye") % {"round": name}
    sentence = gettext("%(round)s: table %(table)s against %(player)s")
    if not game.table:
        sentence = gettext("%(round)s: against %(player)s")
    return sentence % {"round": name, "table": game.table, "player": opponent.name}


def _next_of_leader(own: OwnEvent, last: Round | None, counts: Mapping[str, int]) -> str:
    match own.event.state:
        case Event.State.DRAFT:
            return gettext("Draft. Open registration when it is ready")
        case Event.State.OPEN | Event.State.CLOSED:
            number = counts["registered"] + counts["checked_in"]
            return said(SAID["steps"]["players"], {"n": number, "checked": counts["checked_in"]}, number)
    if last and last.state == Round.State.DRAFT:
        return gettext("%(round)s: publish the draft") % {"round": name_of(last.number, own.column)}
    if last and last.state == Round.State.PUBLISHED:
        name = name_of(last.number, own.column)
        if not (missing := counts["missing"]):
            return gettext("%(round)s: all results are in. Close the round") % {"round": name}
        return said(SAID["steps"]["missing"], {"round": name, "n": missing}, missing)
    return _between_rounds(own, last, counts)


def _between_rounds(own: OwnEvent, last: Round | None, counts: Mapping[str, int]) -> str:
    """Return the step after a closed round: the next one, the cut, or the end of the event."""
    event, number = own.event, (last.number if last else 0) + 1
    in_bracket = last is not None and last.stage == Round.Stage.BRACKET
    swiss_over = bool(event.rounds) and counts["swiss"] >= event.rounds
    if last and counts["active"] < 2:
        return gettext("Too few players are left. Finish the event")
    if (in_bracket and own.column == 1) or (swiss_over and not in_bracket and not event.cut):
        return gettext("All rounds are played. Finish the event")
    if swiss_over and not in_bracket:
        if counts["active"] < event.cut:
            return said(SAID["steps"]["too_few"], {"n": counts["active"]}, counts["active"])
        return gettext("Make the cut: the best %(n)s advance") % {"n": event.cut}
    return gettext("Draw %(round)s") % {"round": round_in_text(number, own.column // 2)}


def tasks_in(own: OwnEvent, now: datetime) -> Iterator[EventTask]:
    """Yield a person's tasks in an event, and what they wait for: those of a player, then those of a leader."""
    if own.entry:
        yield from _tasks_of_player(own, own.entry, now)
    if own.delete_href and now - own.event.touched_at > DRAFT_UNTOUCHED:  # type: ignore[attr-defined]
        since = date_format(own.event.touched_at, "DATE_FORMAT")  # type: ignore[attr-defined]
        note = gettext("%(event)s, unchanged since %(day)s") % {"event": own.event.name, "day": since}
        yield EventTask(gettext("Finish or delete your draft"), note, own.delete_href)
    if own.counts:
        yield from _tasks_of_leader(own.event, own.role, own.counts)


def _tasks_of_player(own: OwnEvent, entry: Entry, now: datetime) -> Iterator[EventTask]:
    event = own.event
    if text := _list_task(own, entry):
        yield EventTask(text, event.name, reverse("tournaments:submit_list", args=[event.pk, entry.number]))
    if entry.state == Entry.State.REGISTERED and (until := _check_in_until(event, now)):
        title = gettext("Check in until %(time)s") % {"time": until}
        yield EventTask(title, event.name, reverse("tournaments:player", args=[event.pk]))
    if own.game and (opponent := own.game.opponent_of(entry)):
        yield from _task_of_game(own, own.game, entry, opponent)


def _task_of_game(own: OwnEvent, game: Game, entry: Entry, opponent: Entry) -> Iterator[EventTask]:
    note = f"{own.event.name} · {_round_and_table(own, game, entry)}"
    there = reverse("tournaments:player", args=[own.event.pk])
    match game.state:
        case Game.State.OPEN:
            yield EventTask(gettext("Report your game"), note, there)
        case Game.State.REPORTED if game.reported_by_id == entry.pk:
            yield EventTask(
                gettext("%(player)s has to confirm your result") % {"player": opponent.name}, note, there, idle=True
            )
        case Game.State.REPORTED:
            yield EventTask(gettext("Confirm %(player)s’s result") % {"player": opponent.name}, note, there)
        case Game.State.DISPUTED:
            yield EventTask(gettext("Your disputed result is being decided"), note, there, idle=True)


def _list_task(own: OwnEvent, entry: Entry) -> str:
    """Return what a player has to do about their army list (E8, E9), or an empty text."""
    may_change = own.event.state in BEFORE_START or entry.list_unlocked
    if not may_change or entry.state not in PLACED:
        return ""
    if not own.has_list:
        return gettext("Submit your army list") if own.event.lists_required else ""
    if not own.list_in_order:
        return gettext("Fix your army list")
    return gettext("Change your army list") if entry.list_unlocked else ""


def _tasks_of_leader(event: Event, role: str, counts: Mapping[str, int]) -> Iterator[EventTask]:
    pages = {"waiting_calls": "judges", "taken": "judges", "disputed": "console"}
    if role in (Role.ORGANIZER, Role.HEAD_JUDGE):
        pages["appeals"] = "judges"
    if role == Role.ORGANIZER:
        pages |= {"lists": "lists", "claims": "entries"}
    for name, page in pages.items():
        if number := counts[name]:
            title = said(SAID["tasks"][name], {"n": number}, number)
            yield EventTask(title, event.name, reverse(f"tournaments:{page}", args=[event.pk]))


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
