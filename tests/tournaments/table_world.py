"""A small event with a published round, for the tests of players, judges and terrain."""

import re

from accounts.models import User
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.tournaments.factories import add_player
from tournaments.models import Entry, Event, Game, Round
from tournaments.services import entries, events

GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
NAMES = ("Asha", "Ben", "Cleo", "Dov")


@once
def new_event(rule_set: RuleSet = GC, names: tuple[str, ...] = NAMES, **words: object) -> tuple[User, Event]:
    """Return an organizer and an event with players who have checked in."""
    olga = User.objects.create_user("olga")
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=rule_set, **{"rounds": 3, **words})
    Event.objects.filter(pk=event.pk).update(state=Event.State.OPEN, structure="custom")
    added = [add_player(actor=olga, event=event, name=name) for name in names]
    entries.check_in(actor=olga, event=event, entries=added)
    return olga, event


@once
def paired_event(rule_set: RuleSet = GC, names: tuple[str, ...] = NAMES) -> tuple[User, Event]:
    """Return an organizer and an event whose first round is published: Asha and Ben at table 1, then the next two; the
    last of an odd number has a bye.
    """
    olga, event = new_event(rule_set, names)
    events.start(actor=olga, event=event, reason="Lists are on paper.")
    Event.objects.filter(pk=event.pk).update(frozen_players=len(names))
    first = Round.objects.create(event=event, number=1, stage=Round.Stage.SWISS, state=Round.State.PUBLISHED)
    players: list[Entry | None] = [*event.entries.order_by("number"), *[None] * (len(names) % 2)]
    Game.objects.bulk_create(
        Game(round=first, place=place, table=place if other else 0, first=one, second=other)
        for place, (one, other) in enumerate(zip(players[::2], players[1::2], strict=True), start=1)
    )
    event.refresh_from_db()
    return olga, event


def entry(event: Event, name: str) -> Entry:
    """Return a player by name."""
    found = event.entries.get(name=name)
    found.event = event
    return found


def game_of(event: Event, name: str) -> Game:
    """Return the game of the round under way whose first player has this name."""
    games = Game.objects.select_related("round__event", "first", "second")
    return games.filter(round__event=event, first__name=name).latest("round__number")


def won(event: Event, name: str) -> Result:
    """Return a result of Asha against Ben, 500 to 300 and 5 to 3 for who wins."""
    first = name == "Asha"
    return Result(
        how=Ending.VICTORY if event.rule_set == GC else Ending.SIX_ROUNDS, winner=entry(event, name).key,
        points=(500, 300) if first else (300, 500), tokens=(5, 3) if first else (3, 5),
        blue="" if event.rule_set == GC else entry(event, name).key,
    )  # fmt: skip


def as_posted(event: Event, name: str) -> dict[str, object]:
    """Return the same result as the form sends it, with the game's primary key and version."""
    game, result = game_of(event, "Asha"), won(event, name)
    return {
        "game": game.pk, "version": game.version, "how": result.how.value, "winner": result.winner,
        "blue": result.blue, "first_points": result.points[0], "second_points": result.points[1],
        "first_tokens": result.tokens[0], "second_tokens": result.tokens[1],
    }  # fmt: skip


def without_tokens(text: str) -> str:
    """Return a page without what differs each time: the tokens against forged requests."""
    return re.sub(r"[A-Za-z0-9]{64}", "TOKEN", text)
