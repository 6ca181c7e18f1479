"""The server is killed with -9 between any two statements of a round of an event, and nothing is ever half done.

    .venv/bin/python bench/event_kill.py --step 4

plays a round of four players in a database of its own: draw, publish, start the clock, report, confirm, enter, close.
Each form is killed as `bench/kill.py` kills those of a battle. After each kill every row of the event is as before the
form or as after it, nothing is locked, and the same form, sent once more, leads to the latter.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.acts import Act, browser_of
from bench.kill import walk
from bench.own_site import own_site

if TYPE_CHECKING:
    from bench.forms import Sent
    from tournaments.models import Event, Game

PLAYERS = 4


def round_acts() -> Iterator[Act]:
    """Yield the forms of a round, one after the other; each has been sent when the next one is asked for."""
    from bench.simulated_battles import player
    from rules.tournaments.rule_sets import RuleSet
    from tournaments.models import Entry
    from tournaments.queries.rounds import draft_version
    from tournaments.services import entries, events

    organizer = player("organizer")
    event = events.create_event(
        actor=organizer, name="Killed", rule_set=RuleSet.GALACTIC_CONQUEST, structure="custom", rounds=2
    )
    added = entries.add_players(
        actor=organizer, event=event, players=[entries.NewPlayer(f"Player {place}") for place in range(PLAYERS)]
    )
    for entry in added:
        Entry.objects.filter(pk=entry.pk).update(user=player(f"player-{entry.number}"))
    entries.check_in(actor=organizer, event=event, entries=added)
    event = events.start(actor=organizer, event=event, reason="Lists are on paper.")
    browser, at = browser_of(organizer), f"/events/{event.pk}/"
    browser.get(f"{at}console/")  # loads all views, so that no child has to

    def step(name: str) -> Sent:
        return [("what", "step"), ("step", name), ("round", "1")]

    yield Act("draw", browser, f"{at}rounds/1/draw/", [])
    version = draft_version(event.round_set.get().games.order_by("place"))
    yield Act("publish", browser, f"{at}rounds/1/draft/", [("do", "publish"), ("version", version)])
    yield Act("start the clock", browser, f"{at}console/act/", step("start_clock"))
    one, other = games_of(event)
    first, second = one.pair
    report = [("game", str(one.pk)), *result_of(one)]
    yield Act("report", browser_of(first.user), f"{at}me/report/", report)
    confirm = [("game", str(one.pk)), ("version", "1")]
    yield Act("confirm", browser_of(second.user), f"{at}me/confirm/", confirm)
    yield Act("enter", browser, f"{at}rounds/1/games/{other.place}/", [("do", "save"), *result_of(other)])
    yield Act("close", browser, f"{at}console/act/", step("close"))


def games_of(event: Event) -> list[Game]:
    """Return the two games of the round."""
    from tournaments.models import Game

    return list(Game.objects.filter(round__event=event).select_related("first__user", "second__user"))


def result_of(game: Game) -> Sent:
    """Return a result, as a form for one that has none yet sends it: the first player wins."""
    figures = [("first_points", "500"), ("first_tokens", "6"), ("second_points", "300"), ("second_tokens", "4")]
    return [("version", "0"), ("how", "victory"), ("winner", game.pair[0].key), *figures]


def main() -> None:
    """Start a server of its own, play, and say what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--step", type=int, default=1, help="kill at every so many points, and at the last")
    words = parser.parse_args()
    os.environ["LOG_LEVEL"] = "ERROR"  # do not log the slow first requests of a new server
    with own_site("event-kill"):
        from django.core.management import call_command

        call_command("load_catalogue", verbosity=0)
        began, kills = time.monotonic(), 0
        for act in round_acts():
            found = walk(act, words.step)
            kills += found.before + found.after
            print(found, flush=True)
        print(f"{kills} kills in {time.monotonic() - began:.0f} s: nothing was half done")


if __name__ == "__main__":
    main()
