"""Rounds in the database: what they are called, what follows the last one, and who still takes part (E17–E25, E38)."""

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext

from core import own_process
from rules.core.violations import RuleViolation, Violation, refuse
from rules.tournaments.pairing import Pairing, pair_round
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Round
from tournaments.queries.history import History, ranking

#: Players from which a draw takes long enough for a process of its own, and the seconds that it waits for another draw
#: and takes itself, at most.
MANY, LONGEST_WAIT, LONGEST_DRAW = 100, 30, 90


def round_name(each: Round, games: int | None = None) -> str:
    """Return "Round 2" or "Quarterfinals". `games` are those of its column with byes; without it they are counted."""
    if each.stage == Round.Stage.SWISS:
        return gettext("Round %(number)s") % {"number": each.number}
    return column_name(each.games.count() if games is None else games)


def column_name(games: int) -> str:
    """Return the name of a column of a bracket with so many games, byes included."""
    if games == 1:
        return gettext("Final")
    if games == 2:
        return gettext("Semifinals")
    if games == 4:
        return gettext("Quarterfinals")
    return gettext("Round of %(number)s") % {"number": 2 * games}


def draft_version(games: Iterable[Game]) -> str:
    """Return a token that changes with every change of the pairings or tables of a round."""
    text = ";".join(f"{game.place}:{game.first_id}-{game.second_id}@{game.table}" for game in games)
    return sha256(text.encode()).hexdigest()[:16]


def is_changeable(current: Round, games: Iterable[Game]) -> bool:
    """Return whether pairings and tables of a round may be changed by hand: until it starts (E24)."""
    return current.state != Round.State.CLOSED and current.started_at is None and not has_results(games)


def has_results(games: Iterable[Game]) -> bool:
    """Return whether a result of one of the games was entered, confirmed or not."""
    return any(game.state != Game.State.OPEN for game in games)


def hand_changes(event: Event, number: int) -> list[LogLine]:
    """Return the lines of the log that changed the draft of a round by hand since the app drew it, the first one first
    (E24). Undoing its publication, or a fixed table, changes no pairing by hand.
    """
    found: list[LogLine] = []
    lines = event.log.filter(kind__in=(LogKind.PAIRED, LogKind.DRAFTED), facts__round=number).order_by("pk")
    for line in lines:
        if line.kind == LogKind.DRAFTED or line.facts.get("act") == "restored" or line.facts.get("discarded"):
            found = []
        elif not line.facts.get("withdrawn"):
            found.append(line)
    return found


def not_under_way(rule: str) -> RuleViolation:
    """Return the refusal of an act that needs a published round, by the rule of the act (E3, E26, E28)."""
    return refuse(rule, gettext("This round is not under way."))


def draw_pairing(history: History, bye: str = "") -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23), if wanted with a `bye` that a person
    chose: the others are paired as always, and the seed gives each pair the same number.
    """
    ordered, active = history.standings(), [key for key in history.active if key != bye]
    points = {standing.player: standing.points for standing in ordered if standing.player in active}
    number = len(history.rounds) + 1
    words = (history.event.draw, number, points, history.swiss(), ranking(ordered, active))
    drawn = pair_round(*words) if len(points) < MANY else _drawn_apart(words)
    return replace(drawn, bye=bye) if bye else drawn


def _drawn_apart(words: tuple[Any, ...]) -> Pairing:
    """Return the pairing of many players, drawn in a process of its own: 512 take seconds."""
    try:
        return own_process.run(lambda _ask: pair_round(*words), queue="draw", wait=LONGEST_WAIT, seconds=LONGEST_DRAW)
    except (own_process.Busy, own_process.TooLong):
        raise refuse("", gettext("The site is drawing other pairings. Try again in a minute.")) from None


def last_round(event: Event, number: int | None) -> Round | None:
    """Return the last round, or an earlier one that a page which is out of date speaks of."""
    rounds = event.round_set.order_by("-number")
    return (rounds if number is None else rounds.filter(number=number)).first()


def has_bracket_begun(event: Event) -> bool:
    """Return whether it is too late to join: a bracket was drawn, other than the first draft of single elimination."""
    bracket = event.round_set.filter(stage=Round.Stage.BRACKET)
    return bracket.exclude(number=1, state=Round.State.DRAFT).exists()


def is_replaceable(event: Event) -> bool:
    """Return whether no game of the stage after the cut is played yet, so that who leaves is replaced (E38)."""
    bracket = list(event.round_set.filter(stage=Round.Stage.BRACKET)[:2])
    return (
        len(bracket) == 1
        and bracket[0].number > 1
        and bracket[0].started_at is None
        and not bracket[0].games.exclude(state=Game.State.OPEN).exists()
    )


def left_violation(entry: Entry) -> Violation | None:
    """Return why a player is no longer paired: dropped (E25), ejected (E4) or cut (E38). None for anyone else."""
    match entry.state:
        case Entry.State.DROPPED:
            return Violation("E25", gettext("%(player)s has dropped. Let them rejoin first.") % {"player": entry.name})
        case Entry.State.EJECTED:
            return Violation("E4", gettext("%(player)s was ejected and plays no more rounds.") % {"player": entry.name})
        case Entry.State.CUT:
            return Violation(
                "E38", gettext("%(player)s missed the cut and plays no more rounds.") % {"player": entry.name}
            )
    return None
