"""An event as one JSON file: what the reader may know of it, and the seed once it is finished (E10, E23)."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from core.json_files import JSONFormat
from ops.paths import BASE_DIR, VERSION
from rules.tournaments.standings import Standing
from tournaments.access import EventRole
from tournaments.models import Event, Game, LogKind, Round, SubmittedList
from tournaments.queries.army_lists import Parts, last_lists, opponents_of, visible_parts
from tournaments.queries.standings import places_of
from tournaments.queries.trophies import trophies_of

SCHEMA = BASE_DIR / "docs" / "event-file.schema.json"
#: The lines of the log that are exported: what happened to the players and the rounds, and what was changed by hand.
#: Warnings, rulings and disputes stay in the event.
EXPORTED = (
    LogKind.STATE, LogKind.ENTERED, LogKind.ENTRY, LogKind.DRAFTED, LogKind.PAIRED, LogKind.PUBLISHED, LogKind.CLOSED,
    LogKind.CORRECTED, LogKind.CUT, LogKind.UNDONE, LogKind.CLOCK, LogKind.OVERRIDE, LogKind.FORGOTTEN,
)  # fmt: skip
#: Facts of the log that are never exported: names and accounts.
PRIVATE_FACTS = ("name", "names", "user", "role", "username", "note")
#: Options that older files do not have, as these events were played.
NEW_OPTIONS = {
    "bye_tokens": 0, "skips_unpaired_losses": False, "bracket_minutes": None, "deck_of_2020": False,
    "table_count": None, "table_names": "", "kept_tables": "", "schedule": "", "announcement": "", "price": "",
    "payment_link": "", "team_size": None, "team_best": None, "trophies": "", "voted_trophy": "",
}  # fmt: skip
#: Fields of the event that are exported as they are.
FIELDS = (
    "name", "about", "time_zone", "place", "rule_set", "tier", "state", "army_size", "rounds", "cut", "awarded_points",
    "bye_is_opponent", "structure", "frozen_players", "registration_limit", "lists_required", "lists_published",
    "hands_published", "other_cards", "clubs_apart", *NEW_OPTIONS,
)  # fmt: skip
#: Fields of the event that are moments.
MOMENTS = ("starts_at", "registration_deadline", "created_at")
#: A reader who neither leads nor plays.
STRANGER = EventRole(None)
#: What a file has of an army list before the event is finished.
UNITS = Parts(units=True)
#: Fields of an entry, of an army list and of a standing that are exported as they are.
ENTRY = ("number", "name", "club", "state", "ticket", "army_points", "fixed_table", "replaceable")
LIST = ("number", "faction", "battle_force", "points", "loadout_points")
STANDING = ("rank", "points", "rounds", "points_defeated", "tokens")
#: Fields of a unit in an army list.
UNIT = ("card", "upgrades", "loadout", "counterpart", "counterpart_upgrades")
#: Figures of a standing that are fractions.
FRACTIONS = (
    "strength_of_schedule", "extended_strength_of_schedule", "average_margin", "extended_average_margin",
)  # fmt: skip


@cache
def schema() -> dict[str, Any]:
    """Return the published JSON Schema of the file."""
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return loaded


#: The version is raised for changes that an older Musterbook would misread.
EVENT_FILE = JSONFormat(
    name="musterbook-event",
    version=2,
    schema=schema,
    most_values=400_000,
    part="file",
    foreign=lambda: _("This is not an event exported from Musterbook."),
)


def content_of(event: Event, role: EventRole = STRANGER) -> dict[str, Any]:
    """Return an event for a reader as the schema describes it, in ten queries. Rounds that are drafts are left out
    (E24), and so are army lists that the reader may not see (E10).
    """
    places = places_of(event)
    history = places.history
    finished = event.state == Event.State.FINISHED
    numbers = {entry.pk: entry.number for entry in history.entries.values()}
    lists, trophies = _lists(event, role), trophies_of(event)
    return {
        "format": EVENT_FILE.name,
        "version": EVENT_FILE.version,
        "made_at": moment(timezone.now()),
        "made_by": f"Musterbook {VERSION}",
        "event": {
            "id": str(event.origin or event.pk),
            **{name: getattr(event, name) for name in FIELDS},
            **{name: moment(getattr(event, name)) for name in MOMENTS},
        },
        "commitment": event.commitment,
        "seed": bytes(event.seed).hex() if finished else None,
        "entries": [
            {
                **{name: getattr(entry, name) for name in ENTRY},
                "ticket": None if entry.ticket is None else str(entry.ticket),
                "registered_at": moment(entry.registered_at),
                "checked_in_on": entry.checked_in_on and entry.checked_in_on.isoformat(),
                "trophies": [each.name for each in trophies if entry in each.winners],
                "list": lists.get(entry.pk),
            }
            for entry in history.entries.values()
        ],
        "teams": [
            {
                "name": team.name,
                "members": [each.number for each in history.entries.values() if each.team_id == team.pk],
            }
            for team in event.teams.all()
        ],
        "rounds": [
            round_content(each, numbers, with_clock=finished)
            for each in history.rounds
            if each.state != Round.State.DRAFT
        ],
        "standings": [standing_content(each) for each in places.standings],
        "places": [{"player": placed.entry.number, "place": placed.place} for placed in places.all],
        "log": _log(event, finished=finished),
    }


def as_json(content: Mapping[str, Any]) -> bytes:
    """Return the contents of the file, one value a line, so that two files can be compared."""
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def file_name(event: Event, ending: str = "event.json") -> str:
    """Return the name of an event's file, in plain letters."""
    plain = unicodedata.normalize("NFKD", event.name).encode("ascii", "ignore").decode()
    return f"{re.sub('[^a-z0-9]+', '-', plain.lower()).strip('-')[:60] or 'event'}.{ending}"


