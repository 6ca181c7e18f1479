"""House rules: where the printed text leaves a gap, our reading of it, and how a playgroup may read it instead.

Every **[reading]** of docs/rules.md is a switch here. The rules ask for it where the ruling is carried out:
`book.house.draw` is the reading that is played by. The first reading of a switch is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The reading that is played by, for each switch; without words, ours of all of them."""

    above_potential: str = "nothing_joins"
    corps_owed: str = "first"
    last_gain: str = "cut"
    standing_orders: str = "paragon_card_too"
    shield: str = "with_progress"
    draw: str = "defeat"
    tunnel_vision_check: str = "one_check"
    dedicated: str = "two_dice"
    rolled_again: str = "before_experience"
    second_of_the_arc: str = "experience_first"
    conceding_rival: str = "names"
    requested_twice: str = "two_held"
    ended_together: str = "both_concede"


#: Our reading of everything.
OURS = HouseRules()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the printed text: its value in HouseRules, and what it means, in a sentence."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A gap in the printed text: the field of HouseRules, the ruling, and the readings, ours first.

    `printed` says, in our words, what the printed text has.
    """

    name: str
    rule: str
    title: str
    printed: str
    readings: tuple[Reading, ...]

    @property
    def default(self) -> str:
        """Our reading."""
        return self.readings[0].value

    @property
    def others(self) -> tuple[Reading, ...]:
        """Every reading but ours."""
        return self.readings[1:]

    @property
    def values(self) -> tuple[str, ...]:
        """All readings there are."""
        return tuple(reading.value for reading in self.readings)

    def words(self, value: str) -> str:
        """What a reading of this switch means. Raises KeyError for one it does not have."""
        return {reading.value: reading.words for reading in self.readings}[value]


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "above_potential", "R2", "Above its Combat Potential",
        "The points of all cards on a Register cannot be more than its Combat Potential. What happens when a new "
        "points list makes them more is not said.",
        (
            Reading("nothing_joins", "Nothing is lost; nothing can be added until the cards fit again."),
            Reading("units_go", "The Register takes no field until its cards fit again; until then its player "
                    "may let units go, the Paragon excepted, at no cost."),
        ),
    ),
    Switch(
        "corps_owed", "R4", "Short of corps units",
        "A Register that falls below 2 corps units takes on others at once, as far as its Combat Potential goes.",
        (
            Reading("first", "Corps units come before anything else that costs Combat Potential, and by the end "
                    "of step 8 at the latest."),
            Reading("in_any_order", "Other things may be added first; step 8 does not end while a corps unit "
                    "still fits."),
        ),
    ),
    Switch(
        "last_gain", "R13", "The last Experience of a unit",
        "A unit that reaches its maximum Veteran Rank gains no more Experience. Of a gain that goes beyond it "
        "nothing is said.",
        (
            Reading("cut", "The gain is cut at the threshold: 24 and 3 more are 25."),
            Reading("whole", "The gain that reaches the threshold counts whole, up to 50: 24 and 3 more are 27; "
                    "then there are no more."),
        ),
    ),
    Switch(
        "standing_orders", "R24", "In place of Standing Orders",
        "Unlocked Paragon Command Cards may be in the Command Hand. Whether the one of 4 pips replaces Standing "
        "Orders is not said.",
        (
            Reading("paragon_card_too", "The Paragon Command Card of 4 pips may take the place of Standing Orders."),
            Reading("always", "Standing Orders are in every Command Hand."),
        ),
    ),
    Switch(
        "shield", "R28", "The shield of Daring Defense",
        "The card's reward keeps marked units from becoming casualties. Whether it does so in a battle in which "
        "the Agenda did not progress is not said.",
        (
            Reading("with_progress", "It is part of the reward: without progress there is no shield."),
            Reading("always", "It holds in every battle to which the Agenda was brought."),
        ),
    ),
    Switch(
        "draw", "R29", "A drawn Turning Point Mission",
        "There is a reward for having won and one for having lost. Of a draw nothing is said.",
        (
            Reading("defeat", "A draw is not a win: the owner resolves the defeat."),
            Reading("neither", "The owner resolves neither; the Story Arc has ended all the same."),
        ),
    ),
    Switch(
        "tunnel_vision_check", "R27", "Tunnel Vision and a defeated Paragon",
        "A defeated unit makes a Casualty Check; a Paragon with Tunnel Vision makes one if its Agenda did not "
        "progress. Whether both make two is not said.",
        (
            Reading("one_check", "One check, even if both apply."),
            Reading("two_checks", "Two checks, the second when everything of the first is done."),
        ),
    ),
    Switch(
        "dedicated", "R33", "Dedicated to the Cause",
        "Resilient rerolls 1 die of a Casualty Check, Dedicated to the Cause up to 2, and it is awarded to units "
        "that are Resilient. Whether they add up is not said.",
        (
            Reading("two_dice", "Up to 2 dice: it takes the place of Resilient."),
            Reading("three_dice", "Up to 3 dice: the two add up."),
        ),
    ),
    Switch(
        "rolled_again", "R36", "A Story Arc Setback that is rolled again",
        "A critical gives 1 Experience and the Setback of the Story Arc; a Setback that a unit cannot gain is "
        "rolled again. Whether the Experience stays is not said.",
        (
            Reading("before_experience", "The die is rolled again before any Experience is gained."),
            Reading("after_experience", "The Experience is gained, then the die is rolled again."),
        ),
    ),
    Switch(
        "second_of_the_arc", "R36", "A Story Arc Setback that makes a casualty",
        "Some Setbacks of Story Arcs make a casualty of a unit that gains them a second time. Whether the "
        "Experience of the critical comes first is not said; it matters to a Paragon.",
        (
            Reading("experience_first", "The unit gains the 1 Experience, and then is a casualty."),
            Reading("no_experience", "The unit is a casualty and gains nothing."),
        ),
    ),
    Switch(
        "conceding_rival", "R40", "The rival of who concedes",
        "Who concedes skips step 5 for their own Register. Whether they still name a Most Feared Rival of the "
        "other side is not said.",
        (
            Reading("names", "A player who conceded still names a rival."),
            Reading("names_nobody", "A player who conceded names nobody."),
        ),
    ),
    Switch(
        "requested_twice", "R43", "Assets that are requested twice",
        "A Register has 1 of each Strategic Asset at a time; two of them may be requested twice in a sequence. "
        "Whether two of them may be held is not said.",
        (
            Reading("two_held", "Those that may be requested twice may be held twice."),
            Reading("one_held", "1 of each, without exception."),
        ),
    ),
    Switch(
        "ended_together", "R51", "A battle ended early by agreement",
        "Who concedes, or ends a game early, skips steps 2, 3 and 5. Of two who agree to end it nothing is said.",
        (
            Reading("both_concede", "Both have conceded, and the report says who won, or nobody."),
            Reading("nobody_concedes", "Nobody has conceded: the battle counts as it stood."),
        ),
    ),
)  # fmt: skip

BY_NAME: Mapping[str, Switch] = {switch.name: switch for switch in SWITCHES}
