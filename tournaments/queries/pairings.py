"""The pairings of a round as pages show them: by table, by name, with the results so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from rules.core.translation import gettext
from rules.tournaments.results import Ending
from tournaments.models import Entry, Event, Game, Round
from tournaments.queries.round_names import round_name


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round that the reader may open. `version` changes with its results."""

    number: int
    name: str
    state: str
    is_bracket: bool
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A player of a game. The figures are None while the result is not confirmed; `color` is "blue", "red" or empty."""

    number: int
    name: str
    won: bool = False
    points: int | None = None
    tokens: int | None = None
    color: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A game of the round, or the bye of its only side. `table` is 0 for a bye. `note` says how it stands or ended."""

    place: int
    table: int
    sides: tuple[Side, ...]
    state: str
    note: str

    @property
    def is_bye(self) -> bool:
        """Whether it is a bye."""
        return len(self.sides) < 2

    def has(self, number: int) -> bool:
        """Return whether the player with this number is in it."""
        return any(side.number == number for side in self.sides)


@dataclass(frozen=True, slots=True)
class NameLine:
    """A player and where they play; `opponent` is None for a bye."""

    side: Side
    table: int
    opponent: Side | None


@dataclass(frozen=True, slots=True)
class RoundPairings:
    """The pairings of a round. `missed` are players with an unpaired loss (E21, E25)."""

    games: tuple[Pairing, ...]
    missed: tuple[Side, ...]

    @property
    def playing(self) -> list[Pairing]:
        """The games of two players, by table."""
        return sorted((game for game in self.games if not game.is_bye), key=lambda game: (game.table, game.place))

    @property
    def byes(self) -> list[Side]:
        """The players with a bye."""
        return [game.sides[0] for game in self.games if game.is_bye]

    @property
    def missing(self) -> int:
        """How many results are not confirmed."""
        return sum(game.state != Game.State.CONFIRMED for game in self.games if not game.is_bye)

    def by_name(self) -> list[NameLine]:
        """Return a line for each player, by name."""
        lines = [
            NameLine(side, game.table, next((each for each in game.sides if each != side), None))
            for game in self.games
            for side in game.sides
        ]
        return sorted(lines, key=lambda line: (line.side.name.casefold(), line.side.number))

    def matching(self, wanted: str) -> RoundPairings:
        """Return only the games and players with `wanted` in a name, or with that table if it is a number."""
        return RoundPairings(
            tuple(game for game in self.games if _fits(wanted, game.sides, game.table)),
            tuple(side for side in self.missed if _fits(wanted, (side,), 0)),
        )

    def names_matching(self, wanted: str) -> list[NameLine]:
        """Return the lines of those players with `wanted` in their name, or with that table if it is a number."""
        return [line for line in self.by_name() if _fits(wanted, (line.side,), line.table)]


def _fits(wanted: str, sides: Sequence[Side], table: int) -> bool:
    if wanted.strip().isdecimal():
        return str(table) == wanted.strip()
    words = wanted.casefold().split()
    return any(all(word in side.name.casefold() for word in words) for side in sides)


def rounds_of(event: Event, *, with_drafts: bool) -> list[RoundLink]:
    """Return the rounds of an event in their order, in one query. Drafts are for leaders (E24)."""
    rounds = event.round_set.order_by("number").annotate(
        size=Count("games"),
        changes=Sum("games__version"),
        done=Count("games", filter=Q(games__state=Game.State.CONFIRMED)),
        reported=Count("games", filter=Q(games__state=Game.State.REPORTED)),
    )
    if not with_drafts:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    return [
        RoundLink(
            each.number, round_name(each, each.size), each.state, each.stage == Round.Stage.BRACKET,
            f"{each.number}-{each.state}-{each.size}-{each.changes or 0}-{each.done}-{each.reported}",
        )
        for each in rounds
    ]  # fmt: skip


def pairings_of(event: Event, number: int) -> RoundPairings:
    """Return the pairings of a round, in two queries."""
    rows = Game.objects.filter(round__event=event, round__number=number).select_related("first", "second")
    games = tuple(_pairing(game) for game in rows.order_by("place") if game.first)
    losses = Entry.objects.filter(unpaired_losses__round__event=event, unpaired_losses__round__number=number)
    missed = tuple(Side(number=entry.number, name=entry.name) for entry in losses.order_by("number"))
    return RoundPairings(games, missed)


def _pairing(game: Game) -> Pairing:
    confirmed = game.state == Game.State.CONFIRMED and game.second is not None
    figures = (
        (game.first, game.first_points, game.first_tokens),
        (game.second, game.second_points, game.second_tokens),
    )
    sides = tuple(_side(game, entry, points, tokens, confirmed) for entry, points, tokens in figures if entry)
    return Pairing(place=game.place, table=game.table, sides=sides, state=game.state, note=_note(game, confirmed))


def _side(game: Game, entry: Entry, points: int, tokens: int, confirmed: bool) -> Side:
    color = "" if not game.blue_id or not confirmed else "blue" if game.blue_id == entry.pk else "red"
    known: dict[str, Any] = {"points": points, "tokens": tokens} if confirmed else {}
    won = confirmed and entry.pk in (game.winner_id, None if game.winner_id else game.roll_id)
    return Side(number=entry.number, name=entry.name, won=won, color=color, **known)


def _note(game: Game, confirmed: bool) -> str:
    if game.state == Game.State.REPORTED:
        return gettext("Reported, not confirmed yet")
    if game.state == Game.State.DISPUTED:
        return gettext("Disputed: not decided yet")
    if not confirmed:
        return ""
    if not game.winner_id and game.roll_id:
        return gettext("Draw, decided by the priority roll")
    if not game.winner_id:
        return gettext("Draw")
    return {
        Ending.CONCEDED: gettext("Conceded"),
        Ending.NO_SHOW: gettext("No-show"),
        Ending.TIME: gettext("On time"),
        Ending.ALL_DEFEATED: gettext("All units defeated"),
        Ending.BOTH_DEFEATED: gettext("Both sides defeated"),
    }.get(Ending(game.how), "")
