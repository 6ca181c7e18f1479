"""Ledger effects in words, and numbers read from requests."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop, ngettext, ngettext_lazy

from accounts.models import User
from rules.adjustments.awards import Gift
from rules.core.rulebook import Rulebook
from rules.core.translation import translated
from rules.register import effects as e
from rules.register.building import arcs_words
from rules.register.labels import unit_label
from rules.register.state import RegisterState
from rules.register.upgrade_slots import faction_name, spoken

#: Longest number accepted, in digits. Python itself reads at most 4,300.
MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """Return the whole number (0 or more) that `text` spells; None if it is not one, or is too long."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def names_of(book: Rulebook, state: RegisterState) -> dict[str, str]:
    """Return the names of all units by key, including those that have left."""
    return {key: unit_label(book, state, key) for key in (*state.dossiers, *state.fallen, *state.reassigned)}


def sentence(effect: e.Effect, names: Mapping[str, str], book: Rulebook) -> str:
    """Return an effect as a sentence without a full stop ("Grim Hounds gain 2 Experience (took part)").

    `names` come from `names_of`; a unit that is not among them is called by its number.
    """
    say, words = _SAY[type(effect)], Names(names, book)
    if callable(say):
        message = say(effect, words)
    else:
        message = (gettext(say) if isinstance(say, str) else say) % words.places(effect)
    return f"{message} ({translated(effect.why)})" if effect.why and type(effect) not in _SAYS_WHY else message


def card_name(cards: Mapping[str, Any], slug: str) -> str:
    """Return the name of a card, or its slug if the catalogue does not have it."""
    card = cards.get(slug)
    return getattr(card, "full_name", None) or card.name if card else slug.replace("-", " ")


def who_did(actor: User | None, on_behalf_of: User | None) -> str:
    """Return who acted and for whom ("olga", "olga for ben"); empty if nobody did."""
    if actor is None:
        return ""
    if on_behalf_of is None:
        return actor.get_username()
    return gettext("%(actor)s for %(player)s") % {"actor": actor.get_username(), "player": on_behalf_of.get_username()}


#: Fields that hold card slugs, each with the rulebook's cards of that kind.
CARDS = {
    "card": "units",
    "upgrade": "upgrades",
    "commendation": "commendations",
    "setback": "setbacks",
    "trait": "defining_traits",
    "asset": "assets",
    "request": "aid_requests",
    "command_card": "command_cards",
    "story_arc": "story_arcs",
    "agenda": "agendas",
}


@dataclass(frozen=True, slots=True)
class Names:
    """Names for the keys and slugs in effects."""

    names: Mapping[str, str]
    book: Rulebook

    def called(self, field: str, value: Any) -> Any:
        """Return the value of an effect field in words: names for units, cards and Factions, other values unchanged."""
        if field == "unit":
            return self.names.get(value) or gettext("Unit %(key)s") % {"key": value}
        if field in CARDS:
            return card_name(getattr(self.book, CARDS[field]), value)
        return faction_name(value) if field == "faction" else value

    def places(self, effect: e.Effect) -> dict[str, Any]:
        """Return the fields of an effect, with names for keys and slugs."""
        return {each.name: self.called(each.name, getattr(effect, each.name)) for each in fields(effect)}


#: The names of values, at the beginning of a sentence or as field labels.
LABELS: Mapping[str, str] = {
    "name": gettext_noop("Name"),
    "faction": gettext_noop("Faction"),
    "combat_potential": gettext_noop("Combat Potential"),
    "supply_points": gettext_noop("SP"),
    "reputation": gettext_noop("Reputation"),
    "story_arc": gettext_noop("Story Arc"),
    "arcs_ended": gettext_noop("Completed Story Arcs"),
    "assets": gettext_noop("Strategic Assets"),
    "paragon": gettext_noop("Paragon"),
    "trait": gettext_noop("Defining Trait"),
    "command_cards": gettext_noop("Command Cards"),
    "command_cards_owed": gettext_noop("Command Cards to choose"),
    "place": gettext_noop("Status"),
    "card": gettext_noop("Unit card"),
    "experience": gettext_noop("Experience"),
    "veteran_rank": gettext_noop("Veteran Rank"),
    "training": gettext_noop("Special Training"),
    "owed": gettext_noop("Commendations to choose"),
    "upgrades": gettext_noop("Upgrades"),
    "by_commendation": gettext_noop("Upgrades in Commendation slots"),
    "setbacks": gettext_noop("Setbacks"),
    "commendations": gettext_noop("Commendations"),
    "keywords": gettext_noop("Keywords"),
    "progress": gettext_noop("Progress"),
    "dossier": gettext_noop("Unit"),
}
PLACES = {
    "serving": gettext_noop("serving"),
    "fallen": gettext_noop("fallen"),
    "reassigned": gettext_noop("reassigned"),
}
#: Formats for the values of a field; numbers and texts need none.
_CALLED: Mapping[str, str] = {
    "story_arc": "story_arc",
    "assets": "asset",
    "paragon": "unit",
    "command_cards": "command_card",
    "card": "card",
    "upgrades": "upgrade",
    "by_commendation": "upgrade",
    "setbacks": "setback",
    "commendations": "commendation",
}


