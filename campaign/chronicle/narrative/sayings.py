"""The facts that the chronicle mentions about a battle, and the sentences for them.

Each fact has a `Saying`: groups of sentences, each group with the condition under which it is true. The first group
whose condition holds is used; a hash picks the sentence, so the chronicle never changes for the same battle. Every
entry is a whole sentence with named placeholders for facts.
"""

from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2s
from typing import Any

from django.utils.translation import gettext_lazy as _, ngettext_lazy

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


def _clear(facts: Facts) -> bool:
    ahead = facts["winner_points"] - facts["loser_points"]
    return ahead >= BY_AT_LEAST and facts["winner_points"] >= CLEARLY * facts["loser_points"]


def _close(facts: Facts) -> bool:
    return facts["winner_points"] - facts["loser_points"] == 1


def _ahead(facts: Facts) -> bool:
    return facts["winner_points"] > facts["loser_points"]


#: Verbs are in the past tense, because the name of a Register may be a singular or a plural.
HEADLINE = Saying(
    "headline",
    (
        lambda facts: facts["turning_point"] and facts["blue_won"],
        _("%(blue)s won their Turning Point, %(turning_point)s"),
        _("%(blue)s triumphed in %(turning_point)s"),
    ),
    (lambda facts: facts["turning_point"] and facts["winner"], _("%(red)s stopped %(blue)s in %(turning_point)s")),
    (_has("conceded"), _("%(loser)s conceded to %(winner)s")),
    (
        lambda facts: not facts["winner"] and facts["scored"],
        _("%(blue)s and %(red)s fought to a draw, %(blue_points)d–%(red_points)d"),
    ),
    (lambda facts: not facts["winner"], _("%(blue)s and %(red)s fought to a draw")),
    (
        _close,
        _("%(winner)s edged out %(loser)s %(winner_points)d–%(loser_points)d"),
        _("%(winner)s narrowly beat %(loser)s %(winner_points)d–%(loser_points)d"),
    ),
    (
        _clear,
        _("%(winner)s routed %(loser)s %(winner_points)d–%(loser_points)d"),
        _("%(winner)s crushed %(loser)s %(winner_points)d–%(loser_points)d"),
    ),
    (
        _ahead,
        _("%(winner)s beat %(loser)s %(winner_points)d–%(loser_points)d"),
        _("%(winner)s defeated %(loser)s %(winner_points)d–%(loser_points)d"),
    ),
    (_always, _("%(winner)s defeated %(loser)s")),
)

OPENING = Saying(
    "opening",
    (
        _has("turning_point"),
        _("%(blue)s reached their Turning Point, %(turning_point)s, and %(red)s stood in the way."),
        _("For %(blue)s, everything came down to %(turning_point)s, against %(red)s."),
        _("This was the Turning Point of %(blue)s: %(turning_point)s, against %(red)s."),
    ),
    (
        _has("mission"),
        _("%(blue)s met %(red)s in the mission %(mission)s."),
        _("%(red)s faced %(blue)s in the mission %(mission)s."),
        _("The mission was %(mission)s, and %(blue)s fought %(red)s."),
    ),
    (
        _always,
        _("%(blue)s met %(red)s in a battle of %(size)d points."),
        _("%(blue)s took the field against %(red)s, with %(size)d points."),
        _("%(red)s stood in the way of %(blue)s in a battle of %(size)d points."),
    ),
)

MEETING = Saying(
    "meeting",
    (
        _has("again"),
        _("They had met before: this was their %(meeting)s battle."),
        _("It was their %(meeting)s meeting."),
        _("The two fought each other for the %(meeting)s time."),
    ),
    (_has("meeting"), _("The two had never met before."), _("It was their first meeting.")),
)

LEAD = Saying(
    "lead",
    (
        _has("round"),
        _("After round %(round)d, %(loser)s still led %(loser_led)d to %(winner_had)d. Then the battle turned."),
        _("%(winner)s trailed %(winner_had)d to %(loser_led)d after round %(round)d, and came back."),
    ),
)

