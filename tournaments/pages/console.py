"""What the organizer's console shows: the next step in words, calls, clocks, and the players."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from core.names import is_named
from rules.tournaments.bracket import fitting_cuts
from rules.tournaments.clock import Phase
from tournaments.models import Entry, Game, Round
from tournaments.pages.clock import ClockFace, clock_of, leader_clock, player_clock
from tournaments.queries.console import Board, NextStep, Step
from tournaments.queries.rounds import has_clock


def words_of(step: NextStep) -> dict[str, str]:
    """Return a step in words: the `title`, a sentence (`text`), and the `label` of its button."""
    smaller, larger = fitting_cuts(step.count or 1)
    places = {"round": step.round, "number": step.count, "smaller": smaller, "larger": larger}
    if step.step in _COUNTED:
        title, text, label = _COUNTED[step.step]
        return {"title": title(step.count), "text": gettext(text) % places, "label": gettext(label) % places}
    sentences = (_FINAL if step.is_final and step.step in _FINAL else _WORDS)[step.step]
    return {name: gettext(each) % places for name, each in zip(("title", "text", "label"), sentences, strict=True)}


_WORDS: dict[Step, tuple[str, str, str]] = {
    Step.OPEN_REGISTRATION: (
        gettext_noop("Open registration"),
        gettext_noop("Only leaders see this draft. Open registration so that players can join."),
        gettext_noop("Open the event page"),
    ),
    Step.DRAW: (
        gettext_noop("Draw round %(round)s"),
        gettext_noop("Nobody sees the pairings until you publish them."),
        gettext_noop("Draw round %(round)s"),
    ),
    Step.REVIEW: (
        gettext_noop("Check the pairings of round %(round)s"),
        gettext_noop("Only leaders see this draft. Read the warnings, change what you need to, then publish."),
        gettext_noop("Review the draft"),
    ),
    Step.START_CLOCK: (
        gettext_noop("Start the clock of round %(round)s"),
        gettext_noop("Start it when all players are at their tables. The pairings are final from then on."),
        gettext_noop("Start the clock"),
    ),
    Step.CLOSE: (
        gettext_noop("Close round %(round)s"),
        gettext_noop("All results are in. Close the round to update the standings."),
        gettext_noop("Close round %(round)s"),
    ),
    Step.CUT: (
        gettext_noop("Make the cut to the top %(number)s"),
        gettext_noop("The Swiss rounds are over. The top %(number)s advance to the bracket."),
        gettext_noop("Make the cut"),
    ),
    Step.SMALLER_CUT: (
        gettext_noop("Too few players for the cut"),
        gettext_noop(
            "%(number)s players are left. Cut to fewer, let all of them play on, or finish: then the standings decide."
        ),
        gettext_noop("Cut to the top %(smaller)s"),
    ),
    Step.CUT_WITH_BYES: (
        gettext_noop("Let all %(number)s players play on"),
        gettext_noop("The best of them have a bye in a bracket of %(larger)s."),
        gettext_noop("All %(number)s play on, with byes"),
    ),
    Step.FINISH: (
        gettext_noop("Finish the event"),
        gettext_noop("All rounds are over. Finishing publishes the final standings and the seed of the draws."),
        gettext_noop("Finish the event"),
    ),
    Step.OVER: (
        gettext_noop("The event is over"),
        gettext_noop("Standings, statistics and log stay here."),
        gettext_noop("Open the standings"),
    ),
}
_FINAL: dict[Step, tuple[str, str, str]] = {
    Step.DRAW: (
        gettext_noop("Draw the final"),
        gettext_noop("Two players are left. Nobody sees the pairing until you publish it."),
        gettext_noop("Draw the final"),
    ),
    Step.REVIEW: (
        gettext_noop("Check the final"),
        gettext_noop("The pairing is a draft. Choose the table, then publish."),
        gettext_noop("Review the draft"),
    ),
    Step.START_CLOCK: (
        gettext_noop("Start the clock of the final"),
        gettext_noop("Start it when both players are at their table."),
        gettext_noop("Start the clock"),
    ),
    Step.CLOSE: (
        gettext_noop("Close the final"),
        gettext_noop("The result is in. Closing it decides the event."),
        gettext_noop("Close the final"),
    ),
}
_COUNTED: dict[Step, tuple[Callable[[int], str], str, str]] = {
    Step.ADD_PLAYERS: (
        lambda number: (
            ngettext("Add %(number)s more player", "Add %(number)s more players", number) % {"number": number}
        ),
        gettext_noop("More players are needed to start. Share the registration link, or add names."),
        gettext_noop("Add players"),
    ),
    Step.CHECK_IN: (
        lambda number: (
            ngettext("Check in %(number)s player", "Check in %(number)s players", number) % {"number": number}
        ),
        gettext_noop("Only players who are checked in are paired."),
        gettext_noop("Check players in"),
    ),
    Step.START: (
        lambda number: (
            ngettext("Start with %(number)s player", "Start with %(number)s players", number) % {"number": number}
        ),
        gettext_noop("Starting draws the lots that break the last ties. Anyone who comes later is a late entry."),
        gettext_noop("Start the event"),
    ),
    Step.DISPUTES: (
        lambda number: (
            ngettext("Decide %(number)s disputed result", "Decide %(number)s disputed results", number)
            % {"number": number}
        ),
        gettext_noop("A player has disputed what the opponent entered. Ask both, then enter the result."),
        gettext_noop("Open the dispute"),
    ),
    Step.RESULTS: (
        lambda number: (
            ngettext("%(number)s result is missing", "%(number)s results are missing", number) % {"number": number}
        ),
        gettext_noop("Tap a game to enter its result."),
        gettext_noop("Enter a result"),
    ),
    Step.CONFIRM: (
        lambda number: ngettext("Confirm %(number)s result", "Confirm %(number)s results", number) % {"number": number},
        gettext_noop("One player has entered this result. Confirm it, or wait for the other player."),
        gettext_noop("Confirm a result"),
    ),
}


def console_clock(board: Board, now: datetime, *, sees_end: bool = True) -> dict[str, Any] | None:
    """Return the clock of the published round for leaders, and those of tables with more time; None without one.
    `minutes_left` is until the end that its phase is about. A leader who plays in the event does not see the end, like
    all players (E26).
    """
    if board.last is None or board.last.state != Round.State.PUBLISHED or not has_clock(board.event, board.last):
        return None
    clock_for = leader_clock if sees_end else player_clock
    face, extended = clock_for(board.event, board.last, now), []
    for game in board.played:
        if game.extension:
            of_table = clock_for(board.event, board.last, now, game)
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
