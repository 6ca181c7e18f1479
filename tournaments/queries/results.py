"""What a player played: in one event, and in all of them."""

from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from rules.core.translation import sentences_of
from rules.core.values import KeywordValue, Value
from rules.tournaments.results import GIVEN_UP, Ending, scores
from rules.tournaments.rule_sets import EventRules
from tournaments.models import Entry, Event, Game, Round
from tournaments.queries.history import History, histories_of, result_of
from tournaments.queries.standings import Placed, Places

ENDING_NAMES = {Ending(how): _(name) for how, name in sentences_of(__file__)["endings"].items()}
WON, DRAWN, LOST, BYE, MISSED, OPEN = "won", "drawn", "lost", "bye", "missed", "open"


class PlayedLine(KeywordValue):
    """A round as one player played it: own figures first, as they count (E30); `color` "blue" or "red" if known."""

    round: Round
    outcome: str
    game: Game | None = None
    opponent: Entry | None = None
    points: tuple[int, int] = (0, 0)
    tokens: tuple[int, int] = (0, 0)
    color: str = ""

    @property
    def ending(self) -> str:
        """How the game ended, empty while nobody has entered a result."""
        return str(ENDING_NAMES[Ending(self.game.how)]) if self.game and self.game.how else ""

    @property
    def has_figures(self) -> bool:
        """Whether points and tokens were played for."""
        if self.game is None or self.outcome not in (WON, DRAWN, LOST):
            return False
        return self.game.how != Ending.NO_SHOW or any(self.points)

    @property
    def is_by_roll(self) -> bool:
        """Whether a priority roll decided a drawn bracket game (E40)."""
        return self.outcome in (WON, LOST) and self.game is not None and self.game.roll_id is not None


class PlayerRecord(Value):
    """A player's rounds in an event, and their place so far (None for somebody who never played)."""

    entry: Entry
    lines: list[PlayedLine]
    placed: Placed | None

    @property
    def won(self) -> int:
        """Games won, byes included (E20)."""
        return sum(line.outcome in (WON, BYE) for line in self.lines)

    @property
    def drawn(self) -> int:
        """Games drawn."""
        return sum(line.outcome == DRAWN for line in self.lines)

    @property
    def lost(self) -> int:
        """Games lost, unpaired losses included (E21)."""
        return sum(line.outcome in (LOST, MISSED) for line in self.lines)

    @property
    def text(self) -> str:
        """Won, drawn and lost as "4–0–1"; without draws as "4–1"."""
        counts = (self.won, self.drawn, self.lost) if self.drawn else (self.won, self.lost)
        return "–".join(map(str, counts))

    @property
    def place(self) -> str:
        """The place with an en dash, "" without one."""
        return self.placed.place.replace("-", "–") if self.placed else ""


def forgotten_name(entry: Entry) -> str:
    """Return the name of a player whose name was deleted, in English like the rest of the stored event."""
    return f"Player {entry.number}"


def person_keys(entries: Iterable[Entry]) -> dict[int, object]:
    """Return who each entry is, by its primary key: the account; without one the exact name, also that of the one
    account that has it in another event. Somebody whose name was deleted is one player of one event.
    """
    entries = list(entries)
    accounts: dict[str, set[int]] = {}
    there: dict[UUID, set[int]] = {}
    for entry in entries:
        if entry.user_id:
            accounts.setdefault(entry.name, set()).add(entry.user_id)
            there.setdefault(entry.event_id, set()).add(entry.user_id)
    found: dict[int, object] = {}
    for entry in entries:
        same = accounts.get(entry.name, set()) - there.get(entry.event_id, set())
        is_forgotten = entry.name == forgotten_name(entry)
        nameless = (
            (entry.event_id, entry.number) if is_forgotten else next(iter(same)) if len(same) == 1 else entry.name
        )
        found[entry.pk] = entry.user_id or nameless
    return found


def record_of(places: Places, entry: Entry) -> PlayerRecord:
    """Return what an entry played in published rounds, without further queries."""
    placed = next((each for each in places.all if each.entry.pk == entry.pk), None)
    return PlayerRecord(entry, _lines_of([entry], places.history)[entry.pk], placed)


def records_of(places: Places) -> list[PlayerRecord]:
    """Return the records of all who have a place, best first."""
    lines = _lines_of((placed.entry for placed in places.all), places.history)
    return [PlayerRecord(placed.entry, lines[placed.entry.pk], placed) for placed in places.all]


def _lines_of(entries: Iterable[Entry], history: History) -> dict[int, list[PlayedLine]]:
    lines: dict[int, list[PlayedLine]] = {entry.pk: [] for entry in entries}
    for each in history.rounds:
        for game in each.games.all():
            for entry in (game.first, game.second):
                if entry and entry.pk in lines:
                    lines[entry.pk].append(line_of(each, game, entry))
        for loss in each.unpaired_losses.all():
            if loss.entry_id in lines:
                lines[loss.entry_id].append(PlayedLine(round=each, outcome=MISSED))
    return lines


def line_of(each: Round, game: Game, entry: Entry) -> PlayedLine:
    """Return a game, or a bye, of an entry. A result counts once it is confirmed (E28)."""
    if game.second is None:
        return PlayedLine(round=each, outcome=BYE, game=game)
    is_first, confirmed = game.first_id == entry.pk, game.state == Game.State.CONFIRMED
    winner = game.winner_id or (game.roll_id if each.stage == Round.Stage.BRACKET else None)
    points, tokens = counted_figures(each.event.rules, game)
    outcome = WON if winner == entry.pk else LOST if winner or game.how == Ending.NO_SHOW else DRAWN
    return PlayedLine(
        round=each, game=game, opponent=game.opponent_of(entry), outcome=outcome if confirmed else OPEN,
        points=points if is_first else points[::-1], tokens=tokens if is_first else tokens[::-1],
        color=("blue" if game.blue_id == entry.pk else "red") if game.blue_id and confirmed else "",
    )  # fmt: skip


def counted_figures(rules: EventRules, game: Game) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the points defeated and the victory tokens of a game of two entries as they count: as entered, but for
    what Galactic Conquest awards for a concession or a no-show (E30).
    """
    if game.how in GIVEN_UP and rules.has_draws:
        first, second = game.pair
        one, other = scores(rules, (first.key, second.key), result_of(game))
        return (one.defeated, other.defeated), (one.tokens, other.tokens)
    return (game.first_points, game.second_points), (game.first_tokens, game.second_tokens)


def events_played(user: User) -> list[PlayerRecord]:
    """Return a person's records in all their events, the latest first, in as many queries as for one event."""
    entries = list(Entry.objects.filter(user=user).exclude(event__state=Event.State.DRAFT).select_related("event"))
    histories = {history.event.pk: history for history in histories_of([entry.event for entry in entries])}
    records = [record_of(Places(histories[entry.event_id]), entry) for entry in entries]
    return sorted(records, key=lambda each: _when(each.entry.event), reverse=True)


def other_entries(entry: Entry) -> list[Entry]:
    """Return the entries of the same account in other public events, the latest event first, in one query."""
    if entry.user_id is None:
        return []
    others = Entry.objects.filter(user=entry.user_id).exclude(pk=entry.pk).exclude(event__state=Event.State.DRAFT)
    return sorted(others.select_related("event"), key=lambda each: _when(each.event), reverse=True)


def _when(event: Event) -> tuple[float, str]:
    return (event.starts_at or event.created_at).timestamp(), str(event.pk)
