"""Statistics of an event: factions, missions, endings, blue and red."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from rules.tournaments.results import Ending
from tournaments.models import Game, Round, SubmittedList
from tournaments.queries.history import History
from tournaments.queries.records import PlayerRecord

#: What pages call the endings of games (E27).
ENDING_LABELS: dict[str, Any] = {
    Ending.VICTORY: _("Victory"), Ending.TIME: _("Time"), Ending.DRAW: _("Draw by agreement"),
    Ending.CONCEDED: _("Concession"), Ending.NO_SHOW: _("No-show"), Ending.ALL_DEFEATED: _("All units defeated"),
    Ending.BOTH_DEFEATED: _("Mutual destruction"), Ending.SIX_ROUNDS: _("Six rounds"),
}  # fmt: skip
COLOR_LABELS = {"blue": _("Blue player"), "red": _("Red player")}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart: what it counts, how often, its width in per cent of the longest bar, a note, and its label."""

    name: str
    count: int
    width: int
    note: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What was counted in the confirmed games of an event. `factions` are those of players whose faction is public,
    `colors` the wins of blue and red.
    """

    players: int
    games: int
    points_defeated: int
    factions: list[Bar]
    missions: list[Bar]
    endings: list[Bar]
    colors: list[Bar]


def statistics_of(history: History, records: Iterable[PlayerRecord], lists: Mapping[int, SubmittedList]) -> Statistics:
    """Return the statistics of an event without further queries. `lists` are those with a public faction, by entry."""
    games = [
        game
        for each in history.rounds
        if each.state != Round.State.DRAFT
        for game in each.games.all()
        if game.second_id and game.state == Game.State.CONFIRMED
    ]
    records = list(records)
    blue = sum(bool(game.blue_id) and game.winner_id == game.blue_id for game in games)
    red = sum(bool(game.blue_id) and game.winner_id not in (None, game.blue_id) for game in games)
    return Statistics(
        players=len(records),
        games=len(games),
        points_defeated=sum(game.first_points + game.second_points for game in games),
        factions=_factions(records, lists),
        missions=bars(Counter(game.mission for game in games if game.mission)),
        endings=bars(Counter(game.how for game in games if game.how in ENDING_LABELS), labels=ENDING_LABELS),
        colors=bars({"blue": blue, "red": red}, labels=COLOR_LABELS) if blue or red else [],
    )


def bars(
    counts: Mapping[str, int], *, notes: Mapping[str, str] | None = None, labels: Mapping[str, Any] | None = None
) -> list[Bar]:
    """Return bars, the longest first."""
    most = max(counts.values(), default=0)
    return [
        Bar(
            name=name,
            count=count,
            width=round(100 * count / most) if most else 0,
            note=(notes or {}).get(name, ""),
            label=str((labels or {}).get(name, name)),
        )
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]


def _factions(records: Iterable[PlayerRecord], lists: Mapping[int, SubmittedList]) -> list[Bar]:
    """Return the players of each faction, with games won and lost as the note."""
    players: Counter[str] = Counter()
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for record in records:
        submitted = lists.get(record.entry.pk)
        if submitted and submitted.faction:
            players[submitted.faction] += 1
            won[submitted.faction] += sum(line.outcome == "won" for line in record.lines)
            lost[submitted.faction] += sum(line.outcome == "lost" for line in record.lines)
    return bars(players, notes={faction: f"{won[faction]}–{lost[faction]}" for faction in players})
