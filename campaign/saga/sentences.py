"""The facts of a battle in sentences: which `sayings` there are for them, and with which facts each is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext, pgettext

from .sayings import (
    AGENDA,
    ARC_BEGUN,
    ARC_ENDED,
    COMMENDATIONS,
    FALLEN,
    JOINED,
    OPENING,
    RANKS,
    RESULT,
    RIVAL,
    SAGA,
    SETBACKS,
    TRAIT,
    Saying,
)
from .tale import SideTale, Tale


@dataclass(frozen=True, slots=True)
class SideTold:
    """What became of a side, in sentences."""

    name: str
    faction: str
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Told:
    """A battle in sentences: how it went, and what each side won and lost by it."""

    battle: Sequence[str]
    sides: Sequence[SideTold]


def told(tale: Tale) -> Told:
    """The battle in sentences, in the reader's language."""
    sides = [SideTold(side.name, side.faction, list(_of_side(tale, side))) for side in tale.sides]
    return Told(list(_of_battle(tale)), [side for side in sides if side.sentences])


def _of_battle(tale: Tale) -> Iterator[str]:
    facts = _battle_facts(tale)
    for saying in (OPENING, RESULT):
        if said := saying.say(tale.key, facts):
            yield said


def _battle_facts(tale: Tale) -> dict[str, Any]:
    winner = next((side for side in tale.sides if side.colour == tale.winner), None)
    loser = next((side for side in tale.sides if winner and side is not winner), None)
    return {
        "blue": tale.blue.name,
        "red": tale.red.name,
        "size": tale.size,
        "mission": tale.mission,
        "turning_point": tale.turning_point,
        "blue_points": tale.blue.victory_points,
        "red_points": tale.red.victory_points,
        "scored": bool(tale.blue.victory_points or tale.red.victory_points),
        "winner": winner.name if winner else "",
        "loser": loser.name if loser else "",
        "winner_points": winner.victory_points if winner else 0,
        "loser_points": loser.victory_points if loser else 0,
        "conceded": bool(winner and loser and loser.conceded and not winner.conceded),
        "both_conceded": tale.blue.conceded and tale.red.conceded,
    }


def _of_side(tale: Tale, side: SideTale) -> Iterator[str]:
    if not side.walked:
        return
    opponent = tale.red if side is tale.blue else tale.blue
    # The colour is for the hash: with the name another sentence would be picked once somebody changes it.
    facts = {"side": side.name, "opponent": opponent.name, "colour": side.colour}
    for saying, found in _found(tale, side):
        if said := saying.say(tale.key, {**facts, **found}):
            yield said


def _found(tale: Tale, side: SideTale) -> Iterator[tuple[Saying, dict[str, Any]]]:
    """What there may be to say of a side, each with its own facts."""
    yield FALLEN, {"units": listed(side.fallen), "n": len(side.fallen), "won": tale.winner == side.colour}
    yield SETBACKS, _pairs(side.setbacks)
    ranks = [(unit, gettext("Veteran Rank %(rank)d") % {"rank": rank}) for unit, rank in side.ranks]
    yield RANKS, _pairs(ranks)
    yield COMMENDATIONS, _pairs(side.commendations)
    yield JOINED, {"units": listed(side.joined), "n": len(side.joined)}
    yield RIVAL, {"rival": side.rival}
    yield TRAIT, {"trait": side.trait}
    for agenda, times in side.agendas:
        yield AGENDA, {"agenda": agenda, "n": times}
    yield ARC_ENDED, {"arc": side.arc_ended, "n": side.reputation, "won": tale.winner == side.colour}
    yield SAGA, {"n": side.arcs}
    yield ARC_BEGUN, {"arc": side.arc_begun, "another": bool(side.arc_ended)}


def _pairs(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    words = pgettext("a unit with what it got", "%(unit)s (%(what)s)")
    first = pairs[0] if pairs else ("", "")
    return {
        "pairs": listed([words % {"unit": unit, "what": what} for unit, what in pairs]),
        "unit": first[0],
        "what": first[1],
        "n": len(pairs),
    }


def listed(names: Sequence[str]) -> str:
    """Several names in a row: "a, b and c"."""
    return str(get_text_list(names, pgettext("before the last of several names", "and")))
