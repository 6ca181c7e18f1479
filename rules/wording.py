"""Short words for units and rewards, for questions and the ledger. Our own, never the rulebook's sentences."""

from __future__ import annotations

from .clauses import (
    AddUnit,
    AwardCommendation,
    ChooseOne,
    ChooseUnits,
    Clause,
    DrawOrderTokens,
    GainCombatPotential,
    GainExperience,
    GainKeyword,
    GainSetback,
    GainSupplyPoints,
    GainTrait,
    LoseKeyword,
    MarkedUnits,
    May,
    Paragon,
    PerProgression,
    RemoveSetbacks,
    RollDice,
    When,
)
from .force import Dossier, Force
from .rulebook import Rulebook

NOTHING = "nothing"

_WHEN = {
    "won": "you won",
    "lost": "you lost",
    "unit_has_setbacks": "it has Setbacks",
    "unit_had_no_setbacks": "it had none",
    "paragon_not_defeated": "the Paragon was not defeated",
    "no_marked_unit_defeated": "no marked unit was defeated",
}
_AMONG = {
    "register": "units",
    "fielded": "fielded units",
    "defeated": "defeated units",
    "undefeated": "undefeated units",
    "non_paragon": "units other than the Paragon",
}


def unit_label(book: Rulebook, force: Force, key: str) -> str:
    """What a player calls a unit: its Dossier name, else its card, with the number where two are alike."""
    dossiers = {**force.fallen, **force.reassigned, **force.dossiers}
    dossier = dossiers[key]
    if dossier.name:
        return dossier.name
    alike = [other for other in dossiers.values() if other.card == dossier.card and not other.name]
    name = book.units[dossier.card].name
    return name if len(alike) == 1 else f"{name} (no. {key})"


def unit_hint(book: Rulebook, dossier: Dossier) -> str:
    """What helps to tell a unit and to decide: its card if it has a name, XP, VR and Setbacks."""
    parts = [book.units[dossier.card].name] if dossier.name else []
    parts.append(f"{dossier.experience} XP, VR {dossier.veteran_rank}")
    parts += sorted(book.setbacks[slug].name for slug in dossier.setbacks)
    return " · ".join(parts)


def reward_words(book: Rulebook, clauses: tuple[Clause, ...]) -> str:
    """A reward in a few words ("+2 Experience; may remove 1 Setback")."""
    return "; ".join(_words(book, clause) for clause in clauses) or NOTHING


def _words(book: Rulebook, clause: Clause) -> str:
    match clause:
        case GainSupplyPoints(amount):
            return f"+{amount} SP"
        case GainCombatPotential(amount):
            return f"+{amount} Combat Potential"
        case AddUnit(one_of):
            return f"one of these joins: {', '.join(one_of)}"
        case GainTrait(trait):
            return f"gain the Defining Trait {book.defining_traits[trait].name}"
        case _:
            return _unit_words(book, clause)


def _unit_words(book: Rulebook, clause: Clause) -> str:
    match clause:
        case GainExperience(amount):
            return f"+{amount} Experience"
        case RemoveSetbacks(None):
            return "remove all Setbacks"
        case RemoveSetbacks(count):
            return f"remove {count} Setback{'s' if count != 1 else ''}"
        case GainSetback():
            return "gain a Setback"
        case GainKeyword(keyword):
            return f"gain {keyword}"
        case LoseKeyword(keyword):
            return f"lose {keyword}"
        case AwardCommendation():
            return "one more Commendation"
        case _:
            return _nested_words(book, clause)


def _nested_words(book: Rulebook, clause: Clause) -> str:
    match clause:
        case PerProgression(then):
            return f"for each progression: {reward_words(book, then)}"
        case ChooseUnits(count, each, source, _, optional):
            return (
                f"{'up to ' if optional else ''}{count} of your {_AMONG[source]}: {reward_words(book, each)}"
            )
        case ChooseOne(options):
            return " or ".join(reward_words(book, option) for option in options)
        case May(then):
            return f"may {reward_words(book, then)}"
        case When(word, then, keyword):
            return f"if {_WHEN.get(word) or f'it has {keyword}'}: {reward_words(book, then)}"
        case RollDice(die, count, per_face):
            faces = ", ".join(f"each {face}: {reward_words(book, then)}" for face, then in per_face)
            number = count if isinstance(count, int) else count.replace("_", " ")
            return f"roll {number} {die.replace('_', ' ')} dice, {faces}"
        case DrawOrderTokens(count, each):
            number = (
                "as many order tokens as progressions" if isinstance(count, str) else f"{count} order tokens"
            )
            return f"draw {number}, a unit of each rank: {reward_words(book, each)}"
        case MarkedUnits(then, undefeated_only):
            return f"each {'undefeated ' if undefeated_only else ''}marked unit: {reward_words(book, then)}"
        case Paragon(then):
            return f"the Paragon: {reward_words(book, then)}"
    raise TypeError(clause)  # pragma: no cover - every clause is named above