def corrected_sentence(effect: e.Corrected, words: Names) -> str:
    """Return "Experience of Boba corrected from 12 to 9". `words` names the keys and slugs of an effect."""
    if effect.field == "dossier":
        return _dossier(effect, words)
    what, old, new = corrected_value(effect, words)
    if isinstance(effect.new, tuple) and effect.field != "trait":
        called = _caller(effect.field, words)
        return gettext("%(what)s corrected: %(changes)s") % {"what": what, "changes": _changes(effect, called)}
    return gettext("%(what)s corrected from %(old)s to %(new)s") % {"what": what, "old": old, "new": new}


def corrected_value(effect: e.Corrected, words: Names) -> tuple[str, str, str]:
    """Return which value was corrected ("Experience of Boba"), the old value and the new one, in words. A whole Dossier
    is a sentence without values.
    """
    if effect.field == "dossier":
        return _dossier(effect, words), "", ""
    if effect.agenda:
        what = gettext("Progress of %(agenda)s") % {"agenda": words.called("agenda", effect.agenda)}
    elif effect.unit:
        what = gettext("%(value)s of %(unit)s") % {
            "value": gettext(LABELS[effect.field]),
            "unit": words.called("unit", effect.unit),
        }
    else:
        what = gettext(LABELS[effect.field])
    return what, value_words(effect.field, effect.old, words), value_words(effect.field, effect.new, words)


def gift_sentences(gift: Gift, book: Rulebook) -> list[str]:
    """Return what each Register gets, in words."""
    found = [gettext("+%(amount)d SP") % {"amount": gift.supply_points}] if gift.supply_points else []
    if gift.experience:
        found.append(gettext("+%(amount)d XP for each unit") % {"amount": gift.experience})
    if card := book.setbacks.get(gift.setback):
        found.append(gettext("−1 %(setback)s") % {"setback": card.name})
    return [*found, gettext("1 Commendation to choose")] if gift.commendation else found


def value_words(field: str, value: Any, words: Names) -> str:
    """Return a value in words: names for slugs and keys, "nothing" if it is empty."""
    if value is None or value in ("", ()):
        return gettext("nothing")
    if field == "faction":
        return faction_name(value)
    if field == "trait":
        return gettext("%(trait)s (%(games)s)") % {"trait": words.called("trait", value[0]), "games": value[1]}
    called = _caller(field, words)
    return ", ".join(map(called, value)) if isinstance(value, list | tuple) else called(value)


def _caller(field: str, words: Names) -> Callable[[Any], str]:
    if field == "place":
        return lambda value: gettext(PLACES[value])
    return partial(words.called, _CALLED[field]) if field in _CALLED else str


def _changes(effect: e.Corrected, called: Callable[[Any], str]) -> str:
    old, new = Counter(effect.old), Counter(effect.new)
    more = [f"+ {called(each)}" for each in (new - old).elements()]
    less = [f"− {called(each)}" for each in (old - new).elements()]
    return ", ".join([*more, *less]) or gettext("order changed")


def _dossier(effect: e.Corrected, words: Names) -> str:
    data = effect.new or effect.old
    unit = data.get("name") or words.called("card", data["card"])
    if effect.new is None:
        return gettext("%(unit)s deleted: entered by mistake") % {"unit": unit}
    more = [
        f"{gettext(LABELS[name])} {value_words(name, value, words)}"
        for name, value in data.items()
        if name in LABELS and name not in ("card", "name") and (name, value) != ("place", "serving")
    ]
    message = gettext("%(unit)s (%(card)s) added by hand") % {"unit": unit, "card": words.called("card", data["card"])}
    return f"{message}: {', '.join(more)}" if more else message


def _either(field: str, with_it: str, without: str) -> Callable[[Any, Names], str]:
    """Return what says one sentence for effects with this field, and another for those where it is empty."""
    return lambda effect, words: gettext(with_it if getattr(effect, field) else without) % words.places(effect)


def _trait_counted(effect: e.TraitCountedDown, words: Names) -> str:
    trait = words.called("trait", effect.trait)
    if not effect.games_left:
        return gettext("The Paragon overcame %(trait)s") % {"trait": trait}
    return ngettext(
        "%(trait)s lasts %(number)s more game", "%(trait)s lasts %(number)s more games", effect.games_left
    ) % {"number": effect.games_left, "trait": trait}


def _rolled(effect: e.DiceRolled, words: Names) -> str:
    # The result of a die has a line of its own, which must not read like a second roll.
    named = {"Setback": gettext("Setback roll"), "Defining Trait": gettext("Defining Trait roll")}
    return _of_unit(effect, words, named.get(effect.why) or translated(effect.why) or spoken(effect.die))


def _of_unit(effect: e.DiceRolled | e.Noted, words: Names, text: str) -> str:
    return f"{words.called('unit', effect.unit)}: {text}" if effect.unit else f"{text[:1].upper()}{text[1:]}"


