"""Short words for units and rewards, and the words that are values. Our own, never the rulebook's sentences."""

from __future__ import annotations

from . import clauses as c
from .equipment import spoken
from .force import Dossier, Force, everyone
from .language import gettext, gettext_noop, ngettext
from .language import gettext_noop as _
from .rulebook import Rulebook

NOTHING = gettext_noop("nothing")

_WHEN = {
    "won": gettext_noop("you won"),
    "lost": gettext_noop("you lost"),
    "unit_has_setbacks": gettext_noop("it has Setbacks"),
    "unit_had_no_setbacks": gettext_noop("it had none"),
    "paragon_not_defeated": gettext_noop("the Paragon was not defeated"),
    "no_marked_unit_defeated": gettext_noop("no marked unit was defeated"),
}
_AMONG = {
    "register": gettext_noop("units"),
    "fielded": gettext_noop("fielded units"),
    "defeated": gettext_noop("defeated units"),
    "undefeated": gettext_noop("undefeated units"),
    "non_paragon": gettext_noop("units other than the Paragon"),
}


def unit_label(book: Rulebook, force: Force, key: str, *, full: bool = False) -> str:
    """What a player calls a unit: its Dossier name, else its card, with the number where two are alike.

    `full` says the card with its title ("Darth Vader, Dark Lord of the Sith").
    """
    dossier = force.dossiers.get(key) or everyone(force)[key]
    if dossier.name:
        return dossier.name
    alike = [other for other in everyone(force).values() if other.card == dossier.card and not other.name]
    card = book.units[dossier.card]
    name = card.full_name if full else card.name
    return name if len(alike) == 1 else gettext("{name} (no. {key})", name=name, key=key)


def unit_hint(book: Rulebook, dossier: Dossier) -> str:
    """What helps to tell a unit and to decide: its card if it has a name, XP, VR and Setbacks."""
    parts = [book.units[dossier.card].name] if dossier.name else []
    parts.append(gettext("{xp} XP, VR {vr}", xp=dossier.experience, vr=dossier.veteran_rank))
    parts += sorted(book.setbacks[slug].name for slug in dossier.setbacks)
    return " · ".join(parts)


def reward_words(book: Rulebook, clauses: tuple[c.Clause, ...]) -> str:
    """A reward in a few words ("+2 Experience; may remove 1 Setback")."""
    return "; ".join(_words(book, clause) for clause in clauses) or gettext(NOTHING)


def _words(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.GainSupplyPoints(amount):
            return gettext("+{amount} SP", amount=amount)
        case c.GainCombatPotential(amount):
            return gettext("+{amount} Combat Potential", amount=amount)
        case c.AddUnit(one_of):
            return gettext("one of these joins: {names}", names=", ".join(one_of))
        case c.GainTrait(trait):
            return gettext("gain the Defining Trait {trait}", trait=book.defining_traits[trait].name)
        case _:
            return _unit_words(book, clause)


def _unit_words(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.GainExperience(amount):
            return gettext("+{amount} Experience", amount=amount)
        case c.RemoveSetbacks(None):
            return gettext("remove all Setbacks")
        case c.RemoveSetbacks(int(count)):
            return ngettext("remove {number} Setback", "remove {number} Setbacks", count)
        case c.GainSetback():
            return gettext("gain a Setback")
        case c.GainKeyword(keyword):
            return gettext("gain {keyword}", keyword=keyword)
        case c.LoseKeyword(keyword):
            return gettext("lose {keyword}", keyword=keyword)
        case c.AwardCommendation():
            return gettext("one more Commendation")
        case _:
            return _nested_words(book, clause)


def _nested_words(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.PerProgression(then):
            return gettext("for each progression: {reward}", reward=reward_words(book, then))
        case c.ChooseUnits(count, each, source, _, optional):
            places = {"number": count, "units": gettext(_AMONG[source]), "reward": reward_words(book, each)}
            if optional:
                return gettext("up to {number} of your {units}: {reward}", **places)
            return gettext("{number} of your {units}: {reward}", **places)
        case c.ChooseOne(options):
            return gettext(" or ").join(reward_words(book, option) for option in options)
        case c.May(then):
            return gettext("may {reward}", reward=reward_words(book, then))
        case c.When(word, then, keyword):
            return gettext(
                "if {condition}: {reward}",
                condition=_condition(word, keyword),
                reward=reward_words(book, then),
            )
        case c.MarkedUnits(then, undefeated_only):
            if undefeated_only:
                return gettext("each undefeated marked unit: {reward}", reward=reward_words(book, then))
            return gettext("each marked unit: {reward}", reward=reward_words(book, then))
        case c.Paragon(then):
            return gettext("the Paragon: {reward}", reward=reward_words(book, then))
        case _:
            return _drawn_words(book, clause)


def _drawn_words(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.RollDice(die, count, per_face):
            faces = ", ".join(
                gettext("each {face}: {reward}", face=spoken(face), reward=reward_words(book, then))
                for face, then in per_face
            )
            number = count if isinstance(count, int) else spoken(count)
            return gettext("roll {number} {die} dice, {faces}", number=number, die=spoken(die), faces=faces)
        case c.DrawOrderTokens(count, each):
            reward = reward_words(book, each)
            if isinstance(count, str):
                return gettext(
                    "draw as many order tokens as progressions, a unit of each rank: {reward}", reward=reward
                )
            return gettext(
                "draw {count} order tokens, a unit of each rank: {reward}", count=count, reward=reward
            )
    raise TypeError(clause)  # pragma: no cover - every clause is named above


def _condition(word: str, keyword: str) -> str:
    return gettext(_WHEN[word]) if word in _WHEN else gettext("it has {keyword}", keyword=keyword)


#: Ranks, Factions, types of units and of upgrades, formats, sides, dice and their faces.
WORDS: tuple[str, ...] = (
    _("commander"), _("operative"), _("corps"), _("special forces"), _("support"), _("heavy"),
    _("rebel"), _("empire"), _("republic"), _("separatist"), _("mandalorian"), _("mercenary"),
    _("trooper"), _("vehicle"), _("clone trooper"), _("creature trooper"), _("droid trooper"),
    _("emplacement trooper"), _("heavy droid trooper"), _("mandalorian trooper"), _("wookiee trooper"),
    _("ground vehicle"), _("repulsor vehicle"),
    _("heavy weapon"), _("personnel"), _("force"), _("command"), _("hardpoint"), _("gear"), _("grenades"),
    _("programming"), _("comms"), _("pilot"), _("training"), _("generator"), _("armament"), _("crew"), _("ordnance"),
    _("squad leader"), _("doctrine"), _("clan"),
    _("standard"), _("recon"), _("blue"), _("red"), _("both"),
    _("red attack"), _("black attack"), _("white attack"), _("red defense"), _("white defense"),
    _("hit"), _("critical"), _("block"), _("surge"), _("blank"),
)  # fmt: skip
