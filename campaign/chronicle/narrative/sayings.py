"""The facts that the chronicle mentions about a battle, and the sentences for them.

Each fact has a `Saying`: groups of sentences, each group with the condition under which it is true. The first group
whose condition holds is used; a hash picks the sentence, so the chronicle never changes for the same battle. Every
entry is a whole sentence with named placeholders for facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2s
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

#: A win by this factor, and by at least this many Victory Points, is called clear.
CLEARLY, BY_AT_LEAST = 2, 4

Facts = Mapping[str, Any]
Way = Any
"""A lazy translation with named placeholders; one with plural forms counts by `n`."""


class Saying:
    """The groups of sentences for one fact, most specific first: each with its condition."""

    def __init__(self, name: str, *groups: tuple[Any, ...]) -> None:
        self.name, self.groups = name, groups

    def say(self, battle: str, facts: Facts) -> str:
        """Return the sentence for these facts of this battle; empty if no condition holds."""
        ways: Sequence[Way] = next((ways for holds, *ways in self.groups if holds(facts)), ())
        if not ways:
            return ""
        picked = blake2s(f"{battle} {self.name} {facts.get('colour', '')}".encode(), digest_size=4).digest()
        return str(ways[int.from_bytes(picked) % len(ways)] % facts)


def _always(facts: Facts) -> bool:
    return True


def _one(facts: Facts) -> bool:
    return facts["n"] == 1


def _has(name: str) -> Callable[[Facts], bool]:
    return lambda facts: bool(facts[name])


OPENING = Saying(
    "opening",
    (
        _has("turning_point"),
        _("%(blue)s had come to its Turning Point, %(turning_point)s, and %(red)s stood in the way."),
        _("%(turning_point)s: the Turning Point of %(blue)s, fought against %(red)s."),
        _("For %(blue)s this was the Turning Point: %(turning_point)s, against %(red)s."),
    ),
    (
        _has("mission"),
        _("%(blue)s met %(red)s. The mission: %(mission)s."),
        _("The mission was %(mission)s, and %(red)s faced %(blue)s."),
        _("%(mission)s was the mission in which %(blue)s fought %(red)s."),
    ),
    (
        _always,
        _("%(blue)s met %(red)s in a battle of %(size)d points."),
        _("%(blue)s took the field against %(red)s, at %(size)d points."),
        _("%(red)s stood in the way of %(blue)s: a battle of %(size)d points."),
    ),
)

RESULT = Saying(
    "result",
    (
        lambda facts: facts["conceded"],
        _("%(loser)s conceded, and %(winner)s won."),
        _("%(winner)s won, for %(loser)s conceded."),
    ),
    (
        lambda facts: facts["both_conceded"] and not facts["winner"],
        _("Both sides conceded, at %(blue_points)d to %(red_points)d, and nobody won."),
    ),
    (
        lambda facts: facts["both_conceded"],
        _("Both sides conceded; at %(winner_points)d to %(loser_points)d the victory went to %(winner)s."),
    ),
    (
        lambda facts: not facts["winner"] and facts["scored"],
        _("Nobody won: %(blue_points)d to %(red_points)d."),
        _("It ended in a draw, %(blue_points)d to %(red_points)d."),
    ),
    (lambda facts: not facts["winner"], _("Nobody won."), _("It ended in a draw.")),
    (
        lambda facts: facts["winner_points"] - facts["loser_points"] == 1,
        _("%(winner)s won by a single Victory Point, %(winner_points)d to %(loser_points)d."),
        _("One Victory Point decided it: %(winner_points)d to %(loser_points)d for %(winner)s."),
    ),
    (
        lambda facts: (
            facts["winner_points"] >= CLEARLY * facts["loser_points"]
            and facts["winner_points"] - facts["loser_points"] >= BY_AT_LEAST
        ),
        _("%(winner)s won clearly, %(winner_points)d to %(loser_points)d."),
        _("%(winner_points)d to %(loser_points)d: %(winner)s left no doubt."),
    ),
    (
        lambda facts: facts["winner_points"] > facts["loser_points"],
        _("%(winner)s won, %(winner_points)d to %(loser_points)d."),
        _("The victory went to %(winner)s, %(winner_points)d to %(loser_points)d."),
        _("%(winner_points)d to %(loser_points)d: %(winner)s had the field."),
    ),
    (
        lambda facts: facts["scored"],
        _("%(winner)s won; the Victory Points stood at %(winner_points)d to %(loser_points)d."),
    ),
    (_always, _("%(winner)s won."), _("The victory went to %(winner)s.")),
)


FALLEN = Saying(
    "fallen",
    (
        lambda facts: facts["n"] and facts["won"],
        ngettext_lazy(
            "%(side)s won, and paid with %(units)s.", "%(side)s won, and paid with %(n)d units: %(units)s.", "n"
        ),
        ngettext_lazy(
            "Victory cost %(side)s one unit for good: %(units)s.",
            "Victory cost %(side)s %(n)d units for good: %(units)s.",
            "n",
        ),
    ),
    (
        _has("n"),
        ngettext_lazy("%(side)s lost %(units)s.", "%(side)s lost %(n)d units: %(units)s.", "n"),
        ngettext_lazy("One unit of %(side)s fell: %(units)s.", "%(n)d units of %(side)s fell: %(units)s.", "n"),
        ngettext_lazy(
            "%(side)s struck one unit from its lists: %(units)s.",
            "%(side)s struck %(n)d units from its lists: %(units)s.",
            "n",
        ),
    ),
    (
        lambda facts: facts["won"],
        _("%(side)s won without a loss: nobody fell."),
        _("The victory cost %(side)s no unit."),
    ),
    (_always, _("Nobody of %(side)s fell."), _("%(side)s brought everybody home.")),
)

SETBACKS = Saying(
    "setbacks",
    (
        _one,
        _("%(unit)s came back with a Setback: %(what)s."),
        _("It left its mark on %(unit)s: %(what)s."),
        _("One Setback was suffered, %(what)s, by %(unit)s."),
    ),
    (
        _has("n"),
        ngettext_lazy(
            "%(n)d Setback was carried home: %(pairs)s.", "%(n)d Setbacks were carried home: %(pairs)s.", "n"
        ),
        ngettext_lazy("It left %(n)d mark: %(pairs)s.", "It left %(n)d marks: %(pairs)s.", "n"),
        ngettext_lazy("%(n)d Setback was suffered: %(pairs)s.", "%(n)d Setbacks were suffered: %(pairs)s.", "n"),
    ),
)

RANKS = Saying(
    "ranks",
    (_one, _("%(unit)s reached %(what)s."), _("%(unit)s rose to %(what)s.")),
    (
        _has("n"),
        ngettext_lazy("%(n)d unit rose: %(pairs)s.", "%(n)d units rose: %(pairs)s.", "n"),
        ngettext_lazy(
            "%(n)d unit became more seasoned: %(pairs)s.", "%(n)d units became more seasoned: %(pairs)s.", "n"
        ),
    ),
)

COMMENDATIONS = Saying(
    "commendations",
    (_one, _("%(unit)s was awarded a Commendation: %(what)s."), _("There was a Commendation for %(unit)s: %(what)s.")),
    (
        _has("n"),
        ngettext_lazy(
            "%(n)d Commendation was awarded: %(pairs)s.", "%(n)d Commendations were awarded: %(pairs)s.", "n"
        ),
        ngettext_lazy("There was %(n)d Commendation: %(pairs)s.", "There were %(n)d Commendations: %(pairs)s.", "n"),
    ),
)

JOINED = Saying(
    "joined",
    (
        _has("n"),
        ngettext_lazy("Afterwards %(units)s joined.", "Afterwards %(n)d units joined: %(units)s.", "n"),
        ngettext_lazy("A unit was taken in: %(units)s.", "%(n)d units were taken in: %(units)s.", "n"),
    ),
)

RIVAL = Saying(
    "rival",
    (
        _has("rival"),
        _("As its Most Feared Rival it named %(rival)s of %(opponent)s."),
        _("None was feared more than %(rival)s of %(opponent)s: %(side)s named its rival."),
    ),
)

TRAIT = Saying(
    "trait",
    (
        _has("trait"),
        _("It left the Paragon with a Defining Trait: %(trait)s."),
        _("The Paragon of %(side)s took away a Defining Trait: %(trait)s."),
    ),
)

AGENDA = Saying(
    "agenda",
    (
        _has("n"),
        ngettext_lazy("The Agenda %(agenda)s progressed.", "The Agenda %(agenda)s progressed %(n)d times.", "n"),
        ngettext_lazy(
            "%(side)s came a step further with %(agenda)s.", "%(side)s came %(n)d steps further with %(agenda)s.", "n"
        ),
    ),
)

ARC_ENDED = Saying(
    "arc ended",
    (
        lambda facts: bool(facts["arc"]) and facts["won"],
        _("With this victory the Story Arc %(arc)s came to its end: +%(n)d Reputation."),
        _("The Story Arc %(arc)s ended in victory, and brought +%(n)d Reputation."),
    ),
    (
        _has("arc"),
        _("Here the Story Arc %(arc)s came to its end: +%(n)d Reputation."),
        _("The Story Arc %(arc)s was over, and brought +%(n)d Reputation."),
    ),
)

SAGA = Saying(
    "saga",
    (
        _has("n"),
        ngettext_lazy(
            "The saga of %(side)s is complete, after one Story Arc.",
            "The saga of %(side)s is complete, after %(n)d Story Arcs.",
            "n",
        ),
    ),
)

ARC_BEGUN = Saying(
    "arc begun",
    (lambda facts: bool(facts["arc"]) and facts["another"], _("Another one began: %(arc)s."), _("Next came %(arc)s.")),
    (_has("arc"), _("A Story Arc began: %(arc)s.")),
)
