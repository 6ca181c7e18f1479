"""Drafts of rounds."""

from collections.abc import Callable

import pytest

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.tournaments.factories import add_player
from tournaments.models import Event, Round
from tournaments.services import entries, events, pairing, results, rounds


@once
def build(players: int = 6, **fields) -> tuple[User, Event]:
    """A running Galactic Conquest event of players A, B, C …"""
    olga = User.objects.create_user("olga")
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST, rounds=4)
    Event.objects.filter(pk=event.pk).update(
        seed=b"7" * 32, **{"structure": "custom", "lists_required": False, **fields}
    )
    added = [add_player(actor=olga, event=event, name="ABCDEFGHIJ"[place]) for place in range(players)]
    entries.check_in(actor=olga, event=event, entries=added)
    return olga, events.start(actor=olga, event=event)


def drawn(olga: User, event: Event) -> Round:
    return pairing.draw_round(actor=olga, event=event)


def refused(act: Callable[..., object], *words: object, **named: object) -> str:
    with pytest.raises(RuleViolation) as caught:
        act(*words, **named)
    return str(caught.value)


def play(olga: User, event: Event) -> None:
    """Publish the draft, let the first of each game win, close the round."""
    current = rounds.publish_round(actor=olga, event=event)
    for game in current.games.exclude(second=None).select_related("first"):
        won = Result(how=Ending.VICTORY, winner=game.first.key, points=(500, 300))
        results.save_result(actor=olga, game=game, result=won)
    rounds.close_round(actor=olga, event=event)
