"""Whole numbers that come with a request: anybody may send anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from accounts.models import User
from rules import effects as e
from rules.building import arcs_words
from rules.equipment import faction_name, spoken
from rules.force import Force
from rules.language import gettext, ngettext, told
from rules.rulebook import Rulebook
from rules.wording import unit_label

from .correcting import corrected_sentence

#: More digits than any number has that is asked for; Python itself reads no more than 4,300.
MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The whole number (0 or more) that was sent; None for what is none, or is longer than any that is asked for."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def names_of(book: Rulebook, force: Force) -> dict[str, str]:
    """Unit key to what a player calls the unit, those that have left included."""
    return {key: unit_label(book, force, key) for key in (*force.dossiers, *force.fallen, *force.reassigned)}


def sentence(effect: e.Effect, names: Mapping[str, str], book: Rulebook) -> str:
    """What happened, in one sentence without a full stop ("Grim Hounds gain 2 Experience (took part)").

    `names` are those of `names_of`; a unit that is not among them, since its joining was taken back, is
    called by its number. Of dice only the occasion is said: their faces are drawn.
    """
    said = _SAY[type(effect)](effect, Words(names, book))
    return f"{said} ({told(effect.why)})" if effect.why and type(effect) not in _SAYS_WHY else said


def card_name(cards: Mapping[str, Any], slug: str) -> str:
    """What a card is called; one that the catalogue does not have, by its slug."""
    card = cards.get(slug)
    return getattr(card, "full_name", None) or card.name if card else slug.replace("-", " ")


def who_did(actor: User | None, acting_for: User | None) -> str:
    """Who did something, and in whose stead ("olga", "olga for ben"); empty for what nobody did."""
    if actor is None:
        return ""
    if acting_for is None:
        return actor.get_username()
    return gettext("{actor} for {player}", actor=actor.get_username(), player=acting_for.get_username())


@dataclass(frozen=True, slots=True)
class Words:
    """Names for what an effect holds only as a key or slug."""

    names: Mapping[str, str]
    book: Rulebook

    def unit(self, key: str) -> str:
        return self.names.get(key) or gettext("Unit {key}", key=key)

    def card(self, slug: str) -> str:
        return card_name(self.book.units, slug)

    def upgrade(self, slug: str) -> str:
        return card_name(self.book.upgrades, slug)

    def commendation(self, slug: str) -> str:
        return card_name(self.book.commendations, slug)

    def setback(self, slug: str) -> str:
        return card_name(self.book.setbacks, slug)

    def trait(self, slug: str) -> str:
        return card_name(self.book.defining_traits, slug)

    def asset(self, slug: str) -> str:
        return card_name(self.book.assets, slug)

    def request(self, slug: str) -> str:
        return card_name(self.book.aid_requests, slug)

    def command_card(self, slug: str) -> str:
        return card_name(self.book.command_cards, slug)

    def arc(self, slug: str) -> str:
        return card_name(self.book.story_arcs, slug)

    def agenda(self, slug: str) -> str:
        return card_name(self.book.agendas, slug)


def _opened(effect: e.RegisterOpened, words: Words) -> str:
    return gettext(
        "The Register is opened with {points} Combat Potential, {sp} SP and Reputation {reputation}",
        points=effect.combat_potential,
        sp=effect.supply_points,
        reputation=effect.reputation,
    )


def _unit_added(effect: e.UnitAdded, words: Words) -> str:
    card = words.card(effect.card)
    if effect.name:
        return gettext("{unit} ({card}) joins", unit=effect.name, card=card)
    # A card of many ("Stormtroopers") joins otherwise than one of one: English tells them by their ending.
    return gettext("{card} join", card=card) if card.endswith("s") else gettext("{card} joins", card=card)


def _upgrade_added(effect: e.UpgradeAdded, words: Words) -> str:
    places = {"unit": words.unit(effect.unit), "upgrade": words.upgrade(effect.upgrade)}
    if effect.by_commendation:
        return gettext("{unit}: upgrade {upgrade}, in the slot that a Commendation gave", **places)
    return gettext("{unit}: upgrade {upgrade}", **places)


def _experience(effect: e.ExperienceGained, words: Words) -> str:
    places = {"unit": words.unit(effect.unit), "amount": effect.amount}
    if effect.lost:
        return gettext(
            "{unit}: +{amount} Experience; {lost} more lost at the maximum", lost=effect.lost, **places
        )
    return gettext("{unit}: +{amount} Experience", **places)


def _awarded(effect: e.CommendationAwarded, words: Words) -> str:
    places = {"unit": words.unit(effect.unit), "commendation": words.commendation(effect.commendation)}
    if effect.keyword:
        return gettext("{unit}: awarded {commendation} with {keyword}", keyword=effect.keyword, **places)
    return gettext("{unit}: awarded {commendation}", **places)


def _trait_counted(effect: e.TraitCountedDown, words: Words) -> str:
    if not effect.games_left:
        return gettext("The Paragon overcomes {trait}", trait=words.trait(effect.trait))
    return ngettext(
        "{trait} lasts {number} more game",
        "{trait} lasts {number} more games",
        effect.games_left,
        trait=words.trait(effect.trait),
    )


def _aid(effect: e.AidRequested, words: Words) -> str:
    request = words.request(effect.request)
    if effect.asset:
        return gettext("Aid: {request} ({asset})", request=request, asset=words.asset(effect.asset))
    return gettext("Aid: {request}", request=request)


def _rival(effect: e.RivalNamed, words: Words) -> str:
    return (
        gettext("Most Feared Rival: {unit}", unit=effect.name)
        if effect.rival
        else gettext("No rival is named")
    )


def _rolled(effect: e.DiceRolled, words: Words) -> str:
    who = f"{words.unit(effect.unit)}: " if effect.unit else ""
    # What a die names has its own line: the roll must not read like a second one.
    named = {"Setback": gettext("Setback roll"), "Defining Trait": gettext("Defining Trait roll")}
    occasion = named.get(effect.why) or told(effect.why) or spoken(effect.die)
    return f"{who}{occasion[:1].upper()}{occasion[1:]}" if not who else f"{who}{occasion}"


def _noted(effect: e.Noted, words: Words) -> str:
    who = f"{words.unit(effect.unit)}: " if effect.unit else ""
    why = told(effect.why)
    return f"{who}{why}" if who else f"{why[:1].upper()}{why[1:]}"


_SAYS_WHY = (e.DiceRolled, e.Noted)
_SAY: Mapping[type[e.Effect], Callable[[Any, Words], str]] = {
    e.RegisterOpened: _opened,
    e.FactionChosen: lambda effect, words: gettext(
        "The Faction is settled: {faction}", faction=faction_name(effect.faction)
    ),
    e.RegisterNamed: lambda effect, words: gettext("The Register is named {name}", name=effect.name),
    e.RegisterDiscarded: lambda effect, words: gettext("The Register is discarded"),
    e.RegisterCommissioned: lambda effect, words: gettext("The Register is commissioned"),
    e.StoryArcBegun: lambda effect, words: gettext(
        "The Story Arc {arc} begins", arc=words.arc(effect.story_arc)
    ),
    e.SagaCompleted: lambda effect, words: gettext(
        "The saga is complete, after {arcs}", arcs=arcs_words(effect.arcs)
    ),
    e.SupplyPointsGained: lambda effect, words: gettext("+{amount} SP", amount=effect.amount),
    e.SupplyPointsSpent: lambda effect, words: gettext("−{amount} SP", amount=effect.amount),
    e.CombatPotentialRaised: lambda effect, words: gettext(
        "+{amount} Combat Potential", amount=effect.amount
    ),
    e.ReputationGained: lambda effect, words: gettext("+{amount} Reputation", amount=effect.amount),
    e.AgendaProgressed: lambda effect, words: ngettext(
        "The Agenda {agenda} progresses {number} time",
        "The Agenda {agenda} progresses {number} times",
        effect.amount,
        agenda=words.agenda(effect.agenda),
    ),
    e.AssetGained: lambda effect, words: gettext(
        "The Register receives {asset}", asset=words.asset(effect.asset)
    ),
    e.AssetUsedUp: lambda effect, words: gettext(
        "{asset} has been used and leaves the Register", asset=words.asset(effect.asset)
    ),
    e.AidRequested: _aid,
    e.UnitAdded: _unit_added,
    e.ParagonChosen: lambda effect, words: gettext("{unit} is the Paragon", unit=words.unit(effect.unit)),
    e.UnitNamed: lambda effect, words: gettext("The unit is named {name}", name=effect.name),
    e.UpgradeAdded: _upgrade_added,
    e.UnitFell: lambda effect, words: gettext(
        "{unit}: a casualty, now on the roll of the fallen", unit=words.unit(effect.unit)
    ),
    e.UnitReassigned: lambda effect, words: gettext("{unit}: reassigned", unit=words.unit(effect.unit)),
    e.ExperienceGained: _experience,
    e.VeteranRankReached: lambda effect, words: gettext(
        "{unit}: reaches Veteran Rank {veteran_rank}",
        unit=words.unit(effect.unit),
        veteran_rank=effect.veteran_rank,
    ),
    e.CommendationOwed: lambda effect, words: gettext(
        "{unit}: one more Commendation is due", unit=words.unit(effect.unit)
    ),
    e.CommendationAwarded: _awarded,
    e.CommendationWaived: lambda effect, words: gettext(
        "{unit}: a Commendation is waived", unit=words.unit(effect.unit)
    ),
    e.CommandCardUnlocked: lambda effect, words: gettext(
        "The Paragon unlocks the Command Card {command_card}",
        command_card=words.command_card(effect.command_card),
    ),
    e.CommandCardDeclined: lambda effect, words: gettext("The Paragon declines a Command Card"),
    e.MaximumVeteranRankRaised: lambda effect, words: gettext(
        "{unit}: the highest Veteran Rank in reach rises by 1", unit=words.unit(effect.unit)
    ),
    e.SetbackGained: lambda effect, words: gettext(
        "{unit}: Setback {setback}", unit=words.unit(effect.unit), setback=words.setback(effect.setback)
    ),
    e.SetbackRemoved: lambda effect, words: gettext(
        "{unit}: no longer {setback}", unit=words.unit(effect.unit), setback=words.setback(effect.setback)
    ),
    e.KeywordGained: lambda effect, words: gettext(
        "{unit}: keyword {keyword}", unit=words.unit(effect.unit), keyword=effect.keyword
    ),
    e.KeywordLost: lambda effect, words: gettext(
        "{unit}: loses {keyword}", unit=words.unit(effect.unit), keyword=effect.keyword
    ),
    e.TraitGained: lambda effect, words: ngettext(
        "The Paragon's Defining Trait for {number} game: {trait}",
        "The Paragon's Defining Trait for {number} games: {trait}",
        effect.games,
        trait=words.trait(effect.trait),
    ),
    e.TraitCountedDown: _trait_counted,
    e.FieldTaken: lambda effect, words: gettext("The Register takes the field"),
    e.FieldLeft: lambda effect, words: gettext("The battle is called off; the Register leaves the field"),
    e.SequenceEnded: lambda effect, words: gettext(
        "The Post-Battle Sequence is over; the Register leaves the field"
    ),
    e.Corrected: corrected_sentence,
    e.DiceRolled: _rolled,
    e.RivalNamed: _rival,
    e.Noted: _noted,
}
