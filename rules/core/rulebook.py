"""All cards and tables of one edition, by slug, as one immutable value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from rules.core import card_types
from rules.core.campaign_rules import STANDARD_RULES, CampaignRules, HouseRules, allows
from rules.core.dice import RED_DEFENSE
from rules.core.reward_effects import RollDice
from rules.core.values import Value

#: Rulebooks under other campaign rules that are cached; with more such campaigns one is sometimes built again.
MOST_COPIES = 64


class RankLimits(Value):
    """How many units of each rank an army of up to `max_points` has; `together`: commanders and operatives (R18)."""

    format: str
    name: str
    max_points: int
    limits: Mapping[str, tuple[int, int]]
    together: int | None = None


class Listing(Value):
    """A unit in the list of a battle force: its rank, which may differ from the printed one, and its number."""

    rank: str
    least: int = 0
    most: int | None = None


class BattleForce(Value):
    """A battle force: rank limits by format ("recon", "standard"), and its cards. It allows only these `units`,
    `counterparts` and `unique_upgrades`, and any other upgrade that is not `barred`.
    """

    slug: str
    name: str
    faction: str
    ranks: Mapping[str, RankLimits]
    units: Mapping[str, Listing]
    counterparts: frozenset[str]
    unique_upgrades: frozenset[str]
    barred: frozenset[str]
    retired: bool = False


@dataclass(frozen=True, repr=False)  # with all cards it would be 400 kB
class Rulebook:
    """Every card and table, by slug; keywords by name.

    `setbacks` and `defining_traits` hold the general ones and those of the Story Arcs, without the table rows that
    mean "the arc's own". `command_cards` are those that a Paragon unlocks, `commands` the ordinary ones.
    `campaign_rules` are the campaign rules, and `adopted_arcs` the slugs of the Story Arcs that the campaign plays
    besides the printed ones. `today` is the day by which releases are judged, as in 2026-08-14; empty: before all.
    """

    edition: str
    units: Mapping[str, card_types.Unit]
    upgrades: Mapping[str, card_types.Upgrade]
    commendations: Mapping[str, card_types.Commendation]
    setbacks: Mapping[str, card_types.Setback]
    defining_traits: Mapping[str, card_types.DefiningTrait]
    aid_requests: Mapping[str, card_types.AidRequest]
    assets: Mapping[str, card_types.StrategicAsset]
    command_cards: Mapping[str, card_types.ParagonCommandCard]
    keywords: Mapping[str, card_types.Keyword]
    story_arcs: Mapping[str, card_types.StoryArc]
    rank_limits: tuple[RankLimits, ...] = ()
    commands: Mapping[str, card_types.CommandCard] = field(default_factory=dict)
    counterparts: Mapping[str, card_types.Counterpart] = field(default_factory=dict)
    battle_forces: Mapping[str, BattleForce] = field(default_factory=dict)
    battle_cards: Mapping[str, card_types.BattleCard] = field(default_factory=dict)
    campaign_rules: CampaignRules = STANDARD_RULES
    adopted_arcs: frozenset[str] = frozenset()
    today: str = field(default="", compare=False)

    def is_released(self, card: card_types.Unit | card_types.Upgrade | card_types.CommandCard) -> bool:
        """Return whether a card is released: its day has come, and so have its points (R5).

        Days as in 2026-08-14 sort as text. Words such as "Q4 2026" sort after every day, so they never pass.
        """
        return not card.release or (card.release <= self.today and not card.points_unpublished)

    @property
    def house(self) -> HouseRules:
        """The reading of each gap in the printed text."""
        return self.campaign_rules.house

    def held_at_most(self, asset: card_types.StrategicAsset) -> int:
        """Return how many of an asset a Register may hold: as many as may be requested (R43, `requested_twice`)."""
        return 1 if self.house.requested_twice == "one_held" else asset.per_sequence

    def under(self, campaign_rules: CampaignRules, adopted_arcs: frozenset[str] = frozenset()) -> "Rulebook":
        """Return these cards under other campaign rules. Copies are cached, since each caches its own values."""
        if (campaign_rules, adopted_arcs) == (self.campaign_rules, self.adopted_arcs):
            return self
        if (book := self._copies.get((campaign_rules, adopted_arcs))) is None:
            if len(self._copies) >= MOST_COPIES:
                self._copies.clear()
            book = _with_numbers(replace(self, campaign_rules=campaign_rules, adopted_arcs=adopted_arcs), self.house)
            self._copies[campaign_rules, adopted_arcs] = book
        return book

    @cached_property
    def _copies(self) -> "dict[tuple[CampaignRules, frozenset[str]], Rulebook]":
        return {}

    @cached_property
    def arcs_offered(self) -> Mapping[str, card_types.StoryArc]:
        """The Story Arcs that may be begun: printed ones by the campaign rules, custom ones if imported (R10, R49)."""
        return {
            slug: arc
            for slug, arc in self.story_arcs.items()
            if not arc.retired
            and (slug in self.adopted_arcs if arc.own else allows(self.campaign_rules.story_arcs, slug))
        }

    @cached_property
    def agendas(self) -> Mapping[str, card_types.Agenda]:
        """Every Agenda of every Story Arc, including former ones."""
        return {
            agenda.slug: agenda for arc in self.story_arcs.values() for agenda in (*arc.agendas_of_before, *arc.agendas)
        }

    @cached_property
    def commendations_of_arcs(self) -> frozenset[str]:
        """The Commendation of each Story Arc; an arc that has left the catalogue no longer offers its own."""
        return frozenset(arc.commendation for arc in self.story_arcs.values())

    @cached_property
    def commendations_by_card(self) -> dict[str, tuple[card_types.Commendation, ...]]:
        """The Commendations that may ever be open to each unit card, as far as step 6 has asked (R15)."""
        return {}

    @cached_property
    def setback_by_face(self) -> Mapping[str, str]:
        """The general Setback of each face of the black attack die; the critical is the arc's own (R36)."""
        return {setback.face: slug for slug, setback in self.setbacks.items() if setback.face}

    @cached_property
    def trait_by_face(self) -> Mapping[str, str]:
        """The general Trait of each face of the black attack die; the critical is the arc's own (R37)."""
        return {trait.face: slug for slug, trait in self.defining_traits.items() if trait.face}


