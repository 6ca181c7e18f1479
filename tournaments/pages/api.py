"""An event as other programs read it: what everybody may know of it, and nothing more (E10, E24, E26)."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from tournaments.models import Event, Game, Round
from tournaments.pages.bracket import BracketCell, bracket_of
from tournaments.pages.clock import clock_context
from tournaments.pages.events import event_page
from tournaments.pages.results import Side
from tournaments.pages.teams import team_lines
from tournaments.queries.exchange import STRANGER, moment, result_content, round_content, standing_content
from tournaments.queries.results import counted_figures
from tournaments.queries.standings import places_of
from tournaments.queries.trophies import trophies_of

#: Fields of an event that are sent as they are.
FIELDS = ("name", "about", "place", "time_zone", "rule_set", "tier", "state", "army_size", "rounds", "cut")


def summary_of(event: Event) -> dict[str, Any]:
    """Return what the list of events says of one, without a query."""
    return {
        "id": str(event.pk),
        **{name: getattr(event, name) for name in FIELDS},
        "starts_at": moment(event.starts_at),
        "url": f"{settings.SITE_URL}{event.get_absolute_url()}",
    }


def _event(event: Event, now: datetime) -> dict[str, Any]:
    winner = places_of(event).winner
    return {
        **summary_of(event),
        "commitment": event.commitment,
        "seed": bytes(event.seed).hex() if event.state == Event.State.FINISHED else None,
        "winner": winner.number if winner else None,
    }


def _players(event: Event, now: datetime) -> list[dict[str, Any]]:
    page, places, trophies = event_page(event, STRANGER), places_of(event).by_key, trophies_of(event)
    return [
        {
            "number": line.entry.number, "name": line.entry.name, "club": line.entry.club,
            "state": "declined" if line.entry.has_declined else line.entry.state,
            "faction": line.faction or None, "place": places.get(line.entry.key),
            "trophies": [each.name for each in trophies if line.entry in each.winners],
        }
        for line in (*page.players, *page.waiting)
    ]  # fmt: skip


def _rounds(event: Event, now: datetime) -> list[dict[str, Any]]:
    history = places_of(event).history
    numbers = {entry.pk: entry.number for entry in history.entries.values()}
    with_clock = event.state == Event.State.FINISHED
    return [round_content(each, numbers, with_clock=with_clock, result_of=_result) for each in history.rounds]


def _result(game: Game, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return a result with the figures that count, as pages show them (E30)."""
    points, tokens = counted_figures(game.round.event.rules, game)
    return {**result_content(game, numbers), "points": points, "tokens": tokens}


def _standings(event: Event, now: datetime) -> dict[str, Any]:
    places = places_of(event)
    lines = [standing_content(each) for each in places.standings]
    if event.state != Event.State.FINISHED:
        for line in lines:
            del line["ticket"]  # the next one of a player who joins late would follow from it
    swiss = places.history.of_stage(Round.Stage.SWISS)
    return {"after": sum(each.state == Round.State.CLOSED for each in swiss), "standings": lines}


def _teams(event: Event, now: datetime) -> list[dict[str, Any]]:
    return [
        {
            "name": line.name, "rank": line.rank or None, "members": [entry.number for entry, _counts in line.members],
            "figures": [cell.exact or cell.text for cell in line.cells],
        }
        for line in (team_lines(places_of(event).history) if event.team_size else ())
    ]  # fmt: skip


def _bracket(event: Event, now: datetime) -> dict[str, Any]:
    places = places_of(event)
    columns = bracket_of(places.history).columns
    return {
        "columns": [
            {"name": each.name, "round": each.number or None, "games": [_cell(cell) for cell in each.games]}
            for each in columns
        ],
        "places": [{"player": each.entry.number, "place": each.place} for each in places.all] if columns else [],
    }


def _cell(cell: BracketCell) -> dict[str, Any]:
    return {"place": cell.place, "table": cell.table or None, "sides": [_side(each) for each in cell.sides]}


def _side(side: Side) -> dict[str, Any]:
    return {
        "player": side.number or None, "name": side.name or None, "seed": side.seed or None, "won": side.won,
        "points": side.points, "tokens": side.tokens,
    }  # fmt: skip


def _clock(event: Event, now: datetime) -> dict[str, Any]:
    """Return the clock as players may see it: a hidden one has no end before "time" (E26)."""
    clock = clock_context(event, at=now)
    face = clock["face"]
    return {
        "round": clock["label"] or None,
        "phase": str(face.phase) if face else None,
        "ends_at": moment(face.ends_at) if face else None,
    }


#: What can be asked of an event, by its name in the address.
PARTS: dict[str, Callable[[Event, datetime], Any]] = {
    "event": _event, "players": _players, "rounds": _rounds, "standings": _standings, "bracket": _bracket,
    "teams": _teams,    "clock": _clock,
}  # fmt: skip
