"""The pairing of the next Swiss round from the database, drawn apart where it takes long (E17–E19, E23)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from core import own_process
from rules.core.violations import refuse
from rules.tournaments.pairing import Pair, Pairing, pair_round
from tournaments.queries.history import History, ranking

#: Players from which a draw takes long enough for a process of its own, and the seconds that it waits for another draw
#: and takes itself, at most.
MANY, LONGEST_WAIT, LONGEST_DRAW = 100, 30, 90


def draw_pairing(history: History, bye: str = "", kept: Sequence[Pair] = ()) -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23), if wanted with a `bye` or pairs that a
    person chose: the others are paired as always, and the seed gives each pair the same number.
    """
    chosen = {bye, *(key for pair in kept for key in pair)}
    ordered, active = history.standings(), [key for key in history.active if key not in chosen]
    points = {standing.player: standing.points for standing in ordered}
    number, drawn = len(history.rounds) + 1, Pairing(pairs=(), bye="".join(active))
    if len(active) > 1 or not kept:
        open_points = {key: points[key] for key in points if key in active}
        words = (history.event.draw, number, open_points, history.swiss(), ranking(ordered, active), history.teams)
        drawn = pair_round(*words) if len(open_points) < MANY else _drawn_apart(words)
    places = {key: place for place, key in enumerate(sorted(points, key=lambda key: (-points[key], key)))}
    pairs = [sorted(pair, key=places.__getitem__) for pair in (*kept, *drawn.pairs)]
    pairs.sort(key=lambda pair: places[pair[0]])
    return replace(drawn, pairs=tuple((one, other) for one, other in pairs), bye=bye or drawn.bye)


def _drawn_apart(words: tuple[Any, ...]) -> Pairing:
    """Return the pairing of many players, drawn in a process of its own: 512 take seconds."""
    try:
        return own_process.run(lambda _ask: pair_round(*words), queue="draw", wait=LONGEST_WAIT, seconds=LONGEST_DRAW)
    except (own_process.Busy, own_process.TooLong):
        raise refuse("", gettext("The site is drawing other pairings. Try again in a minute.")) from None
