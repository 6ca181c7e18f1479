"""The rules of a campaign: its limits, and house rules where the rulebook can be read in several ways."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from rules.core.translation import gettext
from rules.core.values import KeywordValue, Value


class HouseRules(KeywordValue):
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
    turning_point_agenda: str = "other_side"
    conceded_mission: str = "skipped"
    trait_and_hits: str = "trait_only"
    tunnel_vision_without_agenda: str = "no_check"
    commended_slot: str = "any_edit"
    selfless_warden: str = "next_game"
    failure_is_not_an_option: str = "4"
    protect_your_allies: str = "3"
    loss_reward_dice: str = "block"


#: Our reading of every switch.
OURS = HouseRules()


class Reading(Value):
    """One way to read the printed text: its value in HouseRules, and its meaning in a sentence of English."""

    value: str
    meaning: str

    @property
    def words(self) -> str:
        """The meaning, in the current language."""
        return gettext(self.meaning)


class Switch(Value):
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


SWITCHES = tuple(
    Switch(**{**row, "readings": tuple(Reading(*reading) for reading in row["readings"].items())})
    for row in tomllib.loads(Path(__file__).with_name("house_rules.toml").read_text("utf-8"))["switches"]
)
BY_NAME: Mapping[str, Switch] = {switch.name: switch for switch in SWITCHES}


STARTING_COMBAT_POTENTIAL = 600
STARTING_SUPPLY_POINTS = 5

#: Least and most points. A Register with less cannot pay for a commander and two corps units.
COMBAT_POTENTIAL = (200, 5000)
SUPPLY_POINTS = (0, 50)
LENGTH = (1, 20)

#: The length that the rulebook suggests: a trilogy.
TRILOGY = 3


class CampaignRules(KeywordValue):
    """The rules of a campaign; by default, the rulebook as this project reads it.

    A Register starts with points of `combat_potential` and SP (R1). `factions`, `story_arcs` and `battle_forces`
    (slugs) limit what may be chosen; an empty limit allows all. `unreleased` lets Registers hold cards before their
    release (R5). After `length` Story Arcs a Register retires (R49); None is open-ended. `rank_table` is the format of
    the rank limits of all battles, such as "escalation"; empty for those of their size (R18).
    """

    combat_potential: int = STARTING_COMBAT_POTENTIAL
    supply_points: int = STARTING_SUPPLY_POINTS
    factions: tuple[str, ...] = ()
    story_arcs: tuple[str, ...] = ()
    battle_forces: tuple[str, ...] = ()
    unreleased: bool = False
    length: int | None = None
    rank_table: str = ""
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
