"""The places of an event: by its bracket, then by the standings (E39, E43)."""

from collections.abc import Sequence
from functools import cached_property

from rules.core.values import Value
from rules.tournaments.bracket import BracketGame, places
from rules.tournaments.standings import Standing
from tournaments.models import Entry, Event
from tournaments.queries.history import History, history_of


class Placed(Value):
    """A player's place ("1" or "3-4") from `first` to `last`, with the figures of the Swiss rounds, if any."""

    entry: Entry
    place: str
    standing: Standing | None

    @property
    def first(self) -> int:
        """The best place it can stand for."""
        return int(self.place.split("-")[0])

    @property
    def last(self) -> int:
        """The worst place it can stand for."""
        return int(self.place.split("-")[-1])


def all_places(columns: Sequence[Sequence[BracketGame]], ranking: Sequence[str]) -> dict[str, str]:
    """Return the place of each player: "1", "2", "3-4" by the bracket (E39), and after its players the others by the
    standings, best first. Players who are still in the bracket have none yet.
    """
    inside = {player for column in columns for game in column for player in game.players if player}
    outside = [player for player in ranking if player not in inside]
    others = {player: str(place) for place, player in enumerate(outside, start=len(inside) + 1)}
    return {**others, **places(columns)}


class Places:
    """The places of an event so far, best first. Drafts of rounds are left out, because they are secret (E24)."""

    def __init__(self, history: History) -> None:
        self.event, self.history = history.event, history.published

    @cached_property
    def bracket(self) -> list[tuple[BracketGame, ...]]:
        """The columns of the bracket."""
        return self.history.bracket()

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The standings after the closed Swiss rounds."""
        return self.history.standings()

    @cached_property
    def all(self) -> list[Placed]:
        """Every player who ever played, the best first; those of one place by their Swiss seed (E39)."""
        by_key = {standing.player: standing for standing in self.standings}
        placed = [Placed(self.history.entries[key], place, by_key.get(key)) for key, place in self.by_key.items()]
        return sorted(
            placed,
            key=lambda each: (each.first, each.last, each.standing.rank if each.standing else 0, each.entry.number),
        )

    @cached_property
    def by_key(self) -> dict[str, str]:
        """The place of each player by key. A player who is still in the bracket has none yet."""
        found = all_places(self.bracket, [each.player for each in self.standings])
        return {key: place for key, place in found.items() if key in self.history.entries}

    @property
    def winner(self) -> Entry | None:
        """The winner of a finished event: of its bracket, or the first of the standings (E43)."""
        if self.event.state != Event.State.FINISHED:
            return None
        return self.all[0].entry if self.all and self.all[0].first == 1 else None


def places_of(event: Event) -> Places:
    """Return the places of an event, in four queries."""
    return Places(history_of(event))
