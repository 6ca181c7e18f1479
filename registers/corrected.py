"""A correction in a sentence: what was put right, from what to what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from rules.effects import Corrected
from rules.equipment import faction_name
from rules.language import gettext, gettext_noop

#: What a value is called, as it begins a sentence and as a field of a form is labelled.
LABELS: Mapping[str, str] = {
    "name": gettext_noop("Name"),
    "faction": gettext_noop("Faction"),
    "combat_potential": gettext_noop("Combat Potential"),
    "supply_points": gettext_noop("SP"),
    "reputation": gettext_noop("Reputation"),
    "story_arc": gettext_noop("Story Arc"),
    "arcs_ended": gettext_noop("Story Arcs ended"),
    "assets": gettext_noop("Strategic Assets"),
    "paragon": gettext_noop("Paragon"),
    "trait": gettext_noop("Defining Trait"),
    "command_cards": gettext_noop("Command Cards"),
    "command_cards_owed": gettext_noop("Command Cards owed"),
    "place": gettext_noop("Where it is"),
    "card": gettext_noop("Unit card"),
    "experience": gettext_noop("Experience"),
    "veteran_rank": gettext_noop("Veteran Rank"),
    "training": gettext_noop("Special Training"),
    "owed": gettext_noop("Commendations owed"),
    "upgrades": gettext_noop("Upgrades"),
    "by_commendation": gettext_noop("Upgrades in slots of Commendations"),
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
#: How the values of a field are called; a number or a text is called by itself.
_CALLED: Mapping[str, str] = {
    "story_arc": "arc",
    "assets": "asset",
    "paragon": "unit",
    "command_cards": "command_card",
    "card": "card",
    "upgrades": "upgrade",
    "by_commendation": "upgrade",
    "setbacks": "setback",
    "commendations": "commendation",
}


def corrected_sentence(effect: Corrected, words: Any) -> str:
    """ "Experience of Boba corrected from 12 to 9". `words` names what an effect holds only as a key or slug."""
    if effect.field == "dossier":
        return _dossier(effect, words)
    if effect.agenda:
        what = gettext("Progress of {agenda}", agenda=words.agenda(effect.agenda))
    elif effect.unit:
        what = gettext("{value} of {unit}", value=gettext(LABELS[effect.field]), unit=words.unit(effect.unit))
    else:
        what = gettext(LABELS[effect.field])
    if isinstance(effect.new, tuple) and effect.field != "trait":
        called = _caller(effect.field, words)
        return gettext("{what} corrected: {changes}", what=what, changes=_changes(effect, called))
    old, new = (value_words(effect.field, value, words) for value in (effect.old, effect.new))
    return gettext("{what} corrected from {old} to {new}", what=what, old=old, new=new)


def value_words(field: str, value: Any, words: Any) -> str:
    """A value as it is read: names instead of slugs and keys, "nothing" for what is empty."""
    if value is None or value in ("", ()):
        return gettext("nothing")
    if field == "faction":
        return faction_name(value)
    if field == "trait":
        return gettext("{trait} ({games})", trait=words.trait(value[0]), games=value[1])
    called = _caller(field, words)
    return ", ".join(map(called, value)) if isinstance(value, list | tuple) else called(value)


def _caller(field: str, words: Any) -> Callable[[Any], str]:
    if field == "place":
        return lambda value: gettext(PLACES[value])
    return getattr(words, _CALLED[field]) if field in _CALLED else str


def _changes(effect: Corrected, called: Callable[[Any], str]) -> str:
    old, new = Counter(effect.old), Counter(effect.new)
    more = [f"+ {called(each)}" for each in (new - old).elements()]
    less = [f"− {called(each)}" for each in (old - new).elements()]
    return ", ".join([*more, *less]) or gettext("another order")


def _dossier(effect: Corrected, words: Any) -> str:
    data = effect.new or effect.old
    unit = data.get("name") or words.card(data["card"])
    if effect.new is None:
        return gettext("{unit} is struck from the Register: entered by mistake", unit=unit)
    more = [
        f"{gettext(LABELS[name])} {value_words(name, value, words)}"
        for name, value in data.items()
        if name in LABELS and name not in ("card", "name") and (name, value) != ("place", "serving")
    ]
    said = gettext("{unit} ({card}) is entered by hand", unit=unit, card=words.card(data["card"]))
    return f"{said}: {', '.join(more)}" if more else said