RESULT = Saying(
    "result",
    (
        _has("conceded"),
        _("%(loser)s conceded, and the victory went to %(winner)s."),
        _("%(winner)s won when %(loser)s conceded."),
    ),
    (
        lambda facts: facts["both_conceded"] and not facts["winner"],
        _("Both sides conceded at %(blue_points)d to %(red_points)d, and nobody won."),
    ),
    (
        _has("both_conceded"),
        _("Both sides conceded at %(winner_points)d to %(loser_points)d, and the victory went to %(winner)s."),
    ),
    (
        lambda facts: not facts["winner"] and facts["scored"],
        _("Neither side won: the battle ended %(blue_points)d to %(red_points)d."),
        _("The battle ended in a draw, %(blue_points)d to %(red_points)d."),
    ),
    (lambda facts: not facts["winner"], _("Neither side won."), _("The battle ended in a draw.")),
    (
        _close,
        _("%(winner)s won by a single Victory Point, %(winner_points)d to %(loser_points)d."),
        _("One Victory Point made the difference: %(winner)s won, %(winner_points)d to %(loser_points)d."),
    ),
    (
        lambda facts: facts["round"] and _clear(facts),
        _("In the end, %(winner)s won clearly, %(winner_points)d to %(loser_points)d."),
    ),
    (
        _clear,
        _("%(winner)s won clearly, %(winner_points)d to %(loser_points)d."),
        _("It was never close: %(winner)s won, %(winner_points)d to %(loser_points)d."),
    ),
    (
        _ahead,
        _("%(winner)s won, %(winner_points)d to %(loser_points)d."),
        _("The victory went to %(winner)s, %(winner_points)d to %(loser_points)d."),
        _("%(winner)s held the field, %(winner_points)d to %(loser_points)d."),
    ),
    (_has("scored"), _("%(winner)s won, although the score was %(winner_points)d to %(loser_points)d.")),
    (_always, _("%(winner)s won."), _("The victory went to %(winner)s.")),
)


def _of_arc(slug: str) -> Callable[[Facts], bool]:
    return lambda facts: bool(facts["nth"]) and facts["slug"] == slug


#: What a side fights for: an opening for each printed Story Arc, and one for those of campaigns. From here on, `They`
#: and `them` are the side: its name, unless the sentence before was about it, too.
CAMPAIGN = Saying(
    "campaign",
    (
        _of_arc("bring-peace-to-the-galaxy"),
        _("In their %(nth)s battle, %(They)s fought to impose order on a restless world."),
        _("%(They)s had orders to stamp out dissent. This was their %(nth)s battle."),
    ),
    (
        _of_arc("liberate-the-system"),
        _("In their %(nth)s battle, %(They)s fought for the people of an occupied world."),
        _("%(They)s had risen against an occupier. This was their %(nth)s battle."),
    ),
    (
        _of_arc("peacekeeping-mission"),
        _("In their %(nth)s battle, %(They)s fought to hold a world that had just joined the Republic."),
        _("An invaded world waited for relief, and %(They)s fought their %(nth)s battle."),
    ),
    (
        _of_arc("root-out-the-corruption"),
        _("In their %(nth)s battle, %(They)s fought to expose the graft of a Republic world."),
        _("A corrupt world had asked for help, and %(They)s fought their %(nth)s battle."),
    ),
    (
        _of_arc("the-weekend-war"),
        _("In their %(nth)s battle, %(They)s fought for the treasures of a remote system."),
        _("Time was short, and a remote system full of treasures waited. %(They)s fought their %(nth)s battle."),
    ),
    (
        _of_arc("birth-of-a-legend"),
        _("In their %(nth)s battle, %(They)s fought to make a name for themselves."),
        _("A legend was in the making: %(They)s fought their %(nth)s battle."),
    ),
    (
        _of_arc("a-pirates-life"),
        _("In their %(nth)s battle, %(They)s fought for loot."),
        _("Great powers fought over the sector, and %(They)s took their chance. This was their %(nth)s battle."),
    ),
    (
        lambda facts: bool(facts["nth"] and facts["arc"]),
        _("In their %(nth)s battle, %(They)s followed the Story Arc %(arc)s."),
        _("%(They)s fought their %(nth)s battle. Their Story Arc was %(arc)s."),
    ),
    (_has("nth"), _("%(They)s fought their %(nth)s battle."), _("It was the %(nth)s battle of %(them)s.")),
)

FALLEN = Saying(
    "fallen",
    (
        lambda facts: facts["n"] and facts["won"],
        ngettext_lazy(
            "%(They)s won, but lost %(units)s for good.",
            "%(They)s won, but lost %(number)s units for good: %(units)s.",
            "n",
        ),
        ngettext_lazy(
            "The victory cost %(them)s one unit: %(units)s.",
            "The victory cost %(them)s %(number)s units: %(units)s.",
            "n",
        ),
    ),
    (
        _has("n"),
        ngettext_lazy("%(They)s lost %(units)s for good.", "%(They)s lost %(number)s units for good: %(units)s.", "n"),
        ngettext_lazy("One unit did not return: %(units)s.", "%(Number)s units did not return: %(units)s.", "n"),
        _("%(They)s mourned %(units)s."),
    ),
    (
        _has("d"),
        ngettext_lazy(
            "One unit was defeated, but it came home: %(beaten)s.",
            "%(Defeated)s units were defeated, but none was lost: %(beaten)s.",
            "d",
        ),
        _("%(They)s saw %(beaten)s defeated, but mourned nobody."),
    ),
    (
        lambda facts: facts["won"],
        _("%(They)s won without a single unit defeated."),
        _("%(They)s won, and not one unit was defeated."),
    ),
    (_always, _("%(They)s came through with no unit defeated."), _("%(They)s kept every unit on its feet.")),
)

