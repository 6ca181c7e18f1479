"""What judges have to do in an event, and what they have ruled (E3, E4, E28)."""

import hashlib
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from rules.core.values import Value
from tournaments.models import Entry, Event, Game, JudgeCall, LogKind, LogLine, Round
from tournaments.pages.results import result_words
from tournaments.queries.rounds import columns_of, name_of
from tournaments.queries.tables import zone_name

State = JudgeCall.State


class CallLine(Value):
    """A call: for how many minutes it waits, and whether the reader plays in this game, so that others rule it (E2)."""

    call: JudgeCall
    minutes: int
    own_game: bool

    @property
    def zone(self) -> str:
        """The name of the table, if it has one."""
        return zone_name(self.call.event, self.call.table)


class JudgeQueue(Value):
    """The work of judges: calls that wait or are taken, appeals, disputed games with the first report and whether the
    reader plays in them; then all rulings, the last first. `tables` are the games of the round under way.
    """

    waiting: tuple[CallLine, ...]
    taken: tuple[CallLine, ...]
    appeals: tuple[CallLine, ...]
    disputes: tuple[dict[str, Any], ...]
    rulings: tuple[JudgeCall, ...]
    tables: tuple[Game, ...]

    @property
    def called(self) -> set[int | None]:
        """The games with a call that nobody has ruled on, by primary key."""
        return {line.call.game_id for line in (*self.waiting, *self.taken, *self.appeals)}

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits for a judge."""
        return not (self.waiting or self.taken or self.appeals or self.disputes)


def queue_of(event: Event, reader: User | None, at: datetime) -> JudgeQueue:
    """Return the work of judges at the moment `at`, in three queries."""
    calls = _calls(event)

    def lines(state: str) -> tuple[CallLine, ...]:
        return tuple(line_of(call, reader, at) for call in calls if call.state == state)

    games = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED).exclude(second=None)
    tables = tuple(games.select_related("round__event", "first", "second", "reported_by").order_by("table"))
    own = reader.pk if reader else 0
    disputes = tuple(
        {"game": game, "reported": result_words(game), "own_game": own in [each.user_id for each in game.pair]}
        for game in tables if game.state == Game.State.DISPUTED
    )  # fmt: skip
    ruled = sorted((call for call in calls if call.ruled_at), key=lambda call: (call.ruled_at, call.pk), reverse=True)
    return JudgeQueue(lines(State.WAITING), lines(State.TAKEN), lines(State.APPEALED), disputes, tuple(ruled), tables)


def queue_version(queue: JudgeQueue) -> str:
    """Return a word that changes with what the queue shows, the waiting times included."""
    lines = (*queue.waiting, *queue.taken, *queue.appeals)
    facts = [
        [(line.call.pk, line.call.state, line.call.judge_id, line.minutes) for line in lines],
        [(game.pk, game.state, game.version) for game in queue.tables],
        [(call.pk, call.state) for call in queue.rulings],
    ]
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


def open_calls(event: Event, at: datetime) -> list[CallLine]:
    """Return the calls that no judge has ruled on, the longest waiting first, in one query (E3)."""
    calls = event.judge_calls.filter(state__in=(State.WAITING, State.TAKEN, State.APPEALED)).order_by("called_at", "pk")
    return [line_of(call, None, at) for call in calls]


def call_in(event: Event, pk: int) -> JudgeCall | None:
    """Return a call of an event with its game, None if there is none."""
    return next(iter(_calls(event, pk=pk)), None)


def line_of(call: JudgeCall, reader: User | None, at: datetime) -> CallLine:
    """Return a call as it is shown to the reader."""
    minutes = max(0, int((at - call.called_at).total_seconds() // 60))
    if reader is None:
        return CallLine(call, minutes, own_game=False)
    players = (call.game.first, call.game.second) if call.game else (call.caller, call.appealed_by)
    return CallLine(call, minutes, reader.pk in [each.user_id for each in players if each])


def warnings_of(entry: Entry) -> QuerySet[LogLine]:
    """Return the warnings of a player, the last one first, as lines of the log (E4)."""
    lines = LogLine.objects.filter(event=entry.event, kind=LogKind.WARNED, facts__entry=entry.number)
    return lines.select_related("actor")


def _calls(event: Event, **wanted: int) -> list[JudgeCall]:
    names = ("game__first", "game__second", "game__round", "caller", "judge", "appealed_by", "appeal_judge")
    calls, columns = list(event.judge_calls.filter(**wanted).select_related(*names)), columns_of(event)
    for call in calls:
        call.round_name = name_of(call.round_number, columns.get(call.round_number, 0))
    return calls
