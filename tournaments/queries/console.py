"""What an organizer has to do next (`next_step` is a pure function of a `Situation`), and the console's figures."""

from collections import Counter
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from hashlib import sha256

from django.db.models import Count, Max, Q, Sum

from rules.core.values import KeywordValue, Value
from rules.tournaments.bracket import fitting_cuts
from rules.tournaments.structures import FEWEST_PLAYERS
from tournaments.models import Entry, Event, Game, Round, StructureChoice
from tournaments.models.entry import ACTIVE
from tournaments.models.event import OVER
from tournaments.queries.events import fewest_players
from tournaments.queries.rounds import has_clock, is_changeable
from tournaments.queries.schedule import later_day


class Step(StrEnum):
    """What can be the next thing to do."""

    OPEN_REGISTRATION = "open_registration"
    ADD_PLAYERS = "add_players"
    CHECK_IN = "check_in"
    START = "start"
    DRAW = "draw"
    REVIEW = "review"
    START_CLOCK = "start_clock"
    DISPUTES = "disputes"
    RESULTS = "results"
    CONFIRM = "confirm"
    CLOSE = "close"
    CUT = "cut"
    SMALLER_CUT = "smaller_cut"
    CUT_WITH_BYES = "cut_with_byes"
    FINISH = "finish"
    OVER = "over"


class Situation(KeywordValue):
    """Where an event stands, as far as the next step depends on it.

    `registered` players have not checked in, `active` ones play, and `fewest` can start (E14, E15). `number`, `stage`
    and `round_state` are those of the last round (0 and empty before the first), `column` its games with byes. `games`
    are those of two players in it, of which `open` have no result, `reported` wait for a confirmation and `disputed`
    for a judge. `swiss` counts the Swiss rounds that were drawn. `rounds` and `cut` are those of the event.
    `clock_started` is also true of a round without a clock.
    """

    state: str
    fewest: int = FEWEST_PLAYERS
    registered: int = 0
    checked_in: int = 0
    active: int = 0
    rounds: int = 0
    cut: int = 0
    elimination: bool = False
    number: int = 0
    stage: str = ""
    round_state: str = ""
    clock_started: bool = False
    column: int = 0
    games: int = 0
    open: int = 0
    reported: int = 0
    disputed: int = 0
    swiss: int = 0


class NextStep(Value):
    """The next thing to do in a `round` (0: none), about `count` players, results or seats, and its alternatives. Of a
    bracket round `column` are its games with byes (0: Swiss).
    """

    step: Step
    round: int = 0
    count: int = 0
    others: tuple[Step, ...] = ()
    column: int = 0


def next_step(now: Situation) -> NextStep:
    """Return what has to be done next in an event."""
    if now.state in OVER:
        return NextStep(Step.OVER)
    if now.state != Event.State.RUNNING:
        return _before_the_start(now)
    if not now.number or now.round_state == Round.State.CLOSED:
        return _between_rounds(now)
    if now.round_state == Round.State.DRAFT:
        return NextStep(Step.REVIEW, now.number, column=_column(now))
    return _in_a_round(now)


def _before_the_start(now: Situation) -> NextStep:
    expected = now.registered + now.checked_in
    ready = now.checked_in >= now.fewest
    if ready and not now.registered:
        return NextStep(Step.START, count=now.checked_in)
    if now.state == Event.State.DRAFT:
        return NextStep(Step.OPEN_REGISTRATION, others=(Step.ADD_PLAYERS, *((Step.CHECK_IN,) if expected else ())))
    if expected < now.fewest:
        others = (Step.CHECK_IN,) if expected else ()
        return NextStep(Step.ADD_PLAYERS, count=now.fewest - expected, others=others)
    return NextStep(Step.CHECK_IN, count=now.registered, others=(Step.START,) if ready else ())


