"""What a player's own page shows: the table, the opponent, the result, and what they have played so far."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from core.db.prepared import Prepared
from rules.core.values import Value
from rules.tournaments.results import bye_score, scores
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Game, JudgeCall, Round
from tournaments.models.entry import LEFT
from tournaments.pages.clock import NO_CLOCK, clock_seen
from tournaments.queries.history import result_of
from tournaments.queries.results import LOST, WON, PlayedLine, line_of
from tournaments.queries.schedule import later_day
from tournaments.queries.standings import places_of

#: Links of a game to one of its two players, which need no join of their own.
_TO_PLAYERS = ("reported_by", "winner", "by", "blue", "roll")


class PlayerTable(Value):
    """Where a player stands. `current` is the published round with the highest number, under way or closed; `game` is
    the player's game in it (without a second entry: a bye), `calls` the judge calls of this game, the last one first.
    `points` are the event points of the confirmed results so far (E29).
    """

    entry: Entry
    current: Round | None
    game: Game | None
    calls: tuple[JudgeCall, ...]
    played: tuple[PlayedLine, ...]
    points: int

    @property
    def is_under_way(self) -> bool:
        """Whether the current round is under way."""
        return self.current is not None and self.current.state == Round.State.PUBLISHED

    @property
    def is_in_last_round(self) -> bool:
        """Whether no round follows the current one: the last of an event without a bracket."""
        return self._is_last_of_swiss and not self.entry.event.cut

    @property
    def is_before_cut(self) -> bool:
        """Whether only those who make the cut play after the current round."""
        return self._is_last_of_swiss and bool(self.entry.event.cut)

    @property
    def _is_last_of_swiss(self) -> bool:
        current = self.current
        return bool(current and current.stage == Round.Stage.SWISS and 0 < self.entry.event.rounds <= current.number)

    @property
    def opponent(self) -> Entry | None:
        """Return the opponent of the current round, None for a bye."""
        return self.game.opponent_of(self.entry) if self.game else None

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What the page says of each round played; rounds that are over look the same every time."""
        return [
            {
                "round": line.round.number, "opponent": line.opponent.name if line.opponent else "",
                "ending": line.ending, "points": line.points if line.has_figures else (), "tokens": line.tokens,
                "by_roll": line.is_by_roll, "outcome": line.outcome,
                "state": line.game.get_state_display() if line.game else "",
            }
            for line in self.played
        ]  # fmt: skip

    @property
    def open_call(self) -> JudgeCall | None:
        """Return the call of this game that no judge has ruled on yet."""
        return next((call for call in self.calls if call.state in ("waiting", "taken")), None)


@Prepared
def _last_round(event: UUID) -> QuerySet[Round]:
    return Round.objects.filter(event__pk=event).exclude(state=Round.State.DRAFT).order_by("-number")[:1]


@Prepared
def _games(event: UUID, entry: int) -> QuerySet[Any]:
    calls, later = JudgeCall.objects.filter(game=OuterRef("pk")), Round.objects.filter(event=OuterRef("round__event"))
    later = later.filter(number__gt=OuterRef("round__number")).exclude(state=Round.State.DRAFT)
    found = Game.objects.filter(Q(first__pk=entry) | Q(second__pk=entry), round__event__pk=event)
    found = found.exclude(round__state=Round.State.DRAFT).select_related("first", "second", "round")
    return found.annotate(called=Exists(calls), is_past=Exists(later)).order_by("round__number")


@Prepared
def _calls(game: int) -> QuerySet[JudgeCall]:
    found = JudgeCall.objects.filter(game__pk=game).select_related("judge", "appeal_judge")
    return found.order_by("-called_at", "-pk")


def table_of(event: Event, entry: Entry) -> PlayerTable:
    """Return where a player stands, in one query unless a judge was called or the player has no game in the current
    round.
    """
    games = list(_games(event.pk, entry.pk))
    for game in games:
        game.round.event = event
        _link_players(game)
    own = games[-1] if games and not games[-1].is_past else None
    current = own.round if own else next(iter(_last_round(event.pk)), None)
    if current:
        current.event = event
    calls = tuple(_calls(own.pk)) if own and own.called else ()
    played = tuple(line_of(each.round, each, entry) for each in games)
    return PlayerTable(entry, current, own, calls, played, sum(_points(event, entry, each) for each in games))


def current_game_of(event: Event, entry: Entry) -> Game | None:
    """Return a player's game of two entries in the round that is under way, or None."""
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=event).exclude(second=None)
    published = games.filter(round__state=Round.State.PUBLISHED).order_by("-round__number")
    if found := published.select_related("round", "first", "second").first():
        found.round.event = event
        _link_players(found)
    return found


