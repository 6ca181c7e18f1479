"""Pairing: draw a round as a draft, for the first time or again, with what people chose by hand (E17–E24, E38, E41).

`rules.tournaments.pairing` decides who meets whom; a draw of many players has a process of its own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from core import own_process
from rules.core.violations import refuse
from rules.tournaments.bracket import BracketGame, drawn_games, next_games, seeded_games, seeds_after_cut
from rules.tournaments.pairing import Pair, Pairing, pair_round
from rules.tournaments.rounds import PlayedRound
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.tables import assign_tables
from tournaments.models import Entry, Event, Game, LogKind, Round, StructureChoice
from tournaments.queries.events import FEWEST_TO_PLAY
from tournaments.queries.history import History, history_of, played_round, ranking
from tournaments.queries.rounds import HandChoice, hand_choices
from tournaments.queries.tables import hall_of
from tournaments.services.locks import lock_organized
from tournaments.services.log import log_line

Drawn = TypeVar("Drawn")


class Seats(NamedTuple):
    """Who plays at which table: the second is None for a bye, whose table is 0."""

    first: Entry | None
    second: Entry | None
    table: int

    @property
    def players(self) -> frozenset[int]:
        """The numbers of the players."""
        return frozenset(each.number for each in (self.first, self.second) if each)


class Again(NamedTuple):
    """A draft that is drawn again: what was chosen by hand in the one before, and why, as facts for the log."""

    choices: Sequence[HandChoice]
    why: Mapping[str, Any]


#: A draft that is drawn for the first time.
FIRST = Again((), {})
#: Players from which a draw takes long enough for a process of its own, the seconds that it waits for another draw and
#: takes itself, at most, and those after which phones come first.
MANY, LONGEST_WAIT, LONGEST_DRAW, QUICK_DRAW = 100, 30, 90, 0.5


@transaction.atomic
def draw_round(*, actor: User, event: Event, number: int | None = None) -> Round:
    """Draw the next round as a draft and return it; a draft that exists is returned as it is (E17–E24, E39, E42).
    Refuses to draw before the last round is closed, more Swiss rounds than the event has, and an event that does not
    run.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if there := next((each for each in history.rounds if each.number == number), None):
        return there
    if history.draft:
        return history.draft
    _check_can_pair(history)
    return _draw_next(actor, history)


def _check_can_pair(history: History) -> None:
    event = history.event
    if event.state != Event.State.RUNNING:
        raise refuse("", gettext("Start the event first."))
    if history.current:
        raise refuse("E17", gettext("Close the round under way first."))
    bracket = history.bracket()
    if bracket and len(bracket[-1]) == 1:
        raise refuse("E39", gettext("The final is played."))
    if not bracket and event.frozen_players is not None and 0 < event.rounds <= len(history.rounds):
        rule = "E14" if event.rule_set == RuleSet.GALACTIC_CONQUEST else "E15"
        raise refuse(rule, gettext("All Swiss rounds are played."))


def _draw_next(actor: User | None, history: History, again: Again = FIRST) -> Round:
    """Create the draft of the next round of a locked event, Swiss or bracket, and return it (E17–E23, E39)."""
    if columns := history.bracket():
        return _create_bracket_round(actor, history, next_games(columns[-1], history.active), again)
    if history.event.structure == StructureChoice.ELIMINATION:
        return _create_bracket_round(actor, history, drawn_games(history.event.draw, history.active), again)
    active = set(history.active)
    chosen = [tuple(sorted(map(str, each.players))) for each in again.choices if each.is_pair]
    kept = [(pair[0], pair[1]) for pair in chosen if len(pair) == 2 and active.issuperset(pair)]
    bye = next((each[0] for each in chosen if len(each) == 1 and each[0] in active), "")
    if len(active) % 2 == 0:
        bye = ""
    return _create_round(actor, history, Round.Stage.SWISS, swiss_seats(history, bye, kept), again)


