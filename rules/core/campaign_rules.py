"""The rules of a campaign: its limits, and house rules where the rulebook can be read in several ways."""

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
        "above_potential", "R2", _("Above Combat Potential"),
        _("The cards of a Register cannot cost more than its Combat Potential. The rulebook does not say what happens "
        "when a new points list raises their cost."),
        (
            Reading("nothing_joins", _("Nothing is lost. Nothing can be added until the cards fit again.")),
            Reading("units_go", _("The Register cannot play a battle until its cards fit again. Its player can "
            "dismiss units other than the Paragon at no cost.")),
        ),
    ),
    Switch(
        "corps_owed", "R4", _("Missing corps units"),
        _("A Register with fewer than 2 corps units must add more immediately if its Combat Potential allows."),
        (
            Reading("first", _("Corps units must be added before anything else that costs Combat Potential, by the "
            "end of step 8.")),
            Reading("in_any_order", _("Other things may be added first. Step 8 cannot end while a corps unit still "
            "fits.")),
        ),
    ),
    Switch(
        "last_gain", "R13", _("Experience beyond the maximum"),
        _("A unit at its maximum Veteran Rank gains no more Experience. The rulebook does not say what happens to a "
        "gain that goes beyond it."),
        (
            Reading("cut", _("The gain stops at the threshold: 24 + 3 = 25.")),
            Reading("whole", _("The gain that reaches the threshold counts in full, up to 50: 24 + 3 = 27. After "
            "that, the unit gains no more.")),
        ),
    ),
    Switch(
        "standing_orders", "R24", _("Standing Orders"),
        _("Unlocked Paragon Command Cards can be in the Command Hand. The rulebook does not say whether the 4-pip "
        "card replaces Standing Orders."),
        (
            Reading("paragon_card_too", _("The 4-pip Paragon Command Card can replace Standing Orders.")),
            Reading("always", _("Standing Orders are always in the Command Hand.")),
        ),
    ),
    Switch(
        "shield", "R28", _("Daring Defense"),
        _("The card’s reward protects marked units from becoming casualties. The rulebook does not say whether this "
        "applies in a battle without progress."),
        (
            Reading("with_progress", _("Marked units are protected only if the Agenda progressed.")),
            Reading("always", _("Marked units are protected in every battle with this Agenda.")),
        ),
    ),
    Switch(
        "draw", "R29", _("A drawn Turning Point Mission"),
        _("There is one reward for a win and one for a loss. The rulebook does not mention a draw."),
        (
            Reading("defeat", _("The owner resolves the Loss Reward.")),
            Reading("neither", _("The owner resolves neither reward. The Story Arc still ends.")),
        ),
    ),
    Switch(
        "tunnel_vision_check", "R27", _("Tunnel Vision"),
        _("A defeated unit makes a Casualty Check. A Paragon with Tunnel Vision makes one if its Agenda did not "
        "progress. The rulebook does not say whether a Paragon makes two if both apply."),
        (
            Reading("one_check", _("One Casualty Check, even if both apply.")),
            Reading("two_checks", _("Two Casualty Checks, one after the other.")),
        ),
    ),
    Switch(
        "dedicated", "R33", _("Dedicated to the Cause"),
        _("Resilient rerolls 1 die of a Casualty Check, Dedicated to the Cause up to 2. Units need Resilient first. "
        "The rulebook does not say whether the rerolls add up."),
        (
            Reading("two_dice", _("Up to 2 dice. It replaces Resilient.")),
            Reading("three_dice", _("Up to 3 dice. The rerolls add up.")),
        ),
    ),
    Switch(
        "rolled_again", "R36", _("Story Arc Setback: Experience on a reroll"),
        _("A critical gives 1 Experience and the Setback of the Story Arc. If the unit cannot gain that Setback, roll "
        "again. The rulebook does not say whether the unit keeps the Experience."),
        (
            Reading("before_experience", _("Roll again first. The critical gives no Experience.")),
            Reading("after_experience", _("The unit gains the Experience, then rolls again.")),
        ),
    ),
    Switch(
        "second_of_the_arc", "R36", _("Story Arc Setback: Experience of a casualty"),
        _("With some Story Arc Setbacks, a unit that gains them a second time is a casualty. The rulebook does not "
        "say whether it gains the Experience of the critical first. This matters for a Paragon."),
        (
            Reading("experience_first", _("The unit gains 1 Experience, then is a casualty.")),
            Reading("no_experience", _("The unit is a casualty and gains nothing.")),
        ),
    ),
    Switch(
        "conceding_rival", "R40", _("Rival after conceding"),
        _("A player who concedes skips step 5 for their Register. The rulebook does not say whether they still name a "
        "Most Feared Rival."),
        (
            Reading("names", _("A player who conceded still names a rival.")),
            Reading("names_nobody", _("A player who conceded names no rival.")),
        ),
    ),
    Switch(
        "requested_twice", "R43", _("Strategic Assets requested twice"),
        _("A Register can have 1 of each Strategic Asset. Two of them can be requested twice in a Post-Battle "
        "Sequence. The rulebook does not say whether a Register can have both."),
        (
            Reading("two_held", _("A Register can have 2 of these.")),
            Reading("one_held", _("A Register can have only 1 of each.")),
        ),
    ),
    Switch(
        "ended_together", "R51", _("A battle ended early by agreement"),
        _("A player who concedes or ends a game early skips steps 2, 3 and 5. The rulebook does not say what happens "
        "when both agree to end it."),
        (
            Reading("both_concede", _("Both players conceded. The report says who won, if anybody.")),
            Reading("nobody_concedes", _("Nobody conceded. The battle counts as it stood.")),
        ),
    ),
    Switch(
        "turning_point_agenda", "R22", _("Agendas in a Turning Point Mission"),
        _("A player who plays their Turning Point Mission does not complete Build a Mission. The rulebook does not say "
        "whether the other player still adds an Agenda."),
        (
            Reading("other_side", _("The owner of the mission adds no Agenda. The other player can add one.")),
            Reading("nobody", _("Nobody adds an Agenda.")),
        ),
    ),
    Switch(
        "conceded_mission", "R51", _("Conceding one’s own Turning Point Mission"),
        _("A player who concedes skips step 2. The rulebook does not say whether this includes the rewards of their "
        "own Turning Point Mission."),
        (
            Reading("skipped", _("The owner gets no rewards of the mission. The Story Arc ends.")),
            Reading("lost", _("The mission counts as lost: the owner resolves step 2 with the Loss Reward.")),
        ),
    ),
    Switch(
        "trait_and_hits", "R35", _("A Defining Trait and hits in one roll"),
        _("With a surge, a Paragon gains a Defining Trait and is no casualty. The rulebook does not say whether the "
        "hits of the same roll still give a Setback."),
        (
            Reading("trait_only", _("The Paragon gains only the Defining Trait.")),
            Reading("hits_too", _("The Paragon gains the Defining Trait, and a Setback if there is a hit.")),
        ),
    ),
    Switch(
        "tunnel_vision_without_agenda", "R27", _("Tunnel Vision without an Agenda"),
        _("A Paragon with Tunnel Vision makes a Casualty Check if its Agenda did not progress. The rulebook does not "
        "say whether this applies to a player who brought no Agenda."),
        (
            Reading("no_check", _("Only a Paragon whose player brought an Agenda makes the check.")),
            Reading("check", _("Bringing no Agenda means no progress: the Paragon makes the check.")),
        ),
    ),
    Switch(
        "commended_slot", "R8", _("Upgrade slots from Commendations"),
        _("Some Commendations give an upgrade slot. The rulebook does not say how its card joins the Register."),
        (
            Reading("any_edit", _("The slot can be filled whenever the Register is edited.")),
            Reading("aid_request", _("The slot can be filled only by an Aid Request, such as Supplies and "
            "Provisions.")),
        ),
    ),
    Switch(
        "selfless_warden", "R37", _("A new Selfless Warden"),
        _("Selfless Warden rolls dice in step 7. The rulebook does not say whether a Paragon that gained it in step 4 "
        "of the same sequence rolls already."),
        (
            Reading("next_game", _("It begins with the next battle.")),
            Reading("at_once", _("It counts at once, in step 7 of the same sequence.")),
        ),
    ),
    Switch(
        "failure_is_not_an_option", "R15", _("Failure Is Not an Option"),
        _("The Veteran Rank that this Commendation asks for is hard to read on the card."),
        (
            Reading("4", _("Veteran Rank 4.")),
            Reading("3", _("Veteran Rank 3.")),
            Reading("5", _("Veteran Rank 5.")),
        ),
    ),
    Switch(
        "protect_your_allies", "R25", _("Protect Your Allies"),
        _("The number of times this Agenda progresses is hard to read on the card."),
        (
            Reading("3", _("It is complete after 3 progressions.")),
            Reading("2", _("It is complete after 2 progressions.")),
            Reading("4", _("It is complete after 4 progressions.")),
            Reading("5", _("It is complete after 5 progressions.")),
        ),
    ),
    Switch(
        "loss_reward_dice", "R29", _("Red defense dice of Loss Rewards"),
        _("The face that counts in the Loss Reward of a Turning Point Mission is hard to read on the cards."),
        (
            Reading("block", _("Blocks count.")),
            Reading("surge", _("Surges count.")),
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
