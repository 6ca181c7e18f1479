"""What the organizer's console shows: the next step in words, calls, clocks, and the players."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from core.names import is_named
from core.sentences import said
from rules.core.translation import sentences_of
from rules.tournaments.bracket import fitting_cuts
from rules.tournaments.clock import Phase
from tournaments.models import Entry, Event, Game, Round
from tournaments.pages.clock import ClockFace, clock_face, clock_of
from tournaments.queries.console import Board, NextStep
from tournaments.queries.rounds import has_clock, lost_in_bracket, round_in_text
from tournaments.queries.schedule import later_day

SAID = sentences_of(__file__)


def words_of(step: NextStep) -> dict[str, str]:
    """Return a step in words: the `title`, a sentence (`text`), and the `label` of its button."""
    smaller, larger = fitting_cuts(step.count or 1)
    places = {
        "round": round_in_text(step.round, step.column),
        "number": step.count,
        "smaller": smaller,
        "larger": larger,
    }
    found = SAID[step.step]
    if step.column == 1:
        found = found.get("final", found)
    return {name: said(found[name], places, step.count) for name in ("title", "text", "label")}


def console_clock(board: Board, now: datetime, *, sees_end: bool = True) -> dict[str, Any] | None:
    """Return the clock of the published round for leaders, and those of tables with more time; None without one.
    `minutes_left` is until the end that its phase is about. A leader who plays in the event does not see the end, like
    all players (E26).
    """
    if board.last is None or board.last.state != Round.State.PUBLISHED or not has_clock(board.event, board.last):
        return None
    face, extended = clock_face(board.event, board.last, now, for_leader=sees_end), []
    for game in board.played:
        if game.extension:
            of_table = clock_face(board.event, board.last, now, game, for_leader=sees_end)
            extended.append({"game": game, "face": of_table, "minutes_left": _minutes_left(of_table, now)})
    return {
        "face": face, "minutes_left": _minutes_left(face, now), "extended": extended,
        "is_secret": face.phase == Phase.RUNNING and clock_of(board.event, board.last).is_hidden,
    }  # fmt: skip


def _minutes_left(face: ClockFace, now: datetime) -> int | None:
    if face.ends_at is None or face.phase == Phase.OVER:
        return None
    return max(0, -int((now - face.ends_at).total_seconds() // 60))


def open_games(board: Board) -> list[Game]:
    """Return the games of the published round that can be given more time, by table."""
    if board.last is None or board.last.state != Round.State.PUBLISHED or not has_clock(board.event, board.last):
        return []
    return sorted(board.played, key=lambda game: (game.table, game.place))


def not_back(event: Event, entries: Iterable[Entry], now: datetime) -> list[Entry]:
    """Return who still plays and has not checked in again on a later day of an event."""
    if not (day := later_day(event, now)):
        return []
    lost = lost_in_bracket(event)
    playing = (each for each in entries if each.state == Entry.State.PLAYING and each.pk not in lost)
    return [each for each in playing if each.checked_in_on != day]


def matching(entries: Iterable[Entry], text: str, tables: Mapping[int, int] | None = None) -> list[Entry]:
    """Return the entries that a search text names by name, number or table, those at the table first; all for an empty
    text. `tables` are by primary key.
    """
    wanted, at = text.strip(), {pk: str(table) for pk, table in (tables or {}).items()}
    found = [
        each for each in entries
        if is_named(wanted, each.name) or wanted in (str(each.number), at.get(each.pk))
    ]  # fmt: skip
    return sorted(found, key=lambda each: at.get(each.pk) != wanted)


#: How players are grouped on the console.
GROUPS: Sequence[tuple[str, tuple[str, ...]]] = (
    ("in", (Entry.State.PLAYING, Entry.State.CHECKED_IN)),
    ("not_in", (Entry.State.REGISTERED, Entry.State.WAITING)),
    ("out", (Entry.State.DROPPED, Entry.State.CUT, Entry.State.EJECTED)),
)