ESCAPED = Saying(
    "escaped",
    (
        _one,
        ngettext_lazy(
            "A single die let %(unit)s escape: %(what)s.", "%(Dice)s dice let %(unit)s escape: %(what)s.", "dice"
        ),
        ngettext_lazy(
            "Only one die stood between %(unit)s and the roll of the fallen. It showed %(what)s.",
            "%(Dice)s dice stood between %(unit)s and the roll of the fallen. They showed %(what)s.",
            "dice",
        ),
    ),
    (
        _has("n"),
        _("The dice let %(number)s units escape: %(pairs)s."),
        _("%(Number)s units were all but lost, and escaped: %(pairs)s."),
    ),
)

SAVED = Saying("saved", (_has("saved"), _("A Medevac brought %(saved)s out."), _("%(saved)s had a Medevac to thank.")))

SETBACKS = Saying(
    "setbacks",
    (
        _one,
        _("%(unit)s came back with a Setback: %(what)s."),
        _("The battle left its mark on %(unit)s: %(what)s."),
        _("%(unit)s suffered a Setback: %(what)s."),
    ),
    (
        _has("n"),
        _("%(They)s came home with %(number)s Setbacks: %(pairs)s."),
        _("%(They)s suffered %(number)s Setbacks: %(pairs)s."),
    ),
)

RANKS = Saying(
    "ranks",
    (_one, _("%(unit)s reached %(what)s."), _("%(unit)s rose to %(what)s.")),
    (_has("n"), _("%(Number)s units were promoted: %(pairs)s."), _("%(They)s promoted %(number)s units: %(pairs)s.")),
)

COMMENDATIONS = Saying(
    "commendations",
    (
        _has("first"),
        _("%(unit)s earned a first Commendation: %(what)s."),
        _("It was the first honor for %(unit)s: %(what)s."),
    ),
    (_one, _("%(unit)s earned the Commendation %(what)s."), _("%(unit)s received a Commendation: %(what)s.")),
    (
        _has("n"),
        _("%(They)s awarded %(number)s Commendations: %(pairs)s."),
        _("%(Number)s Commendations were earned: %(pairs)s."),
    ),
)

JOINED = Saying(
    "joined",
    (
        _has("n"),
        ngettext_lazy("%(units)s joined %(them)s.", "%(Number)s units joined %(them)s: %(units)s.", "n"),
        ngettext_lazy(
            "%(They)s gained a new unit: %(units)s.", "%(They)s gained %(number)s new units: %(units)s.", "n"
        ),
    ),
)

RIVAL = Saying(
    "rival",
    (
        _has("rival"),
        _("%(They)s named %(rival)s of %(opponent)s their Most Feared Rival."),
        _("No enemy worried %(them)s more than %(rival)s of %(opponent)s."),
    ),
)

FEARED = Saying(
    "feared",
    (
        lambda facts: bool(facts["feared"] and facts["guest"]),
        _("%(opponent)s feared nobody more than %(feared)s."),
        _("No unit worried %(opponent)s more than %(feared)s."),
    ),
)

TRAIT = Saying(
    "trait",
    (
        _has("trait"),
        _("The battle changed the Paragon of %(side)s, who gained a Defining Trait: %(trait)s."),
        _("The Paragon of %(side)s came away with a Defining Trait: %(trait)s."),
    ),
)

AGENDA = Saying(
    "agenda",
    (
        _has("n"),
        ngettext_lazy("The Agenda %(agenda)s progressed.", "The Agenda %(agenda)s progressed %(times)s.", "n"),
        ngettext_lazy("%(They)s made progress on %(agenda)s.", "%(They)s made progress on %(agenda)s %(times)s.", "n"),
    ),
)

ARC_ENDED = Saying(
    "arc ended",
    (
        lambda facts: bool(facts["arc"]) and facts["won"],
        _("With this victory, %(side)s completed the Story Arc %(arc)s and earned %(n)d Reputation."),
        _("The Story Arc %(arc)s ended in victory and earned %(side)s %(n)d Reputation."),
    ),
    (
        _has("arc"),
        _("The Story Arc %(arc)s came to its end and earned %(side)s %(n)d Reputation."),
        _("%(They)s finished the Story Arc %(arc)s and earned %(n)d Reputation."),
    ),
)

SAGA = Saying(
    "saga",
    (
        _has("n"),
        ngettext_lazy(
            "The story of %(side)s is complete after one Story Arc.",
            "The story of %(side)s is complete after %(n)d Story Arcs.",
            "n",
        ),
    ),
)

ARC_BEGUN = Saying(
    "arc begun",
    (
        lambda facts: bool(facts["arc"]) and facts["another"],
        _("Then %(side)s began a new Story Arc: %(arc)s."),
        _("Next for %(side)s came the Story Arc %(arc)s."),
    ),
    (_has("arc"), _("%(side)s began the Story Arc %(arc)s.")),
)
