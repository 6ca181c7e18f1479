"""Achievements of a Register: what they are, and when a Register reached each of them.

They are pure functions of its closed battles, its ledger without undone entries, and its painted units. Nothing is
stored, so whatever is undone or corrected takes its achievements along.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from itertools import groupby
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from rules.core.translation import sentences_of
from rules.core.values import KeywordValue, Value
from rules.register import effects as e

WON = "won"
#: The ruling by which the end of a Story Arc gives Reputation: 1 point, or 2 if all its Agendas are complete.
ENDING_AN_ARC = "R48"
#: The ruling by which the dice of a Casualty Check are rolled.
CASUALTY_CHECK = "R31"
STREAK, CAMPAIGNER, SURVIVED, LOST_UNITS, DECORATED, RENOWN = 3, 10, 5, 5, 3, 5
HARDENED, LEGEND = 3, 5


class Fight(KeywordValue):
    """A closed battle of a Register. `result` is "won", "drawn" or "lost"; `own_mission`: it played its Turning Point
    Mission. `fielded` are the units of its army. `opponent` is the other Register, empty for a guest, and `defeated`
    are the units of the opponent that were defeated.
    """

    battle: str
    number: int
    day: date
    result: str
    own_mission: bool = False
    fielded: tuple[str, ...] = ()
    opponent: str = ""
    defeated: tuple[str, ...] = ()


class Act(KeywordValue):
    """An entry of the ledger that counts, in a closed battle or (`battle` is empty) in none."""

    day: date
    battle: str = ""
    effects: Sequence[e.Effect] = ()


class Career(KeywordValue):
    """All that achievements are computed from: battles and acts, oldest first, and the days when units were painted."""

    fights: Sequence[Fight] = ()
    acts: Sequence[Act] = ()
    painted: Mapping[str, date] = field(default_factory=dict)


class Moment(Value):
    """When something was reached: the day, the battle (empty for none), and the unit it is about (empty for none)."""

    day: date
    battle: str = ""
    unit: str = ""


class Achievement(Value):
    """Something to achieve. `find` returns when a Register did it first, None if it has not."""

    slug: str
    name: object
    description: object
    icon: str
    find: Callable[[Career], Moment | None]


def reached(career: Career) -> list[tuple[Achievement, Moment]]:
    """Return the achievements that a Register has reached, oldest first; of the same day in the order of the list."""
    found = [(each, moment) for each in ACHIEVEMENTS if (moment := each.find(career))]
    return sorted(found, key=lambda pair: pair[1].day)


E = TypeVar("E", bound=e.Effect)


def _effects(career: Career, kind: type[E]) -> Iterator[tuple[Act, E]]:
    for act in career.acts:
        for effect in act.effects:
            if isinstance(effect, kind):
                yield act, effect


def _fight(number: int, fights: Sequence[Fight]) -> Moment | None:
    """Return the moment of the fight with this number among `fights`, from 1."""
    return Moment(fights[number - 1].day, fights[number - 1].battle) if len(fights) >= number else None


def _first_victory(career: Career) -> Moment | None:
    return _fight(1, [fight for fight in career.fights if fight.result == WON])


def _streak(career: Career) -> Moment | None:
    for won, same in groupby(career.fights, key=lambda fight: fight.result == WON):
        if won and (moment := _fight(STREAK, list(same))):
            return moment
    return None


def _turning_point(career: Career) -> Moment | None:
    return _fight(1, [fight for fight in career.fights if fight.own_mission and fight.result == WON])


def _unscathed(career: Career) -> Moment | None:
    fell = {act.battle for act, _effect in _effects(career, e.UnitFell)}
    return _fight(1, [fight for fight in career.fights if fight.result == WON and fight.battle not in fell])


def _arc_ended(least: int) -> Callable[[Career], Moment | None]:
    """Return the finder for the first battle that gave so much Reputation for the end of a Story Arc."""

    def find(career: Career) -> Moment | None:
        points: Counter[str] = Counter()
        for act, effect in _effects(career, e.ReputationGained):
            if effect.rule == ENDING_AN_ARC and act.battle:
                points[act.battle] += effect.amount
                if points[act.battle] >= least:
                    return Moment(act.day, act.battle)
        return None

    return find


def _first(kind: type[e.Effect]) -> Callable[[Career], Moment | None]:
    """Return the finder for the first effect of this kind."""
    return lambda career: next((Moment(act.day, act.battle) for act, _effect in _effects(career, kind)), None)


def _rank(rank: int) -> Callable[[Career], Moment | None]:
    """Return the finder for the first unit of this Veteran Rank."""

    def find(career: Career) -> Moment | None:
        for act, effect in _effects(career, e.VeteranRankReached):
            if effect.veteran_rank >= rank:
                return Moment(act.day, act.battle, effect.unit)
        return None

    return find


def _survivor(career: Career) -> Moment | None:
    survived: Counter[str] = Counter()
    for act in career.acts:
        rolls = [each for each in act.effects if isinstance(each, e.DiceRolled) and each.rule == CASUALTY_CHECK]
        fell = {effect.unit for effect in act.effects if isinstance(effect, e.UnitFell)}
        for unit in dict.fromkeys(roll.unit for roll in rolls):
            if unit not in fell:
                survived[unit] += 1
                if survived[unit] == SURVIVED:
                    return Moment(act.day, act.battle, unit)
    return None


def _rival_defeated(career: Career) -> Moment | None:
    named = {act.battle: effect.rival for act, effect in _effects(career, e.RivalNamed)}
    rivals: set[tuple[str, str]] = set()
    for fight in career.fights:
        if any((fight.opponent, unit) in rivals for unit in fight.defeated):
            return Moment(fight.day, fight.battle)
        # Units lent by assets have other keys, and another unit has the key in the next battle.
        if fight.opponent and named.get(fight.battle, "").isdecimal():
            rivals.add((fight.opponent, named[fight.battle]))
    return None


def _decorated(career: Career) -> Moment | None:
    awarded: Counter[str] = Counter()
    for act, effect in _effects(career, e.CommendationAwarded):
        awarded[effect.unit] += 1
        if awarded[effect.unit] == DECORATED:
            return Moment(act.day, act.battle, effect.unit)
    return None


def _price(career: Career) -> Moment | None:
    lost = [Moment(act.day, act.battle, effect.unit) for act, effect in _effects(career, e.UnitFell)]
    return lost[LOST_UNITS - 1] if len(lost) >= LOST_UNITS else None


def _renown(career: Career) -> Moment | None:
    reputation = 0
    for act in career.acts:
        for effect in act.effects:
            if isinstance(effect, e.RegisterOpened):
                reputation += effect.reputation
            elif isinstance(effect, e.ReputationGained):
                reputation += effect.amount
                if reputation >= RENOWN:
                    return Moment(act.day, act.battle)
    return None


def _painted(career: Career) -> Moment | None:
    """Return the first battle whose whole army is painted, on the later day of the battle and the last unit's mark."""
    moments = [
        Moment(max(fight.day, *(career.painted[unit] for unit in fight.fielded)), fight.battle)
        for fight in career.fights
        if fight.fielded and all(unit in career.painted for unit in fight.fielded)
    ]
    return min(moments, key=lambda moment: moment.day, default=None)


