"""Events played through the services, the same each time: their seeds are fixed."""

from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import UUID

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.tournaments.factories import add_player
from tournaments.models import Entry, Event, Game, LogKind
from tournaments.queries.exchange import content_of
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds
from tournaments.services.log import log_line

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
CONQUEST, REGULATIONS = UUID(int=1), UUID(int=2)


@once
def open_event(olga, pk, names, **options):
    """Return an event with these players checked in, whose seed is known."""
    event = events.create_event(actor=olga, event_id=pk, starts_at=NOON, place="Cantina", **options)
    Event.objects.filter(pk=pk).update(seed=bytes([pk.int]) * 32, structure="custom", lists_required=False)
    added = [add_player(actor=olga, event=event, name=name, army_points=990) for name in names]
    entries.check_in(actor=olga, event=event, entries=added)
    return events.start(actor=olga, event=event)


@once
def play_round(olga, event, *, close=True):
    """Draw a round, unless there is a draft, and let the lower number win each game."""
    pairing.draw_round(actor=olga, event=event)
    current = rounds.publish_round(actor=olga, event=event)
    clock.start_clock(actor=olga, event=event, now=NOON)
    for game in current.games.exclude(second=None).select_related("first", "second", "round__event"):
        results.save_result(actor=olga, game=game, result=lower_wins(event, game))
    if close:
        rounds.close_round(actor=olga, event=event)
    return current


def lower_wins(event, game):
    """Return a result in which the lower number wins 500 to 300."""
    first = game.first.number < game.second.number
    winner, points, tokens = (game.first if first else game.second).key, (500, 300), (5, 3)
    conquest = event.rule_set == RuleSet.GALACTIC_CONQUEST
    return Result(
        how=Ending.VICTORY if conquest else Ending.SIX_ROUNDS, winner=winner, blue="" if conquest else game.first.key,
        points=points if first else points[::-1], tokens=tokens if first else tokens[::-1],
    )  # fmt: skip


@once
def play_conquest(olga, **options):
    """Galactic Conquest with everything that happens: byes, a late entry, a drop and a rejoin, a correction after the
    next round was drawn, a cut. `options` are fields of the event.
    """
    event = open_event(
        olga, CONQUEST, "ABCDEFGHI", name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST, rounds=3, cut=4
    )
    Event.objects.update(**{"state": event.state} | options)
    first = play_round(olga, event)
    by_name = {entry.name: entry for entry in event.entries.all()}
    entries.drop(actor=olga, entry=by_name["C"])
    add_player(actor=olga, event=event, name="J", army_points=1000)
    play_round(olga, event)
    game = first.games.exclude(second=None).select_related("first", "second", "round__event").first()
    loser = max(game.pair, key=lambda entry: entry.number)
    turned = (200, 700) if loser == game.second else (700, 200)
    corrected = Result(how=Ending.VICTORY, winner=loser.key, points=turned, tokens=(4, 4))
    results.save_result(correct=True, actor=olga, game=game, result=corrected, reason="The slip was misread.")
    entries.rejoin(actor=olga, entry=by_name["C"])
    play_round(olga, event)
    bracket.make_cut(actor=olga, event=event)
    play_round(olga, event)
    play_round(olga, event)
    return events.finish(actor=olga, event=event)


@once
def play_regulations(olga):
    """Tournament Regulations with concessions, and a second round of which two pairs were changed by hand."""
    names = [f"Trooper {number}" for number in range(1, 9)]
    event = open_event(olga, REGULATIONS, names, name="Summer Open", rule_set=RuleSet.TOURNAMENT_REGULATIONS, rounds=3)
    pairing.draw_round(actor=olga, event=event)
    rounds.publish_round(actor=olga, event=event)
    clock.start_clock(actor=olga, event=event, now=NOON)
    games = list(Game.objects.filter(round__event=event).select_related("first", "second", "round__event"))
    one, other, third, last = games
    for game, result in (
        (one, Result(how=Ending.CONCEDED, winner=one.first.key, by=one.second.key, tokens=(3, 1))),
        (other, Result(how=Ending.CONCEDED, winner=other.second.key, by=other.first.key, tokens=(0, 2), agreed=True)),
        (third, Result(how=Ending.ALL_DEFEATED, winner=third.first.key, points=(800, 310), blue=third.second.key)),
        (last, lower_wins(event, last)),
    ):
        results.save_result(actor=olga, game=game, result=result)
    rounds.close_round(actor=olga, event=event)
    swap_by_hand(olga, pairing.draw_round(actor=olga, event=event))
    play_round(olga, event)
    play_round(olga, event)
    return events.finish(actor=olga, event=event)


def swap_by_hand(olga, draft):
    """Let the second players of the first two games of a draft change places, as an organizer does (E24)."""
    one, other = draft.games.all()[:2]
    Game.objects.filter(pk=one.pk).update(second=None)
    Game.objects.filter(pk=other.pk).update(second=one.second)
    Game.objects.filter(pk=one.pk).update(second=other.second)
    log_line(actor=olga, event=draft.event, kind=LogKind.PAIRED, reason="Brothers.", round=draft.number, act="swap")


@contextmanager
def rolled_back(django_db_blocker):
    """Use the database outside of a test, and leave nothing in it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield User.objects.create_user("olga")
        transaction.set_rollback(True)


def exported(django_db_blocker, play):
    """Return the export of an event that is played and rolled back."""
    with rolled_back(django_db_blocker) as olga:
        return content_of(play(olga))


def entry_named(event, name):
    """Return the entry of this name."""
    return Entry.objects.select_related("event").get(event=event, name=name)


@contextmanager
def at_most(number):
    """Fail if the block asks the database more often."""
    with CaptureQueriesContext(connection) as queries:
        yield
    assert len(queries) <= number, [query["sql"][:200] for query in queries]