def create_bracket(actor: User | None, history: History, again: Again = FIRST, **facts: Any) -> Round:
    """Make the cut of a locked event, log it with `facts`, and return the draft of the bracket's first round (E38)."""
    event, entries = history.event, history.entries
    active = active_for_bracket(history)
    seeds = bracket_seeds(history)
    Entry.objects.filter(pk__in=[entries[key].pk for key in active]).update(state=Entry.State.CUT)
    Entry.objects.filter(pk__in=[entries[key].pk for key in seeds if key]).update(state=Entry.State.PLAYING)
    numbers = [entries[key].number for key in seeds if key]
    log_line(actor, event, LogKind.CUT, seeds=numbers, **facts)
    return _create_bracket_round(actor, history, seeded_games(seeds), again)


def active_for_bracket(history: History) -> list[str]:
    """Return the players whom a place in the bracket can be given to (E38)."""
    states = (Entry.State.PLAYING, Entry.State.CUT)
    return [key for key, entry in history.entries.items() if entry.state in states and entry.replaceable]


def bracket_seeds(history: History) -> list[str]:
    """Return the keys of the players in the bracket by their seeds, with an empty one for each bye (E38)."""
    active = active_for_bracket(history)
    return seeds_after_cut(ranking(history.standings(), active), active, history.event.cut)


def swiss_seats(history: History, bye: str = "", kept: Sequence[Pair] = ()) -> list[Seats]:
    """Return the seats of the next Swiss round: who meets whom (`draw_pairing`), at the tables that the app assigns
    (E22).
    """

    def draw() -> tuple[Pairing, tuple[int, ...]]:
        drawn = _pairing(history, bye, kept)
        return drawn, _tables(history, drawn.pairs, history.swiss())

    drawn, tables = _apart(len(history.active), draw)
    find = history.entries.get
    seats = [Seats(find(one), find(other), table) for (one, other), table in zip(drawn.pairs, tables, strict=True)]
    return [*seats, *([Seats(find(drawn.bye), None, 0)] if drawn.bye else [])]


def _create_bracket_round(
    actor: User | None, history: History, games: Sequence[BracketGame], again: Again = FIRST
) -> Round:
    pairs = [game.players for game in games if all(game.players)]
    played = [played_round(each) for each in history.rounds if each.state == Round.State.CLOSED]
    tables = dict(zip(pairs, _apart(2 * len(pairs), lambda: _tables(history, pairs, played)), strict=True))
    find = history.entries.get
    seats = [Seats(find(game.players[0]), find(game.players[1]), tables.get(game.players, 0)) for game in games]
    return _create_round(actor, history, Round.Stage.BRACKET, seats, again)


def _tables(history: History, pairs: Sequence[Pair], played: Sequence[PlayedRound]) -> tuple[int, ...]:
    fixed = {key: entry.fixed_table for key, entry in history.entries.items() if entry.fixed_table}
    return assign_tables(pairs, played, fixed, *hall_of(history.event))


def _create_round(
    actor: User | None, history: History, stage: str, drawn: Iterable[Seats], again: Again = FIRST
) -> Round:
    """Create a draft with its games, and log that it was drawn, with what was chosen by hand before: lost, or kept."""
    event, number = history.event, len(history.rounds) + 1
    seats = _with_chosen_tables(dict(enumerate(drawn, start=1)), again.choices)
    tables = {each.players: each.table for each in seats.values()}
    kept = [each for each in again.choices if each.is_kept(tables)]
    if lost := [each.facts for each in again.choices if each not in kept]:
        log_line(None, event, LogKind.PAIRED, round=number, discarded=True, lost=lost)
    created = Round.objects.create(event=event, number=number, stage=stage)
    Game.objects.bulk_create(
        Game(round=created, place=place, table=each.table, first=each.first, second=each.second)
        for place, each in seats.items()
    )
    log_line(actor, event, LogKind.DRAFTED, round=number, **again.why)
    for act, is_pair in (("kept", True), ("tables", False)):
        games = [each._replace(table=tables[each.players]).facts for each in kept if each.is_pair == is_pair]
        if games:
            reason = "; ".join(dict.fromkeys(each.reason for each in kept if each.is_pair == is_pair))
            log_line(None, event, LogKind.PAIRED, reason=reason, round=number, act=act, after=games)
    return created