def moment(value: datetime | None) -> str | None:
    """Return a moment in UTC as ISO 8601."""
    return value.astimezone(UTC).isoformat() if value else None


def _lists(event: Event, role: EventRole) -> dict[int, dict[str, Any]]:
    """Return the last army list of each player with the parts that the reader may see, by primary key of the entry
    (E10). Before the end nobody's file has command hands and battle cards: a file is passed on.
    """
    opponents = opponents_of(role.entry)
    found = {}
    for submitted in last_lists(event).select_related("entry"):
        parts = visible_parts(event, role, submitted.entry, opponents)
        if parts.units:
            found[submitted.entry_id] = _list(submitted, parts if event.state == Event.State.FINISHED else UNITS)
    return found


def _list(submitted: SubmittedList, parts: Parts) -> dict[str, Any]:
    """Return an army list. Command hand and battle cards are None if they are not among its parts."""
    return {
        **{name: getattr(submitted, name) for name in LIST},
        "units": [{name: unit[name] for name in UNIT if unit.get(name)} for unit in submitted.units],
        "command_hand": submitted.command_hand if parts.hand else None,
        "battle_deck": submitted.battle_deck if parts.deck else None,
        "typed_deck": submitted.typed_deck if parts.deck else None,
    }


def standing_content(standing: Standing) -> dict[str, Any]:
    """Return a line of the standings. Fractions are exact: "7/6". Tickets are digits: JavaScript would round them."""
    return {
        "player": int(standing.player),
        **{name: getattr(standing, name) for name in STANDING},
        **{name: str(getattr(standing, name)) for name in FRACTIONS},
        "ticket": str(standing.ticket),
    }


def result_content(game: Game, numbers: Mapping[int, int]) -> dict[str, Any]:
    """Return the result of a game. Players are called by their `numbers`."""
    people = ("winner", "by", "blue", "roll")
    return {
        "how": game.how,
        **{name: numbers.get(getattr(game, f"{name}_id") or 0) for name in people},
        "agreed": game.agreed,
        "points": [game.first_points, game.second_points],
        "tokens": [game.first_tokens, game.second_tokens],
    }


Result = Callable[[Game, Mapping[int, int]], dict[str, Any]]


def round_content(
    each: Round, numbers: Mapping[int, int], *, with_clock: bool, result_of: Result = result_content
) -> dict[str, Any]:
    """Return a round. Its clock is secret in Galactic Conquest until the event ends (E26)."""
    return {
        "number": each.number,
        "stage": each.stage,
        "state": each.state,
        "started_at": moment(each.started_at) if with_clock else None,
        "minutes": each.minutes if with_clock else None,
        "games": [
            {
                "place": game.place,
                "table": game.table,
                "first": numbers.get(game.first_id or 0),
                "second": numbers.get(game.second_id or 0),
                "mission": game.mission,
                "extension": game.extension if with_clock else 0,
                "result": result_of(game, numbers) if game.second_id and game.state == Game.State.CONFIRMED else None,
            }
            for game in each.games.all()
        ],
        "unpaired_losses": sorted(loss.entry.number for loss in each.unpaired_losses.all()),
    }


def _log(event: Event, *, finished: bool) -> list[dict[str, Any]]:
    kinds = [kind for kind in EXPORTED if finished or kind != LogKind.CLOCK]
    return [
        {
            "kind": line.kind,
            "at": moment(line.at),
            "reason": line.reason,
            "facts": {name: value for name, value in line.facts.items() if name not in PRIVATE_FACTS},
        }
        for line in event.log.filter(kind__in=kinds).order_by("at", "pk")
    ]