_SAYS_WHY = (e.DiceRolled, e.Noted)
#: The sentence for each kind of effect: a text with placeholders for its fields, or a function that returns one.
_SAY: Mapping[type[e.Effect], str | Promise | Callable[[Any, Names], str]] = {
    e.RegisterOpened: gettext_noop(
        "Register started with %(combat_potential)s Combat Potential, %(supply_points)s SP and Reputation "
        "%(reputation)s"
    ),
    e.FactionChosen: gettext_noop("Faction: %(faction)s"),
    e.RegisterNamed: gettext_noop("Register named %(name)s"),
    e.RegisterDiscarded: gettext_noop("Draft deleted"),
    e.RegisterCommissioned: gettext_noop("Register commissioned"),
    e.StoryArcBegun: gettext_noop("Story Arc started: %(story_arc)s"),
    e.SagaCompleted: lambda effect, words: (
        gettext("All Story Arcs complete, after %(arcs)s") % {"arcs": arcs_words(effect.arcs)}
    ),
    e.SupplyPointsGained: gettext_noop("+%(amount)s SP"),
    e.SupplyPointsSpent: gettext_noop("−%(amount)s SP"),
    e.CombatPotentialRaised: gettext_noop("+%(amount)s Combat Potential"),
    e.ReputationGained: gettext_noop("+%(amount)s Reputation"),
    e.AgendaProgressed: ngettext_lazy(
        "Agenda %(agenda)s progressed %(amount)s time", "Agenda %(agenda)s progressed %(amount)s times", "amount"
    ),
    e.AssetGained: gettext_noop("Received %(asset)s"),
    e.AssetUsedUp: gettext_noop("Used up %(asset)s"),
    e.AidRequested: _either("asset", gettext_noop("Aid: %(request)s (%(asset)s)"), gettext_noop("Aid: %(request)s")),
    e.UnitAdded: _either("name", gettext_noop("%(name)s (%(card)s) added"), gettext_noop("%(card)s added")),
    e.ParagonChosen: gettext_noop("%(unit)s became the Paragon"),
    e.UnitNamed: gettext_noop("Unit named %(name)s"),
    e.UpgradeAdded: _either(
        "by_commendation",
        gettext_noop("%(unit)s: upgrade %(upgrade)s (slot from a Commendation)"),
        gettext_noop("%(unit)s: upgrade %(upgrade)s"),
    ),
    e.UnitFell: gettext_noop("%(unit)s: casualty, now among the fallen"),
    e.UnitReassigned: gettext_noop("%(unit)s: reassigned"),
    e.ExperienceGained: _either(
        "lost",
        gettext_noop("%(unit)s: +%(amount)s Experience, %(lost)s lost at the maximum"),
        gettext_noop("%(unit)s: +%(amount)s Experience"),
    ),
    e.VeteranRankReached: gettext_noop("%(unit)s: reached Veteran Rank %(veteran_rank)s"),
    e.CommendationOwed: gettext_noop("%(unit)s: one more Commendation to choose"),
    e.CommendationAwarded: _either(
        "keyword",
        gettext_noop("%(unit)s: awarded %(commendation)s with %(keyword)s"),
        gettext_noop("%(unit)s: awarded %(commendation)s"),
    ),
    e.CommendationWaived: gettext_noop("%(unit)s: Commendation skipped"),
    e.CommandCardUnlocked: gettext_noop("The Paragon unlocked the Command Card %(command_card)s"),
    e.CommandCardDeclined: gettext_noop("The Paragon declined a Command Card"),
    e.MaximumVeteranRankRaised: gettext_noop("%(unit)s: maximum Veteran Rank +1"),
    e.SetbackGained: gettext_noop("%(unit)s: Setback %(setback)s"),
    e.SetbackRemoved: gettext_noop("%(unit)s: lost the Setback %(setback)s"),
    e.KeywordGained: gettext_noop("%(unit)s: gained %(keyword)s"),
    e.KeywordLost: gettext_noop("%(unit)s: lost %(keyword)s"),
    e.TraitGained: ngettext_lazy(
        "The Paragon's Defining Trait for %(games)s game: %(trait)s",
        "The Paragon's Defining Trait for %(games)s games: %(trait)s",
        "games",
    ),
    e.TraitCountedDown: _trait_counted,
    e.FieldTaken: gettext_noop("Entered the battle"),
    e.FieldLeft: gettext_noop("Left the canceled battle"),
    e.SequenceEnded: gettext_noop("Post-Battle Sequence finished"),
    e.Corrected: corrected_sentence,
    e.DiceRolled: _rolled,
    e.OrderTokensDrawn: lambda effect, words: (
        gettext("Order tokens drawn: %(ranks)s") % {"ranks": ", ".join(map(spoken, effect.ranks))}
    ),
    e.RivalNamed: lambda effect, words: (
        gettext("Most Feared Rival: %(unit)s") % {"unit": effect.name}
        if effect.rival
        else gettext("No Most Feared Rival")
    ),
    e.Noted: lambda effect, words: _of_unit(effect, words, translated(effect.why)),
}