def draw_again(history: History, old: Round, why: Mapping[str, Any]) -> Round | None:
    """Replace a draft by one of the players and results that are there now, and log `why`. Return None if fewer than
    two players are left.
    """
    event, earlier = history.event, [each for each in history.rounds if each.number < old.number]
    again = Again(hand_choices(event, old.number, old.games.all()), why)
    old.delete()
    before, opens = History(event, history.entries, earlier), not earlier or earlier[-1].stage != old.stage
    if old.stage == Round.Stage.BRACKET and opens and event.structure != StructureChoice.ELIMINATION:
        return create_bracket(None, before, again)
    if len(before.active) < FEWEST_TO_PLAY:
        log_line(None, event, LogKind.PAIRED, round=old.number, discarded=True)
        return None
    return _draw_next(None, before, again)


def redraw(*, event: Event, **why: Any) -> Round | None:
    """Draw the draft of a locked event again, because its players or the results before it have changed, and return it;
    None without a draft. The log says `why` (facts of `LogKind.DRAFTED`). Pairs chosen by hand stay while both
    players are there (E24), and the log lists the others. With fewer than two players the draft is only discarded.
    """
    history = history_of(event)
    return draw_again(history, history.draft, why) if history.draft else None


def _with_chosen_tables(seats: dict[int, Seats], choices: Iterable[HandChoice]) -> dict[int, Seats]:
    """Return drawn seats with the tables that were chosen by hand for games that are still there (E22, E24)."""
    tables = {each.players: each.table for each in choices if each.is_table}
    for place, each in list(seats.items()):
        if (table := tables.get(each.players)) and seats[place].table != table:
            move_to_table(seats, place, table)
    return with_fixed_tables(seats) if tables else seats


def move_to_table(seats: dict[int, Seats], place: int, table: int) -> None:
    """Put a game on a table; the game that has it gets the table that becomes free."""
    free = seats[place].table
    for other, each in seats.items():
        if other != place and each.second and each.table == table:
            seats[other] = each._replace(table=free)
    seats[place] = seats[place]._replace(table=table)


def with_fixed_tables(seats: Mapping[int, Seats]) -> dict[int, Seats]:
    """Return seats with every fixed table observed; of two players who want one table the first has it (E22)."""
    found, taken = dict(seats), set[int]()
    for place in sorted(seats):
        one, other = found[place].first, found[place].second
        wanted = next((each.fixed_table for each in (one, other) if each and each.fixed_table), None)
        if one and other and wanted and wanted not in taken:
            taken.add(wanted)
            if found[place].table != wanted:
                move_to_table(found, place, wanted)
    return found


def draw_pairing(history: History, bye: str = "") -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23), if wanted with a `bye`: the others are
    paired as always, and the seed gives each pair the same number.
    """
    return _apart(len(history.active), lambda: _pairing(history, bye, ()))


def _pairing(history: History, bye: str, kept: Sequence[Pair]) -> Pairing:
    chosen = {bye, *(key for pair in kept for key in pair)}
    ordered, active = history.standings(), [key for key in history.active if key not in chosen]
    points = {standing.player: standing.points for standing in ordered}
    number, drawn = len(history.rounds) + 1, Pairing(pairs=(), bye="".join(active))
    if len(active) > 1 or not kept:
        open_points = {key: points[key] for key in points if key in active}
        words = (history.event.draw, number, open_points, history.swiss(), ranking(ordered, active), history.teams)
        drawn = pair_round(*words)
    places = {key: place for place, key in enumerate(sorted(points, key=lambda key: (-points[key], key)))}
    pairs = [sorted(pair, key=places.__getitem__) for pair in (*kept, *drawn.pairs)]
    pairs.sort(key=lambda pair: places[pair[0]])
    return replace(drawn, pairs=tuple((one, other) for one, other in pairs), bye=bye or drawn.bye)


def _apart(players: int, draw: Callable[[], Drawn]) -> Drawn:
    """Return what is drawn, for many players in a process of its own: 512 take seconds, and megabytes."""
    if players < MANY:
        return draw()
    try:
        return own_process.run(
            lambda _ask: draw(), queue="draw", wait=LONGEST_WAIT, seconds=LONGEST_DRAW, quick=QUICK_DRAW
        )
    except (own_process.Busy, own_process.TooLong):
        raise refuse("", gettext("The site is drawing other pairings. Try again in a minute.")) from None
