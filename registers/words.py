"""A sentence for everything that can happen to a Register, with names instead of keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from rules import effects as e
from rules.force import Force
from rules.founding import arcs_words
from rules.rulebook import Rulebook
from rules.wording import unit_label


def names_of(book: Rulebook, force: Force) -> dict[str, str]:
    """Unit key to what a player calls the unit, those that have left included."""
    return {key: unit_label(book, force, key) for key in (*force.dossiers, *force.fallen, *force.reassigned)}


def sentence(effect: e.Effect, names: Mapping[str, str], book: Rulebook) -> str:
    """What happened, in one sentence without a full stop ("Grim Hounds gain 2 Experience (took part)").

    `names` are those of `names_of`; a unit that is not among them, since its joining was taken back, is
    called by its number. Of dice only the occasion is said: their faces are drawn.
    """
    said = _SAY[type(effect)](effect, _Words(names, book))
    return f"{said} ({effect.why})" if effect.why and type(effect) not in _SAYS_WHY else said


def who_did(actor: User | None, acting_for: User | None) -> str:
    """Who did something, and in whose stead ("olga", "olga for ben"); empty for what nobody did."""
    if actor is None:
        return ""
    if acting_for is None:
        return actor.get_username()
    names = {"actor": actor.get_username(), "player": acting_for.get_username()}
    return _("%(actor)s for %(player)s") % names


@dataclass(frozen=True, slots=True)
class _Words:
    """Names for what an effect holds only as a key or slug."""

    names: Mapping[str, str]
    book: Rulebook

    def unit(self, key: str) -> str:
        return self.names.get(key) or f"Unit {key}"

    def card(self, slug: str) -> str:
        return self._name(self.book.units, slug)

    def upgrade(self, slug: str) -> str:
        return self._name(self.book.upgrades, slug)

    def commendation(self, slug: str) -> str:
        return self._name(self.book.commendations, slug)

    def setback(self, slug: str) -> str:
        return self._name(self.book.setbacks, slug)

    def trait(self, slug: str) -> str:
        return self._name(self.book.defining_traits, slug)

    def asset(self, slug: str) -> str:
        return self._name(self.book.assets, slug)

    def request(self, slug: str) -> str:
        return self._name(self.book.aid_requests, slug)

    def command_card(self, slug: str) -> str:
        return self._name(self.book.command_cards, slug)

    def arc(self, slug: str) -> str:
        return self._name(self.book.story_arcs, slug)

    def agenda(self, slug: str) -> str:
        return self._name(self.book.agendas, slug)

    @staticmethod
    def _name(cards: Mapping[str, Any], slug: str) -> str:
        card = cards.get(slug)
        return getattr(card, "full_name", None) or card.name if card else slug.replace("-", " ")


def _opened(effect: e.RegisterOpened, words: _Words) -> str:
    return (
        f"The Register is opened with {effect.combat_potential} Combat Potential, {effect.supply_points} SP "
        f"and Reputation {effect.reputation}"
    )


def _unit_added(effect: e.UnitAdded, words: _Words) -> str:
    card = words.card(effect.card)
    return f"{effect.name} ({card}) joins" if effect.name else f"{card} join{_s(card)}"


def _upgrade_added(effect: e.UpgradeAdded, words: _Words) -> str:
    slot = ", in the slot that a Commendation gave" if effect.by_commendation else ""
    return f"{words.unit(effect.unit)}: upgrade {words.upgrade(effect.upgrade)}{slot}"


def _experience(effect: e.ExperienceGained, words: _Words) -> str:
    lost = f"; {effect.lost} more lost at the maximum" if effect.lost else ""
    return f"{words.unit(effect.unit)}: +{effect.amount} Experience{lost}"


def _awarded(effect: e.CommendationAwarded, words: _Words) -> str:
    keyword = f" with {effect.keyword}" if effect.keyword else ""
    return f"{words.unit(effect.unit)}: awarded {words.commendation(effect.commendation)}{keyword}"


def _trait_counted(effect: e.TraitCountedDown, words: _Words) -> str:
    if not effect.games_left:
        return f"The Paragon overcomes {words.trait(effect.trait)}"
    return f"{words.trait(effect.trait)} lasts {_count(effect.games_left, 'more game')}"


def _aid(effect: e.AidRequested, words: _Words) -> str:
    asset = f" ({words.asset(effect.asset)})" if effect.asset else ""
    return f"Aid: {words.request(effect.request)}{asset}"


def _rival(effect: e.RivalNamed, words: _Words) -> str:
    return f"Most Feared Rival: {effect.name}" if effect.rival else "No rival is named"


def _rolled(effect: e.DiceRolled, words: _Words) -> str:
    who = f"{words.unit(effect.unit)}: " if effect.unit else ""
    occasion = effect.why or effect.die.replace("_", " ")
    if occasion in _NAMED_BY_DICE:
        occasion += " roll"
    return f"{who}{occasion[:1].upper()}{occasion[1:]}" if not who else f"{who}{occasion}"


def _noted(effect: e.Noted, words: _Words) -> str:
    who = f"{words.unit(effect.unit)}: " if effect.unit else ""
    return f"{who}{effect.why}" if who else f"{effect.why[:1].upper()}{effect.why[1:]}"


def _count(amount: int, what: str) -> str:
    return f"{amount} {what}{'' if amount == 1 else 's'}"


def _s(name: str) -> str:
    return "" if name.endswith("s") else "s"


#: What a die names has its own line: the roll must not read like a second one.
_NAMED_BY_DICE = ("Setback", "Defining Trait")
_SAYS_WHY = (e.DiceRolled, e.Noted)
_SAY: Mapping[type[e.Effect], Callable[[Any, _Words], str]] = {
    e.RegisterOpened: _opened,
    e.FactionChosen: lambda effect, words: f"The Faction is settled: {effect.faction.capitalize()}",
    e.RegisterNamed: lambda effect, words: f"The Register is named {effect.name}",
    e.RegisterDiscarded: lambda effect, words: "The Register is discarded",
    e.RegisterCommissioned: lambda effect, words: "The Register is commissioned",
    e.StoryArcBegun: lambda effect, words: f"The Story Arc {words.arc(effect.story_arc)} begins",
    e.SagaCompleted: lambda effect, words: f"The saga is complete, after {arcs_words(effect.arcs)}",
    e.SupplyPointsGained: lambda effect, words: f"+{effect.amount} SP",
    e.SupplyPointsSpent: lambda effect, words: f"−{effect.amount} SP",
    e.CombatPotentialRaised: lambda effect, words: f"+{effect.amount} Combat Potential",
    e.ReputationGained: lambda effect, words: f"+{effect.amount} Reputation",
    e.AgendaProgressed: lambda effect, words: (
        f"The Agenda {words.agenda(effect.agenda)} progresses {_count(effect.amount, 'time')}"
    ),
    e.AssetGained: lambda effect, words: f"The Register receives {words.asset(effect.asset)}",
    e.AssetUsedUp: lambda effect, words: f"{words.asset(effect.asset)} has been used and leaves the Register",
    e.AidRequested: _aid,
    e.UnitAdded: _unit_added,
    e.ParagonChosen: lambda effect, words: f"{words.unit(effect.unit)} is the Paragon",
    e.UnitNamed: lambda effect, words: f"A unit is named {effect.name}",
    e.UpgradeAdded: _upgrade_added,
    e.UnitFell: lambda effect, words: f"{words.unit(effect.unit)}: a casualty, now on the roll of the fallen",
    e.UnitReassigned: lambda effect, words: f"{words.unit(effect.unit)}: reassigned",
    e.ExperienceGained: _experience,
    e.VeteranRankReached: lambda effect, words: (
        f"{words.unit(effect.unit)}: reaches Veteran Rank {effect.veteran_rank}"
    ),
    e.CommendationOwed: lambda effect, words: f"{words.unit(effect.unit)}: one more Commendation is due",
    e.CommendationAwarded: _awarded,
    e.CommendationWaived: lambda effect, words: f"{words.unit(effect.unit)}: a Commendation is waived",
    e.CommandCardUnlocked: lambda effect, words: (
        f"The Paragon unlocks the Command Card {words.command_card(effect.command_card)}"
    ),
    e.CommandCardDeclined: lambda effect, words: "The Paragon declines a Command Card",
    e.MaximumVeteranRankRaised: lambda effect, words: (
        f"{words.unit(effect.unit)}: the highest Veteran Rank in reach rises by 1"
    ),
    e.SetbackGained: lambda effect, words: (
        f"{words.unit(effect.unit)}: Setback {words.setback(effect.setback)}"
    ),
    e.SetbackRemoved: lambda effect, words: (
        f"{words.unit(effect.unit)}: no longer {words.setback(effect.setback)}"
    ),
    e.KeywordGained: lambda effect, words: f"{words.unit(effect.unit)}: keyword {effect.keyword}",
    e.KeywordLost: lambda effect, words: f"{words.unit(effect.unit)}: loses {effect.keyword}",
    e.TraitGained: lambda effect, words: (
        f"The Paragon's Defining Trait for {_count(effect.games, 'game')}: {words.trait(effect.trait)}"
    ),
    e.TraitCountedDown: _trait_counted,
    e.FieldTaken: lambda effect, words: "The Register takes the field",
    e.FieldLeft: lambda effect, words: "The battle is called off; the Register leaves the field",
    e.SequenceEnded: lambda effect, words: "The Post-Battle Sequence is over; the Register leaves the field",
    e.DiceRolled: _rolled,
    e.RivalNamed: _rival,
    e.Noted: _noted,
}
