"""Every event in a Register's history, with all its numbers, so that adding up needs no cards or dice.

`rule` is the ruling that caused it, `why` a few words for the ledger. Units are named by the keys of their Dossiers.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rules.core.translation import Kept, read_kept
from rules.core.values import KeywordValue


class Effect(KeywordValue):
    """Base class: the number of the ruling, and a few words on the occasion, in English (see `translated`)."""

    rule: str
    why: str = ""


class RegisterOpened(Effect):
    """A Register starts with these points of Combat Potential, SP and Reputation (R1)."""

    combat_potential: int
    supply_points: int
    reputation: int


class FactionChosen(Effect):
    """The Register gets the Faction that all its units with a Faction share (R3)."""

    faction: str


class RegisterNamed(Effect):
    """The Register gets its name (R10)."""

    name: str


class RegisterCommissioned(Effect):
    """The Register is built and can join battles (R4)."""


class RegisterDiscarded(Effect):
    """The Register was discarded before it was built; nothing happens to it any more (R10)."""


class StoryArcBegun(Effect):
    """A Story Arc begins; its Agendas start at 0 (R49)."""

    story_arc: str


class SagaCompleted(Effect):
    """The last Story Arc that the campaign's length allows has ended; `arcs` is how many have ended now (R49)."""

    arcs: int


class SupplyPointsGained(Effect):
    """SP gained."""

    amount: int


class SupplyPointsSpent(Effect):
    """SP spent or lost; never more than there were."""

    amount: int


class CombatPotentialRaised(Effect):
    """Points of Combat Potential gained."""

    amount: int


class ReputationGained(Effect):
    """Reputation gained (R48)."""

    amount: int


class AgendaProgressed(Effect):
    """An Agenda of the current arc progressed `amount` times in this battle (R25)."""

    agenda: str
    amount: int


class AssetGained(Effect):
    """A Strategic Asset joins the Register (R43)."""

    asset: str


class AssetUsedUp(Effect):
    """A Strategic Asset that was used leaves (R47)."""

    asset: str


class AidRequested(Effect):
    """An Aid Request was made; it counts until the sequence (or building the Register) is over (R41, R43)."""

    request: str
    asset: str = ""


class Corrected(Effect):
    """A value was corrected by hand: of a unit, an Agenda, or the Register; `state.value_of` knows the fields. `old`
    and `new` are plain: numbers, texts, tuples of slugs. The field `dossier` is a whole Dossier by its fields, or None:
    `old` is None for one that was entered, `new` for one that is struck.
    """

    rule: str = ""
    unit: str = ""
    agenda: str = ""
    field: str
    old: Any
    new: Any


class UnitAdded(Effect):
    """A unit joins. `faction` and `affiliation` are set only if they are taken from the Paragon."""

    unit: str
    card: str
    name: str = ""
    faction: str = ""
    affiliation: str = ""


class ParagonChosen(Effect):
    """The first commander becomes the Paragon (R6)."""

    unit: str


class UnitNamed(Effect):
    """A unit gets its Dossier name (R7, R9)."""

    unit: str
    name: str


class UpgradeAdded(Effect):
    """A unit gets an upgrade card for good; `by_commendation` if it uses a slot that one gave (R8)."""

    unit: str
    upgrade: str
    by_commendation: bool = False


class UnitFell(Effect):
    """A casualty: the Dossier moves to the fallen (R35)."""

    unit: str


class UnitReassigned(Effect):
    """A unit leaves by a Reassign Unit request (R46)."""

    unit: str


class ExperienceGained(Effect):
    """A unit gains `amount` XP; `lost` more were cut off at its maximum (R13)."""

    unit: str
    amount: int
    lost: int = 0


class VeteranRankReached(Effect):
    """A unit reaches a Veteran Rank; it is due a Commendation (R15), a Paragon a Command Card too (R16)."""

    unit: str
    veteran_rank: int


class CommendationOwed(Effect):
    """A reward gives a unit one more Commendation to choose, without a Command Card (section 8)."""

    unit: str


class CommendationAwarded(Effect):
    """A Commendation is awarded; `keyword` is the one chosen with it, if it lets the player choose (R15)."""

    unit: str
    commendation: str
    keyword: str = ""


class CommendationWaived(Effect):
    """A Commendation that is due is skipped (R15)."""

    unit: str


class CommandCardUnlocked(Effect):
    """The Paragon unlocks a Paragon Command Card (R16)."""

    command_card: str


class CommandCardDeclined(Effect):
    """A Paragon Command Card that was due is declined (R16)."""


class MaximumVeteranRankRaised(Effect):
    """Special Training raises a unit's maximum VR by 1 (R44)."""

    unit: str


class SetbackGained(Effect):
    """A unit gains a Setback (R36)."""

    unit: str
    setback: str


class SetbackRemoved(Effect):
    """A unit loses one instance of a Setback."""

    unit: str
    setback: str


class KeywordGained(Effect):
    """A unit gains a keyword by a reward."""

    unit: str
    keyword: str


class KeywordLost(Effect):
    """A unit loses every instance of a keyword."""

    unit: str
    keyword: str


class TraitGained(Effect):
    """The Paragon gains a Defining Trait for so many games; it replaces the one before (R37)."""

    trait: str
    games: int


class TraitCountedDown(Effect):
    """One game of the Defining Trait is over; at 0 it is gone (R37)."""

    trait: str
    games_left: int


class FieldTaken(Effect):
    """The Register starts a battle (R11); `trait` is the one its Paragon has then (R37)."""

    battle: str
    trait: str = ""


class FieldLeft(Effect):
    """A battle was canceled before its sequence; the Register may be edited again (R11)."""


class SequenceEnded(Effect):
    """The sequence is over; the Register is no longer in a battle, and its Trait is no longer fresh (R50, R37)."""


class DiceRolled(Effect):
    """Dice were rolled, with the unit (if any) and the purpose; stored so that every result can be explained."""

    die: str
    faces: tuple[str, ...]
    unit: str = ""


class OrderTokensDrawn(Effect):
    """Order tokens of these ranks were drawn at random, in this order (section 8)."""

    ranks: tuple[str, ...]


class RivalNamed(Effect):
    """This side named a unit of the opponent its Most Feared Rival, or (with an empty key) none (R39)."""

    rival: str = ""
    name: str = ""


class Noted(Effect):
    """A record of something that changed no number ("skipped: conceded")."""

    unit: str = ""


KINDS: Mapping[str, type[Effect]] = {kind.__name__: kind for kind in Effect.__subclasses__()}


def to_data(effect: Effect) -> dict[str, Any]:
    """Return the effect as plain JSON values, with its kind; values that are empty by default are left out. A `why`
    with placeholders becomes [sentence, places], so that it can be read in any language.
    """
    data: dict[str, Any] = {"kind": type(effect).__name__}
    for field in fields(effect):
        value = getattr(effect, field.name)
        if value != field.default:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    if isinstance(effect.why, Kept):
        data["why"] = [effect.why.sentence, dict(effect.why.places)]
    return data


def from_data(data: Mapping[str, Any]) -> Effect:
    """Return the effect that `to_data` wrote. Raises KeyError or TypeError for data that no effect wrote."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    if "why" in data:
        values["why"] = read_kept(data["why"])
    return KINDS[values.pop("kind")](**values)
