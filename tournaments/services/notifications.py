"""Queue what an event tells its players and leaders by push and mail. Players without an account have their page alone.

Each service that causes a message calls this in its own transaction, with the event locked.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext

from notifications.models import Kind
from notifications.services.people import Message, notify, notify_each
from tournaments.models import Entry, Event, Game, JudgeCall, Round
from tournaments.models.entry import ACTIVE
from tournaments.models.event import BEFORE_START
from tournaments.queries.rounds import round_name
from tournaments.queries.tables import zone_name
from tournaments.roles import judge_word

#: How long before the start of an event its players are reminded of their army lists.
LIST_DUE = timedelta(days=1)


def notify_of_pairings(current: Round) -> None:
    """Tell each player of a published round where and against whom they play, and those who were cut that they were. A
    round published again tells only those whose table or opponent has changed.
    """
    event, name, messages = current.event, round_name(current), {}
    for game in current.games.select_related("first", "second"):
        for entry in (game.first, game.second):
            if entry and entry.user_id:
                other = game.opponent_of(entry)
                places = {"round": name, "table": game.table, "player": other}
                text = gettext("%(round)s: table %(table)s against %(player)s") if other else gettext("%(round)s: bye")
                key = f"{event.pk} {current.number} {game.table} {other.number if other else 0}"
                body = zone_name(event, game.table) or _where(event)
                messages[entry.user_id] = Message(text % places, body, _page("player", event), key)
    notify_each(messages, Kind.PAIRED)
    earlier = event.round_set.filter(stage=Round.Stage.BRACKET, number__lt=current.number)
    if current.stage == Round.Stage.BRACKET and not earlier.exists():
        text = gettext("The cut is made, and the bracket begins without you. The standings show your place.")
        _tell(event, Kind.FINAL, event.entries.filter(state=Entry.State.CUT), gettext("The cut"), text, "cut")


def notify_of_start(current: Round) -> None:
    """Tell the players of a round that its clock runs."""
    event, name = current.event, round_name(current)
    playing = event.entries.filter(state=Entry.State.PLAYING)
    title = gettext("%(round)s starts") % {"round": name}
    key = f"{current.number} {current.started_at:%H%M%S}" if current.started_at else str(current.number)
    _tell(event, Kind.STARTED, playing, title, gettext("The clock is running. Play!"), key)


def notify_of_report(game: Game, by: Entry) -> None:
    """Ask the opponent of the player who reported a result to confirm it (E28)."""
    other = game.opponent_of(by)
    text = gettext("%(player)s reported the result of table %(table)s. Confirm or dispute it.")
    words = text % {"player": by, "table": game.table}
    key = f"{game.round.number} {game.place} {game.version}"
    _tell(game.round.event, Kind.CONFIRM, [other] if other else [], gettext("Result to confirm"), words, key)


def notify_of_call(call: JudgeCall, but: int | None) -> None:
    """Tell the leaders of an event, except the one who calls, that a table waits for a judge (E3)."""
    title = gettext("Table %(table)s calls a %(judge)s") % {"table": call.table, "judge": judge_word(call.event)}
    leaders = call.event.memberships.exclude(user=but).values_list("user", flat=True)
    body = ": ".join(filter(None, (zone_name(call.event, call.table), call.question)))
    notify(leaders, Kind.JUDGE, title, body or _where(call.event), _page("call", call.event, call.pk), str(call.pk))


def notify_of_judge(call: JudgeCall) -> None:
    """Tell the players of a table that a judge comes (E3)."""
    title = gettext("A %(judge)s comes to table %(table)s") % {"table": call.table, "judge": judge_word(call.event)}
    _tell(call.event, Kind.JUDGE, call.game.pair if call.game else (), title, _where(call.event), f"{call.pk} taken")


def notify_of_unlocked_list(entry: Entry, reason: str) -> None:
    """Ask a player to submit the list again that an organizer has unlocked (E9)."""
    _tell(entry.event, Kind.LIST, [entry], gettext("Submit your army list again"), reason, f"{entry.lists.count()}")


def notify_of_final_standings(event: Event) -> None:
    """Tell all who played that the standings are final."""
    played = event.entries.exclude(ticket=None)
    title = gettext("%(event)s: final standings") % {"event": event}
    _tell(event, Kind.FINAL, played, title, gettext("The event is over. See your place and the standings."), "over")


def remind_of_lists(now: datetime) -> None:
    """Remind the players of events that start within `LIST_DUE` of the army lists they have not submitted (E8)."""
    soon = Event.objects.filter(state__in=BEFORE_START, lists_required=True).exclude(state=Event.State.DRAFT)
    for event in soon.filter(starts_at__range=(now, now + LIST_DUE)):
        missing = event.entries.filter(state__in=ACTIVE, lists=None)
        title = gettext("%(event)s: your army list is due") % {"event": event}
        _tell(event, Kind.LIST, missing, title, gettext("The event starts soon. Submit your list."), "due")


def _tell(event: Event, kind: Kind, entries: Iterable[Entry], title: str, body: str, key: str) -> None:
    users = [entry.user_id for entry in entries if entry.user_id]
    notify(users, kind, title, body, _page("player", event), f"{event.pk} {key}")


def _page(name: str, event: Event, *more: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.pk, *more])


def _where(event: Event) -> str:
    return f"{event.name}, {event.place}" if event.place else event.name
