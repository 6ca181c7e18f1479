"""Short words for units and rewards, for questions and the ledger. Our own, never the rulebook's sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.core import reward_effects as c
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext, sentences_of
from rules.register.state import Dossier, RegisterState, everyone
from rules.register.upgrade_slots import spoken

NOTHING = gettext_noop("nothing")

_SENTENCES = sentences_of(__file__)
_WHEN, _AMONG = _SENTENCES["when"], _SENTENCES["among"]


def unit_label(book: Rulebook, state: RegisterState, key: str, *, full: bool = False) -> str:
    """Return a unit's label: its name, else its card (`full`: with title), numbered if two are alike."""
    units = everyone(state)
    name = _own_name(book, units[key], full=full)
    alike = sum(_own_name(book, other, full=full) == name for other in units.values())
    return name if alike == 1 else gettext("{name} (no. {key})", name=name, key=key)


def _own_name(book: Rulebook, dossier: Dossier, *, full: bool) -> str:
    card = book.units[dossier.card]
    return dossier.name or (card.full_name if full else card.name)


def unit_hint(book: Rulebook, dossier: Dossier) -> str:
    """Return details to recognize a unit and decide: its card if it has a name, XP, VR and Setbacks."""
    parts = [book.units[dossier.card].name] if dossier.name else []
    parts.append(gettext("{xp} XP, VR {vr}", xp=dossier.experience, vr=dossier.veteran_rank))
    parts += sorted(book.setbacks[slug].name for slug in dossier.setbacks)
    return " · ".join(parts)


def reward_words(book: Rulebook, clauses: tuple[c.Clause, ...]) -> str:
    """Return a reward in a few words ("+2 Experience; may remove 1 Setback")."""
    return "; ".join(_WORDS[type(clause)](book, clause) for clause in clauses) or gettext(NOTHING)


def _remove_setbacks(book: Rulebook, clause: c.RemoveSetbacks) -> str:
    if clause.count is None:
        return gettext("remove all Setbacks")
    return ngettext("remove {number} Setback", "remove {number} Setbacks", clause.count)


def _gain_upgrade(book: Rulebook, clause: c.GainUpgrade) -> str:
    if not clause.types:
        return gettext("gain an upgrade")
    return gettext("gain an upgrade of type {types}", types=gettext(" or ").join(map(spoken, clause.types)))


def _choose_units(book: Rulebook, clause: c.ChooseUnits) -> str:
    units, reward = gettext(_AMONG[clause.source]), reward_words(book, clause.each)
    places = {"number": clause.count, "units": units, "reward": reward}
    if clause.optional:
        return gettext("up to {number} of your {units}: {reward}", **places)
    return gettext("{number} of your {units}: {reward}", **places)


def _when(book: Rulebook, clause: c.When) -> str:
    known = clause.word in _WHEN
    condition = gettext(_WHEN[clause.word]) if known else gettext("it has {keyword}", keyword=clause.keyword)
    return gettext("if {condition}: {reward}", condition=condition, reward=reward_words(book, clause.then))


def _marked_units(book: Rulebook, clause: c.MarkedUnits) -> str:
    reward = reward_words(book, clause.then)
    if clause.undefeated_only:
        return gettext("each undefeated marked unit: {reward}", reward=reward)
    return gettext("each marked unit: {reward}", reward=reward)


def _roll(book: Rulebook, clause: c.RollDice) -> str:
    faces = ", ".join(
        gettext("each {face}: {reward}", face=spoken(face), reward=reward_words(book, then))
        for face, then in clause.per_face
    )
    number = clause.count if isinstance(clause.count, int) else spoken(clause.count)
    return gettext("roll {number} {die} dice, {faces}", number=number, die=spoken(clause.die), faces=faces)


def _draw_order_tokens(book: Rulebook, clause: c.DrawOrderTokens) -> str:
    count, reward = clause.count, reward_words(book, clause.each)
    if isinstance(count, str):
        sentence = gettext_noop("draw an order token for each progression, and choose a unit of its rank: {reward}")
        return gettext(sentence, reward=reward)
    return gettext("draw {count} order tokens, and choose a unit of each rank: {reward}", count=count, reward=reward)


_WORDS: Mapping[type[c.Clause], Callable[[Rulebook, Any], str]] = {
    c.GainSupplyPoints: lambda book, clause: gettext("+{amount} SP", amount=clause.amount),
    c.OpponentLosesSupplyPoints: lambda book, clause: gettext("the opponent: −{amount} SP", amount=clause.amount),
    c.GainCombatPotential: lambda book, clause: gettext("+{amount} Combat Potential", amount=clause.amount),
    c.GainReputation: lambda book, clause: gettext("+{amount} Reputation", amount=clause.amount),
    c.GainAsset: lambda book, clause: book.assets[clause.asset].name,
    c.GainUpgrade: _gain_upgrade,
    c.AddUnit: lambda book, clause: gettext("one of these joins: {names}", names=", ".join(clause.one_of)),
    c.GainTrait: lambda book, clause: gettext(
        "gain the Defining Trait {trait}", trait=book.defining_traits[clause.trait].name
    ),
    c.GainExperience: lambda book, clause: gettext("+{amount} Experience", amount=clause.amount),
    c.RemoveSetbacks: _remove_setbacks,
    c.GainSetback: lambda book, clause: gettext("gain a Setback"),
    c.GainKeyword: lambda book, clause: gettext("gain {keyword}", keyword=clause.keyword),
    c.LoseKeyword: lambda book, clause: gettext("lose {keyword}", keyword=clause.keyword),
    c.AwardCommendation: lambda book, clause: gettext("one more Commendation"),
    c.PerProgression: lambda book, clause: gettext(
        "for each progression: {reward}", reward=reward_words(book, clause.then)
    ),
    c.ChooseUnits: _choose_units,
    c.ChooseOne: lambda book, clause: gettext(" or ").join(reward_words(book, option) for option in clause.options),
    c.May: lambda book, clause: gettext("may {reward}", reward=reward_words(book, clause.then)),
    c.When: _when,
    c.MarkedUnits: _marked_units,
    c.Paragon: lambda book, clause: gettext("the Paragon: {reward}", reward=reward_words(book, clause.then)),
    c.RollDice: _roll,
    c.DrawOrderTokens: _draw_order_tokens,
}