def _between_rounds(now: Situation) -> NextStep:
    following = now.number + 1
    if now.number and now.active < 2:
        return NextStep(Step.FINISH)
    if now.stage == Round.Stage.BRACKET:
        if now.column <= 1:
            return NextStep(Step.FINISH)
        return NextStep(Step.DRAW, following, column=now.column // 2)
    if now.elimination:
        return NextStep(Step.DRAW, following, column=fitting_cuts(now.active or 1)[1] // 2)
    if now.rounds and now.swiss >= now.rounds:
        if not now.cut:
            return NextStep(Step.FINISH)
        if now.active >= now.cut:
            return NextStep(Step.CUT, count=now.cut)
        smaller, larger = fitting_cuts(now.active)
        byes = (Step.CUT_WITH_BYES,) if larger > smaller else ()
        return NextStep(Step.SMALLER_CUT, count=now.active, others=(*byes, Step.FINISH))
    may_end = bool(now.number and not now.rounds)
    return NextStep(Step.DRAW, following, others=(Step.FINISH,) if may_end else ())


def _in_a_round(now: Situation) -> NextStep:
    column, waiting = _column(now), now.open + now.reported + now.disputed
    untouched = not now.clock_started and bool(now.games) and now.open == now.games
    clock = () if now.clock_started else (Step.START_CLOCK,)
    if now.disputed:
        return NextStep(Step.DISPUTES, now.number, now.disputed, clock, column)
    if not waiting:
        return NextStep(Step.CLOSE, now.number, column=column)
    if untouched:
        return NextStep(Step.START_CLOCK, now.number, column=column)
    if not now.open:
        return NextStep(Step.CONFIRM, now.number, now.reported, clock, column)
    return NextStep(Step.RESULTS, now.number, now.open, clock, column)


def _column(now: Situation) -> int:
    return now.column if now.stage == Round.Stage.BRACKET else 0


class Board(Value):
    """An event as its console shows it. `games` are those of the last round, in order."""

    event: Event
    entries: list[Entry]
    rounds: list[Round]
    games: list[Game]

    @property
    def last(self) -> Round | None:
        """The last round that was drawn."""
        return self.rounds[-1] if self.rounds else None

    @property
    def states(self) -> Counter[str]:
        """How many players are in each state."""
        return Counter(entry.state for entry in self.entries)

    @property
    def played(self) -> list[Game]:
        """The games of two players."""
        return [game for game in self.games if game.first_id and game.second_id]

    @property
    def to_settle(self) -> list[Game]:
        """The games without a confirmed result: disputed ones first, then reported ones, then by table."""
        order = [Game.State.DISPUTED, Game.State.REPORTED, Game.State.OPEN]
        waiting = [game for game in self.played if game.state != Game.State.CONFIRMED]
        return sorted(waiting, key=lambda game: (order.index(Game.State(game.state)), game.table, game.place))

    @property
    def situation(self) -> Situation:
        """What the next step depends on."""
        event, states, last = self.event, self.states, self.last
        of_games = Counter(game.state for game in self.played)
        return Situation(
            state=event.state, fewest=fewest_players(event),
            registered=states[Entry.State.REGISTERED], checked_in=states[Entry.State.CHECKED_IN],
            active=states[Entry.State.PLAYING], rounds=event.rounds, cut=event.cut,
            elimination=event.structure == StructureChoice.ELIMINATION,
            number=last.number if last else 0, stage=last.stage if last else "",
            round_state=last.state if last else "",
            clock_started=bool(last and (last.started_at or not has_clock(event, last))),
            column=len(self.games), games=len(self.played), open=of_games[Game.State.OPEN],
            reported=of_games[Game.State.REPORTED], disputed=of_games[Game.State.DISPUTED],
            swiss=sum(each.stage == Round.Stage.SWISS for each in self.rounds),
        )  # fmt: skip

    def column(self, number: int) -> int:
        """Return the games in a round of the bracket, byes included; 0 for a Swiss round."""
        in_bracket = any(each.number == number and each.stage == Round.Stage.BRACKET for each in self.rounds)
        return len(self.games) << (len(self.rounds) - number) if in_bracket else 0

    @property
    def has_bracket_begun(self) -> bool:
        """Whether nobody can join any longer: see `rounds.has_bracket_begun`."""
        drawn = (each for each in self.rounds if each.stage == Round.Stage.BRACKET)
        return any(each.number > 1 or each.state != Round.State.DRAFT for each in drawn)

    @property
    def has_round_left(self) -> bool:
        """Whether a Swiss round is still to be published."""
        last, rounds = self.last, self.event.rounds
        return last is None or last.state == Round.State.DRAFT or not rounds or last.number < rounds

    @property
    def has_game_for_late_entry(self) -> bool:
        """Whether somebody who joins now can play: in a round or bracket to come, or who has the bye (E21, E38)."""
        if self.has_bracket_begun or self.has_round_left or self.event.cut or self.last is None:
            return not self.has_bracket_begun
        return is_changeable(self.last, self.games) and any(game.second_id is None for game in self.games)

    def may_enter_late(self, entry: Entry) -> bool:
        """Return whether a player who comes late can be let in, and can play (E21)."""
        comes = self.event.state == Event.State.RUNNING and entry.state in ACTIVE and entry.state != Entry.State.PLAYING
        return comes and self.has_game_for_late_entry

    def game_of(self, entry: Entry) -> Game | None:
        """Return the game of a player in the last round, if that is published; no bye."""
        return self._games_by_player.get(entry.pk)

    def has_bye(self, entry: Entry) -> bool:
        """Return whether a player has the bye of the published round."""
        byes = (game.first_id for game in self.games if game.second_id is None)
        return self.last is not None and self.last.state == Round.State.PUBLISHED and entry.pk in byes

    @cached_property
    def _games_by_player(self) -> dict[int | None, Game]:
        if self.last is None or self.last.state != Round.State.PUBLISHED:
            return {}
        return {pk: game for game in self.played for pk in (game.first_id, game.second_id)}


def board_of(event: Event) -> Board:
    """Return an event as its console shows it, in three queries."""
    rounds = list(event.round_set.order_by("number"))
    entries = list(event.entries.order_by("number"))
    for current in rounds:
        current.event = event
    for entry in entries:
        entry.event = event
    by_pk: dict[int | None, Entry] = {entry.pk: entry for entry in entries}
    games = list(Game.objects.filter(round=rounds[-1]).order_by("place")) if rounds else []
    for game in games:
        game.round, game.first, game.second = rounds[-1], by_pk.get(game.first_id), by_pk.get(game.second_id)
        game.reported_by = by_pk.get(game.reported_by_id)
    return Board(event, entries, rounds, games)


def is_due(event: Event, step: Step, number: int) -> bool:
    """Return whether a step that the console offered for the round `number` is still due: not after a second post, and
    not from a tab that is older than what others have done.
    """
    due = next_step(board_of(event).situation)
    return step in (due.step, *due.others) and due.round == number


def console_version(event: Event, now: datetime) -> str:
    """Return a token that changes whenever the console of an event does, for polls: five small queries. While a round
    is open it also changes with every minute, because the console shows minutes.
    """
    rounds = event.round_set.aggregate(
        Max("number"), Max("started_at"), current=Count("pk", filter=~Q(state=Round.State.CLOSED))
    )
    games = Game.objects.filter(round__event=event).aggregate(
        Sum("version"), Sum("extension"), Sum("table"), Count("pk"),
        **{state: Count("pk", filter=Q(state=state)) for state in Game.State.values},
    )  # fmt: skip
    day = later_day(event, now)
    entries = (
        event.entries.order_by("state")
        .values_list("state")
        .annotate(Count("pk"), Sum("warnings"), back=Count("pk", filter=Q(checked_in_on=day)))
    )
    calls = event.judge_calls.order_by("state").values_list("state").annotate(Count("pk"), Max("pk"))
    log = event.log.aggregate(Max("pk"))
    minute = int(now.timestamp() // 60) if rounds["current"] else 0
    parts = (event.state, day, event.rounds, event.cut, rounds, games, list(entries), list(calls), log, minute)
    return sha256(repr(parts).encode()).hexdigest()[:20]
