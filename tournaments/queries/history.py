"""What was played in an event, as the values of the pure rules."""

from collections.abc import Iterable, Sequence

from rules.core.values import Value
from rules.tournaments import bracket as pure_bracket
from rules.tournaments.bracket import BracketGame
from rules.tournaments.results import BOTH, Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound
from rules.tournaments.standings import Standing, standings
from tournaments.models import Entry, Event, Game, Round


class History(Value):
    """An event as it stands: its entries by key, its rounds with their games, in order."""

    event: Event
    entries: dict[str, Entry]
    rounds: list[Round]

    def of_stage(self, stage: str) -> list[Round]:
        """Return the rounds of a stage."""
        return [each for each in self.rounds if each.stage == stage]

    @property
    def current(self) -> Round | None:
        """The last round, if it is not closed."""
        last = self.rounds[-1] if self.rounds else None
        return last if last and last.state != Round.State.CLOSED else None

    @property
    def draft(self) -> Round | None:
        """The draft of the next round, if there is one."""
        return self.current if self.current and self.current.state == Round.State.DRAFT else None

    @property
    def last_closed(self) -> int:
        """The number of the last closed round, 0 before the first."""
        return max((each.number for each in self.rounds if each.state == Round.State.CLOSED), default=0)

    @property
    def active(self) -> list[str]:
        """The keys of the entries that play."""
        return [key for key, entry in self.entries.items() if entry.state == Entry.State.PLAYING]

    @property
    def published(self) -> "History":
        """The same without the draft of the next round, which is secret (E24)."""
        rounds = [each for each in self.rounds if each.state != Round.State.DRAFT]
        return History(self.event, self.entries, rounds)

    @property
    def tickets(self) -> dict[str, int]:
        """The tickets of all who ever took part (E34)."""
        return {key: entry.ticket for key, entry in self.entries.items() if entry.ticket is not None}

    @property
    def teams(self) -> dict[str, str]:
        """The team of each player who has one, in an event with teams."""
        entries = self.entries.items() if self.event.team_size else ()
        return {key: str(entry.team_id) for key, entry in entries if entry.team_id}

    def swiss(self) -> list[PlayedRound]:
        """Return the closed Swiss rounds: those that count for standings."""
        swiss = self.of_stage(Round.Stage.SWISS)
        return [played_round(each) for each in swiss if each.state == Round.State.CLOSED]

    def standings(self) -> tuple[Standing, ...]:
        """Return the standings after the closed Swiss rounds (E33–E36)."""
        return standings(self.event.rules, self.tickets, self.swiss())

    def has_rounds_after(self, number: int) -> bool:
        """Return whether Swiss rounds remain after this one, so that a margin without a game is provisional (E32)."""
        return self.event.state == Event.State.RUNNING and number < self.event.rounds

    def bracket(self) -> list[tuple[BracketGame, ...]]:
        """Return the columns of the bracket so far."""
        return [tuple(map(bracket_game, each.games.all())) for each in self.of_stage(Round.Stage.BRACKET)]

    def places(self) -> dict[str, str]:
        """Return the places that the bracket has decided (E39)."""
        return pure_bracket.places(self.bracket())


def history_of(event: Event) -> History:
    """Return an event as it stands."""
    return histories_of([event])[0]


def histories_of(events: Iterable[Event]) -> list[History]:
    """Return events as they stand, in four queries: the entries of their games are those of the events."""
    found = {event.pk: History(event, {}, []) for event in events}
    entries: dict[int | None, Entry] = {}
    for entry in Entry.objects.filter(event__in=found).order_by("number"):
        history = found[entry.event_id]
        entry.event, entries[entry.pk], history.entries[entry.key] = history.event, entry, entry
    rounds = Round.objects.filter(event__in=found).prefetch_related("games", "unpaired_losses").order_by("number")
    for each in rounds:
        history = found[each.event_id]
        each.event = history.event
        history.rounds.append(each)
        for game in each.games.all():
            game.round, game.first, game.second = each, entries.get(game.first_id), entries.get(game.second_id)
        for loss in each.unpaired_losses.all():
            loss.entry = entries[loss.entry_id]
    return list(found.values())


def played_round(each: Round) -> PlayedRound:
    """Return a round as a value of the pure rules."""
    games = list(each.games.all())
    return PlayedRound(
        games=tuple(
            PlayedGame(
                (game.first.key, game.second.key),
                result_of(game) if game.state == Game.State.CONFIRMED else None,
                game.table,
            )
            for game in games
            if game.first and game.second
        ),
        byes=frozenset(game.first.key for game in games if game.first and not game.second),
        unpaired_losses=frozenset(loss.entry.key for loss in each.unpaired_losses.all()),
    )


def result_of(game: Game) -> Result:
    """Return the result of a game as it was entered."""
    keys = {entry.pk: entry.key for entry in (game.first, game.second) if entry}
    nobody = BOTH if game.how == Ending.NO_SHOW else ""
    return Result(
        how=Ending(game.how), winner=keys.get(game.winner_id or 0, ""), by=keys.get(game.by_id or 0, nobody),
        points=(game.first_points, game.second_points), tokens=(game.first_tokens, game.second_tokens),
        agreed=game.agreed, blue=keys.get(game.blue_id or 0, ""), roll=keys.get(game.roll_id or 0, ""),
    )  # fmt: skip


def bracket_game(game: Game) -> BracketGame:
    """Return a game of the bracket as a value."""
    first, second = (entry.key if entry else "" for entry in (game.first, game.second))
    if not second:
        return BracketGame((first, ""), first)
    decided = game.state == Game.State.CONFIRMED
    return BracketGame((first, second), pure_bracket.decided_by((first, second), result_of(game)) if decided else "")


def army_points(entries: Iterable[Entry | None]) -> dict[str, int]:
    """Return the army points of those entries of which they are known (E27, E28)."""
    return {entry.key: entry.army_points for entry in entries if entry and entry.army_points is not None}


def ranking(ordered: Sequence[Standing], active: Iterable[str]) -> list[str]:
    """Return the active players, best first."""
    keys = set(active)
    return [standing.player for standing in ordered if standing.player in keys]