_SENTENCES = sentences_of(__file__)
#: The icon of each achievement, and its finder.
_FOUND_BY: Mapping[str, tuple[str, Callable[[Career], Moment | None]]] = {
    "first-battle": ("dice", lambda career: _fight(1, career.fights)),
    "first-victory": ("paragon", _first_victory),
    "streak": ("critical", _streak),
    "ten-battles": ("corps", lambda career: _fight(CAMPAIGNER, career.fights)),
    "turning-point": ("objective", _turning_point),
    "story-arc": ("ledger", _arc_ended(1)),
    "all-agendas": ("check", _arc_ended(2)),
    "all-arcs": ("arc-birth-of-a-legend", _first(e.SagaCompleted)),
    "veteran": ("veteran-3", _rank(HARDENED)),
    "legend": ("veteran-5", _rank(LEGEND)),
    "survivor": ("block", _survivor),
    "unscathed": ("personnel", _unscathed),
    "rival": ("marked", _rival_defeated),
    "decorated": ("commander", _decorated),
    "command-card": ("command", _first(e.CommandCardUnlocked)),
    "price": ("fallen", _price),
    "renown": ("comms", _renown),
    "painted": ("brush", _painted),
}
ACHIEVEMENTS = tuple(
    Achievement(slug, _(_SENTENCES[slug]["name"]), _(_SENTENCES[slug]["description"]), *found)
    for slug, found in _FOUND_BY.items()
)