#: Cards of which a number cannot be read with certainty (R52).
FAILURE_IS_NOT_AN_OPTION = "failure-is-not-an-option"
PROTECT_YOUR_ALLIES = "protect-your-allies"
_OTHER_FACE = {"block": "surge", "surge": "block"}


def _with_numbers(book: Rulebook, before: HouseRules) -> Rulebook:
    """Return the cards with the numbers that the campaign reads on them; they have those of `before` (R52)."""
    house = book.house
    if house.failure_is_not_an_option != before.failure_is_not_an_option:
        cards = dict(book.commendations)
        if card := cards.get(FAILURE_IS_NOT_AN_OPTION):
            requires = replace(card.requires, veteran_rank=int(house.failure_is_not_an_option))
            cards[card.slug] = replace(card, requires=requires)
        book = replace(book, commendations=cards)
    if house.protect_your_allies != before.protect_your_allies:
        book = _with_arcs(book, partial(_with_progressions, int(house.protect_your_allies)))
    if house.loss_reward_dice != before.loss_reward_dice:
        book = _with_arcs(book, _with_other_face)
    return book


def _with_arcs(book: Rulebook, change: Callable[[card_types.StoryArc], card_types.StoryArc]) -> Rulebook:
    arcs = {slug: arc if arc.own else change(arc) for slug, arc in book.story_arcs.items()}
    return replace(book, story_arcs=arcs)


def _with_progressions(number: int, arc: card_types.StoryArc) -> card_types.StoryArc:
    agendas = tuple(
        replace(agenda, progressions_to_complete=number) if agenda.slug == PROTECT_YOUR_ALLIES else agenda
        for agenda in arc.agendas
    )
    return replace(arc, agendas=agendas)


def _with_other_face(arc: card_types.StoryArc) -> card_types.StoryArc:
    defeat = tuple(
        replace(clause, per_face=tuple((_OTHER_FACE[face], reward) for face, reward in clause.per_face))
        if isinstance(clause, RollDice) and clause.die == RED_DEFENSE
        else clause
        for clause in arc.turning_point.defeat
    )
    return replace(arc, turning_point=replace(arc.turning_point, defeat=defeat))
