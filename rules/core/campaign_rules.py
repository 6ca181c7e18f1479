"""The rules of a campaign: its limits, and house rules where the rulebook can be read in several ways."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rules.core.translation import gettext
from rules.core.translation import gettext_noop as _


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The chosen reading of each switch; by default, ours for all of them."""

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


#: Our reading of every switch.
OURS = HouseRules()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the printed text: its value in HouseRules, and its meaning in a sentence of English."""

    value: str
    meaning: str

    @property
    def words(self) -> str:
        """The meaning, in the current language."""
        return gettext(self.meaning)


@dataclass(frozen=True, slots=True)
class Switch:
    """A gap in the printed text: field of HouseRules, ruling, name and gap in English, and the readings, ours first."""

    name: str
    rule: str
    heading: str
    gap: str
    readings: tuple[Reading, ...]

    @property
    def title(self) -> str:
        """The name, in the current language."""
        return gettext(self.heading)

    @property
    def printed(self) -> str:
        """The gap in the printed text, in the current language."""
        return gettext(self.gap)

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
        """The values of all readings."""
        return tuple(reading.value for reading in self.readings)

    def words(self, value: str) -> str:
        """Return the meaning of a reading. Raises KeyError for one that this switch does not have."""
        return {reading.value: reading.words for reading in self.readings}[value]


SWITCHES: tuple[Switch, ...] = (
    Switch(
        "above_potential", "R2", _("Above its Combat Potential"),
        _("The points of all cards on a Register cannot be more than its Combat Potential. What happens when a new "
        "points list makes them more is not said."),
        (
            Reading("nothing_joins", _("Nothing is lost; nothing can be added until the cards fit again.")),
            Reading("units_go", _("The Register takes no field until its cards fit again; until then its player "
                    "may let units go, the Paragon excepted, at no cost.")),
        ),
    ),
    Switch(
        "corps_owed", "R4", _("Short of corps units"),
        _("A Register that falls below 2 corps units takes on others at once, as far as its Combat Potential goes."),
        (
            Reading("first", _("Corps units come before anything else that costs Combat Potential, and by the end "
                    "of step 8 at the latest.")),
            Reading("in_any_order", _("Other things may be added first; step 8 does not end while a corps unit "
                    "still fits.")),
        ),
    ),
    Switch(
        "last_gain", "R13", _("The last Experience of a unit"),
        _("A unit that reaches its maximum Veteran Rank gains no more Experience. Of a gain that goes beyond it "
        "nothing is said."),
        (
            Reading("cut", _("The gain is cut at the threshold: 24 and 3 more are 25.")),
            Reading("whole", _("The gain that reaches the threshold counts whole, up to 50: 24 and 3 more are 27; "
                    "then there are no more.")),
        ),
    ),
    Switch(
        "standing_orders", "R24", _("In place of Standing Orders"),
        _("Unlocked Paragon Command Cards may be in the Command Hand. Whether the one of 4 pips replaces Standing "
        "Orders is not said."),
        (
            Reading("paragon_card_too", _("The Paragon Command Card of 4 pips may take the place of Standing Orders.")),
            Reading("always", _("Standing Orders are in every Command Hand.")),
        ),
    ),
    Switch(
        "shield", "R28", _("The shield of Daring Defense"),
        _("The card's reward keeps marked units from becoming casualties. Whether it does so in a battle in which "
        "the Agenda did not progress is not said."),
        (
            Reading("with_progress", _("It is part of the reward: without progress there is no shield.")),
            Reading("always", _("It holds in every battle to which the Agenda was brought.")),
        ),
    ),
    Switch(
        "draw", "R29", _("A drawn Turning Point Mission"),
        _("There is a reward for having won and one for having lost. Of a draw nothing is said."),
        (
            Reading("defeat", _("A draw is not a win: the owner resolves the defeat.")),
            Reading("neither", _("The owner resolves neither; the Story Arc has ended all the same.")),
        ),
    ),
    Switch(
        "tunnel_vision_check", "R27", _("Tunnel Vision and a defeated Paragon"),
        _("A defeated unit makes a Casualty Check; a Paragon with Tunnel Vision makes one if its Agenda did not "
        "progress. Whether both make two is not said."),
        (
            Reading("one_check", _("One check, even if both apply.")),
            Reading("two_checks", _("Two checks, the second when everything of the first is done.")),
        ),
    ),
    Switch(
        "dedicated", "R33", _("Dedicated to the Cause"),
        _("Resilient rerolls 1 die of a Casualty Check, Dedicated to the Cause up to 2, and it is awarded to units "
        "that are Resilient. Whether they add up is not said."),
        (
            Reading("two_dice", _("Up to 2 dice: it takes the place of Resilient.")),
            Reading("three_dice", _("Up to 3 dice: the two add up.")),
        ),
    ),
    Switch(
        "rolled_again", "R36", _("A Story Arc Setback that is rolled again"),
        _("A critical gives 1 Experience and the Setback of the Story Arc; a Setback that a unit cannot gain is "
        "rolled again. Whether the Experience stays is not said."),
        (
            Reading("before_experience", _("The die is rolled again before any Experience is gained.")),
            Reading("after_experience", _("The Experience is gained, then the die is rolled again.")),
        ),
    ),
    Switch(
        "second_of_the_arc", "R36", _("A Story Arc Setback that makes a casualty"),
        _("Some Setbacks of Story Arcs make a casualty of a unit that gains them a second time. Whether the "
        "Experience of the critical comes first is not said; it matters to a Paragon."),
        (
            Reading("experience_first", _("The unit gains the 1 Experience, and then is a casualty.")),
            Reading("no_experience", _("The unit is a casualty and gains nothing.")),
        ),
    ),
    Switch(
        "conceding_rival", "R40", _("The rival of who concedes"),
        _("Who concedes skips step 5 for their own Register. Whether they still name a Most Feared Rival of the "
        "other side is not said."),
        (
            Reading("names", _("A player who conceded still names a rival.")),
            Reading("names_nobody", _("A player who conceded names no rival.")),
        ),
    ),
    Switch(
        "requested_twice", "R43", _("Assets that are requested twice"),
        _("A Register has 1 of each Strategic Asset at a time; two of them may be requested twice in a sequence. "
        "Whether two of them may be held is not said."),
        (
            Reading("two_held", _("Those that may be requested twice may be held twice.")),
            Reading("one_held", _("1 of each, without exception.")),
        ),
    ),
    Switch(
        "ended_together", "R51", _("A battle ended early by agreement"),
        _("Who concedes, or ends a game early, skips steps 2, 3 and 5. Of two who agree to end it nothing is said."),
        (
            Reading("both_concede", _("Both have conceded, and the report says who won, or nobody.")),
            Reading("nobody_concedes", _("Nobody has conceded: the battle counts as it stood.")),
        ),
    ),
)  # fmt: skip

BY_NAME: Mapping[str, Switch] = {switch.name: switch for switch in SWITCHES}


STARTING_COMBAT_POTENTIAL = 600
STARTING_SUPPLY_POINTS = 5

#: Least and most points. A Register with less cannot pay for a commander and two corps units.
COMBAT_POTENTIAL = (200, 5000)
SUPPLY_POINTS = (0, 50)
LENGTH = (1, 20)

#: The length that the rulebook suggests: a trilogy.
TRILOGY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignRules:
    """The rules of a campaign; by default, the rulebook as this project reads it.

    A Register starts with points of `combat_potential` and SP (R1). `factions`, `story_arcs` and `battle_forces`
    (slugs) limit what may be chosen; an empty limit allows all. `unreleased` lets Registers hold cards before their
    release (R5). After `length` Story Arcs a Register retires (R49); None is open-ended.
    """

    combat_potential: int = STARTING_COMBAT_POTENTIAL
    supply_points: int = STARTING_SUPPLY_POINTS
    factions: tuple[str, ...] = ()
    story_arcs: tuple[str, ...] = ()
    battle_forces: tuple[str, ...] = ()
    unreleased: bool = False
    length: int | None = None
    house: HouseRules = OURS

    def as_data(self) -> dict[str, Any]:
        """Return every difference from the rulebook as plain JSON values by name, including the switches."""
        return {name: _plain(value) for name, value in _flat(self) if value != _DEFAULTS[name]}


#: The rules of a campaign that sets none.
STANDARD_RULES = CampaignRules()


def from_data(data: Mapping[str, Any]) -> CampaignRules:
    """Return the campaign rules that `as_data` wrote. Raises ValueError for impossible ones."""
    if data == {}:
        return STANDARD_RULES  # most campaigns use them, and a page reads forty campaigns
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    if unknown := set(given) - set(_DEFAULTS):
        raise ValueError(f"unknown rules: {', '.join(sorted(unknown))}")
    house = {name: given.pop(name) for name in list(given) if name in BY_NAME}
    for name, value in house.items():
        if value not in BY_NAME[name].values:
            raise ValueError(f"{name} has no reading {value!r}")
    return CampaignRules(**given, house=HouseRules(**house))


def allows(named: Collection[str], slug: str) -> bool:
    """Return whether a limit lets `slug` be chosen; an empty limit allows all."""
    return not named or slug in named


def differences(before: CampaignRules, after: CampaignRules) -> list[tuple[str, Any, Any]]:
    """Return name, former and new value (plain JSON) of each limit and each switch that differs."""
    return [
        (name, _plain(was), _plain(now))
        for (name, was), (_, now) in zip(_flat(before), _flat(after), strict=True)
        if was != now
    ]


def _flat(campaign_rules: CampaignRules) -> Iterator[tuple[str, Any]]:
    for field in fields(CampaignRules):
        if field.name != "house":
            yield field.name, getattr(campaign_rules, field.name)
    for field in fields(HouseRules):
        yield field.name, getattr(campaign_rules.house, field.name)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


_DEFAULTS: Mapping[str, Any] = dict(_flat(STANDARD_RULES))
