"""Ledger effects in words, and numbers read from requests."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

from django.utils.translation import gettext, ngettext

from accounts.models import User
from core.sentences import said
from rules.adjustments.awards import Gift
from rules.core.rulebook import Rulebook
from rules.core.translation import sentences_of, translated
from rules.core.values import Value
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
    say, words = _SAY.get(type(effect), _from_table), Names(names, book)
    message = say(effect, words)
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


class Names(Value):
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


SENTENCES = sentences_of(__file__)
#: The names of values, at the beginning of a sentence or as field labels.
LABELS: Mapping[str, str] = SENTENCES["labels"]
PLACES: Mapping[str, str] = SENTENCES["places"]
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


def _from_table(effect: e.Effect, words: Names) -> str:
    """Return the sentence of text.toml: of several, that for the first field with a value."""
    texts = SENTENCES["effects"][type(effect).__name__]
    if isinstance(texts, str):
        return said(texts, words.places(effect))
    field = next((name for name in texts if getattr(effect, name, None)), [*texts][-1])
    return said(texts[field], words.places(effect), getattr(effect, field, 0))


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
#: What says the effects for which text.toml has no sentence.
_SAY: Mapping[type[e.Effect], Callable[[Any, Names], str]] = {
    e.SagaCompleted: lambda effect, words: (
        gettext("All Story Arcs complete, after %(arcs)s") % {"arcs": arcs_words(effect.arcs)}
    ),
    e.TraitCountedDown: _trait_counted,
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
