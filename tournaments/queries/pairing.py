"""The pairing of the next round, and what the organizer should know of a draft before publishing it (E17–E19, E22)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.tournaments.pairing import Pairing, pair_round
from rules.tournaments.rounds import meetings
from rules.tournaments.tables import repeated_tables
from tournaments.models import Entry, Round
from tournaments.queries.history import History, ranking


def draw_pairing(history: History, bye: str = "") -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23). `bye` is the key of the player who is
    given the bye instead of the one that the rules name.
    """
    ordered, active = history.standings(), set(history.active)
    points = {standing.player: standing.points for standing in ordered if standing.player in active}
    number = len(history.rounds) + 1
    return pair_round(history.event.draw, number, points, history.swiss(), ranking(ordered, active), bye=bye)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCheck:
    """What is wrong with a draft; all are usually empty.

    `rematches` are pairs who have met in this stage (E18), `repeated_tables` players who play on a table again, with
    its number (E22), `same_club` first-round pairs of one club, if the event asks for that warning. `other_bye` is a
    player whose bye would avoid a rematch (E19): see `swap_bye`.
    """

    rematches: tuple[tuple[Entry, Entry], ...] = ()
    repeated_tables: tuple[tuple[Entry, int], ...] = ()
    same_club: tuple[tuple[Entry, Entry], ...] = ()
    other_bye: Entry | None = None


def check_draft(history: History) -> DraftCheck:
    """Return what is wrong with the draft of an event, without a query. Without a draft nothing is."""
    draft = history.current
    if draft is None or draft.state != Round.State.DRAFT:
        return DraftCheck()
    before = History(history.event, history.entries, history.rounds[:-1])
    games = [game for game in draft.games.all() if game.first and game.second]
    pairs = [game.pair for game in games]
    keys = [(one.key, other.key) for one, other in pairs]
    again = repeated_tables(keys, [game.table for game in games], before.all_rounds())
    met = meetings(before.swiss()) if draft.stage == Round.Stage.SWISS else {}
    rematches = tuple(pair for pair, each in zip(pairs, keys, strict=True) if met.get(frozenset(each)))
    asks_for_clubs = history.event.clubs_apart and draft.number == 1
    return DraftCheck(
        rematches=rematches,
        repeated_tables=tuple((history.entries[key], table) for key, table in again),
        same_club=tuple(pair for pair in pairs if asks_for_clubs and pair[0].club and _one_club(*pair)),
        other_bye=_other_bye(before, draft) if rematches else None,
    )


def _one_club(one: Entry, other: Entry) -> bool:
    return one.club.strip().casefold() == other.club.strip().casefold()


def _other_bye(before: History, draft: Round) -> Entry | None:
    bye = next((game.first for game in draft.games.all() if game.first and not game.second), None)
    if bye is None or bye.key not in before.active:
        return None
    return before.entries.get(draw_pairing(before, bye.key).other_bye)
