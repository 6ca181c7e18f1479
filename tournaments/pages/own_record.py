"""A person's record over all their events: by year, Faction and opponent."""

from collections import Counter
from collections.abc import Iterable, Mapping
from zoneinfo import ZoneInfo

from tournaments.models import Event
from tournaments.pages.standings import Bar, bars
from tournaments.queries.results import DRAWN, LOST, WON, PlayerRecord, person_keys


def tallies_of(records: Iterable[PlayerRecord], factions: Mapping[int, str]) -> dict[str, list[Bar]]:
    """Return what a person's games with a confirmed result come to, byes left out, with games won, drawn and lost as
    the note: all `games`, `years`, the latest first, `own_factions`, `factions` and `opponents`. `factions` are those
    that the person may know, by entry. Opponents are known as in a league.
    """
    lines = [
        (record.entry, line.opponent, line.outcome)
        for record in records
        for line in record.lines
        if line.opponent and line.outcome in (WON, DRAWN, LOST)
    ]
    people = person_keys(opponent for _own, opponent, _outcome in lines)
    kinds = {
        "games": [("", outcome) for _own, _opponent, outcome in lines],
        "years": [(str(year_of(own.event)), outcome) for own, _opponent, outcome in lines],
        "own_factions": [(factions.get(own.pk, ""), outcome) for own, _opponent, outcome in lines],
        "factions": [(factions.get(opponent.pk, ""), outcome) for _own, opponent, outcome in lines],
        "opponents": [(repr(people[opponent.pk]), outcome) for _own, opponent, outcome in lines],
    }
    names = {repr(people[opponent.pk]): opponent.name for _own, opponent, _outcome in reversed(lines)}
    found = {kind: _bars(counted, names) for kind, counted in kinds.items()}
    found["years"].sort(key=lambda bar: bar.name, reverse=True)
    for kind in ("own_factions", "factions"):
        found[kind] = [bar for bar in found[kind] if bar.name]
    return found


def year_of(event: Event) -> int:
    """Return the year of an event in its time zone."""
    return (event.starts_at or event.created_at).astimezone(ZoneInfo(event.time_zone)).year


def _bars(counted: list[tuple[str, str]], names: Mapping[str, str]) -> list[Bar]:
    outcomes = Counter(counted)
    games = Counter(name for name, _outcome in counted)
    notes = {name: "–".join(str(outcomes[name, each]) for each in (WON, DRAWN, LOST)) for name in games}
    return bars(games, notes=notes, labels=names)