#: What polls read of a round and of a game.
_POLLED_OF_ROUND = ("pk", "number", "stage", "state", "started_at", "minutes")
_POLLED = ("pk", "table", "first_id", "second_id", "state", "version", "extension")


@Prepared
def _polled(event: UUID, entry: int) -> QuerySet[Round, dict[str, Any]]:
    mine = FilteredRelation("games", condition=Q(games__first=entry) | Q(games__second=entry))
    calls = JudgeCall.objects.filter(game=OuterRef("mine__pk")).order_by("-called_at", "-pk")
    rounds = Round.objects.filter(event__pk=event).exclude(state=Round.State.DRAFT).order_by("-number")
    opponent = Entry.objects.filter(Q(pk=OuterRef("mine__first")) | Q(pk=OuterRef("mine__second"))).exclude(pk=entry)
    return rounds.annotate(
        mine=mine, calls=ArraySubquery(calls.values(each=JSONObject(pk="pk", state="state"))),
        opponent=Subquery(opponent.values("state")[:1]),
    ).values(*_POLLED_OF_ROUND, *(f"mine__{name}" for name in _POLLED), "calls", "opponent")[:1]  # fmt: skip


def version_now(event: Event, entry: Entry, at: datetime) -> str:
    """Return the version of a player's page at a moment, in one query: a poll costs no more (see `page_version`)."""
    found = next(iter(_polled(event.pk, entry.pk)), None)
    if found is None:
        return page_version(event, entry, None, None, None, (), NO_CLOCK, at)
    current = Round(event=event, **{name: found[name] for name in _POLLED_OF_ROUND})
    game = Game(**{name: found[f"mine__{name}"] for name in _POLLED}) if found["mine__pk"] else None
    calls_now = [JudgeCall(**each) for each in found["calls"]]
    clock = clock_seen(event, at=at, game=game, current=current)
    return page_version(event, entry, current, game, found["opponent"], calls_now, clock, at)


def page_version(
    event: Event, entry: Entry, current: Round | None, game: Game | None, opponent: str | None,
    calls: Sequence[JudgeCall], clock: str, at: datetime,
) -> str:  # fmt: skip
    """Return a word that changes with what a player's page shows, so that a poll is answered with 304 until then.
    `opponent` is the state of the opponent, `clock` that of `tournaments.pages.clock`: made of nothing that the player
    does not see. The length of a round is no part of the version (E26).
    """
    facts = [
        event.state, event.announcement, entry.state, opponent, entry.warnings, entry.checked_in_on,
        later_day(event, at), clock,
        (current.number, current.state) if current else None,
        (game.pk, game.table, game.first_id, game.second_id, game.state, game.version) if game else None,
        [(call.pk, call.state) for call in calls],
    ]  # fmt: skip
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


def place_of(event: Event, entry: Entry, table: PlayerTable) -> str:
    """Return the place of a player who plays no more, with an en dash: that of the bracket, also of one who has just
    lost or won its last game, else the one after its players; "" before a round is closed, and while they play (E33,
    E39).
    """
    is_out = event.state == Event.State.FINISHED or (event.state == Event.State.RUNNING and entry.state in LEFT)
    last = table.played[-1] if table.played else None
    decided = last and last.round.stage == Round.Stage.BRACKET and last.outcome in (WON, LOST)
    if not is_out and not decided:
        return ""
    places = places_of(event)
    has_places = places.bracket or (places.history.last_closed and entry.replaceable)
    return places.by_key.get(entry.key, "").replace("-", "–") if has_places else ""


def _link_players(game: Game) -> None:
    players = {game.first_id: game.first, game.second_id: game.second}
    for name in _TO_PLAYERS:
        if player := players.get(getattr(game, f"{name}_id")):
            setattr(game, name, player)


def _points(event: Event, entry: Entry, game: Game) -> int:
    """Return the event points of a game of the Swiss rounds; 0 while its result is not confirmed."""
    if game.round.stage != Round.Stage.SWISS:
        return 0
    if game.second is None:
        return bye_score(event.rules).points
    if game.state != Game.State.CONFIRMED:
        return 0
    first, second = game.pair
    return scores(event.rules, (first.key, second.key), result_of(game))[first.pk != entry.pk].points


def chooses_color(event: Event, entry: Entry, opponent: Entry | None) -> str:
    """Return who chooses the color by the Tournament Regulations: "self", "opponent", "random" if both armies have the
    same total, or "" where the totals are not known or the rules have no such choice (E45).
    """
    own, other = entry.army_points, opponent.army_points if opponent else None
    if event.rule_set != RuleSet.TOURNAMENT_REGULATIONS or own is None or other is None:
        return ""
    return "random" if own == other else "self" if own < other else "opponent"
