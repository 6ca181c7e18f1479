"""Rewards and conditions as sentences, one a line, for pages that show a card or edit one."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core import reward_effects as c
from rules.core.dice import DICE
from rules.core.reward_effects import nested_in
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.register.labels import reward_words
from rules.register.upgrade_slots import spoken

_CONDITIONS = {
    "won": gettext_noop("the battle was won"),
    "lost": gettext_noop("the battle was lost"),
    "paragon_not_defeated": gettext_noop("the Paragon was not defeated"),
    "no_marked_unit_defeated": gettext_noop("no marked unit was defeated"),
    "unit_has_setbacks": gettext_noop("the unit has Setbacks"),
    "unit_had_no_setbacks": gettext_noop("the unit had no Setbacks when it was chosen"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One effect: its path (as in `reward_effects.misplaced`), its text without nested effects, and its branches."""

    path: str
    text: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A reward nested in an effect: its path, its case ("each block"; empty if it is the only one), its lines."""

    path: str
    label: str
    lines: tuple[Line, ...]


def outline(book: Rulebook, reward: tuple[c.Clause, ...], path: str = "") -> tuple[Line, ...]:
    """Return a reward line by line."""
    return tuple(
        Line(f"{path}{number}", _head(book, clause), _branches(book, clause, f"{path}{number}"))
        for number, clause in enumerate(reward)
    )


def condition_words(condition: c.Condition) -> str:
    """Return a condition of progress in words, to follow an "if"."""
    match condition:
        case c.TokensAtLeast(count):
            return gettext("there are {count} or more tokens", count=count)
        case c.SecondaryVpAtLeast(count):
            return gettext("secondary objectives brought {count} VP or more", count=count)
        case c.SecondaryVpMoreThanOpponent():
            return gettext("secondary objectives brought more VP than the opponent's")
        case c.MarkedUndefeatedAtLeast(count):
            return gettext("{count} or more marked units were not defeated", count=count)
        case c.NoMarkedUnitDefeated():
            return gettext(_CONDITIONS["no_marked_unit_defeated"])
        case c.Won():
            return gettext(_CONDITIONS["won"])
        case c.Lost():
            return gettext(_CONDITIONS["lost"])
        case c.Confirmed(text):
            return gettext("the player says so: “{text}”", text=text)
    return gettext(", and ").join(condition_words(part) for part in condition.parts)


def _branches(book: Rulebook, clause: c.Clause, at: str) -> tuple[Branch, ...]:
    nested = dict(nested_in(clause))
    if isinstance(clause, c.RollDice):
        nested = {f"per_face.{face}": nested.get(f"per_face.{face}", ()) for face in DICE[clause.die]}
    return tuple(
        Branch(f"{at}.{key}", _label(key), outline(book, reward, f"{at}.{key}.")) for key, reward in nested.items()
    )


def _label(key: str) -> str:
    kind, _, which = key.partition(".")
    if kind == "options":
        return gettext("Option {number}", number=int(which) + 1)
    return gettext("Each {face}", face=spoken(which)) if which else ""


def _head(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.PerProgression():
            return gettext("Once for each progression of this battle:")
        case c.ChooseUnits(count, _, source, distinct, optional):
            return _choice(count, source, distinct=distinct, optional=optional)
        case c.ChooseOne():
            return gettext("Choose one of these:")
        case c.May():
            return gettext("If the player likes:")
        case c.When(word, _, keyword):
            return gettext("If {condition}:", condition=_condition(word, keyword))
        case c.RollDice(die, count):
            return _roll(count, spoken(die))
        case c.DrawOrderTokens(count):
            return _draw(count)
        case c.MarkedUnits(undefeated_only=undefeated):
            return _marked(undefeated_only=undefeated)
        case c.Paragon():
            return gettext("The Paragon:")
    words = reward_words(book, (clause,))
    return f"{words[:1].upper()}{words[1:]}"


def _marked(*, undefeated_only: bool) -> str:
    if undefeated_only:
        return gettext("Each marked unit that was not defeated:")
    return gettext("Each marked unit:")


def _condition(word: str, keyword: str) -> str:
    return gettext(_CONDITIONS[word]) if word in _CONDITIONS else gettext("the unit has {keyword}", keyword=keyword)


def _choice(count: int, source: str, *, distinct: bool, optional: bool) -> str:
    parts = [_units(count, source)]
    parts += [gettext("not chosen in this reward before")] if distinct else []
    parts += [gettext("or nobody")] if optional else []
    return f"{', '.join(parts)}:"


def _units(count: int, source: str) -> str:
    match source:
        case "register":
            return ngettext("Choose {number} unit of the Register", "Choose {number} units of the Register", count)
        case "fielded":
            return ngettext("Choose {number} unit that took part", "Choose {number} units that took part", count)
        case "defeated":
            return ngettext("Choose {number} unit that was defeated", "Choose {number} units that were defeated", count)
        case "undefeated":
            return ngettext(
                "Choose {number} unit that took part and was not defeated",
                "Choose {number} units that took part and were not defeated",
                count,
            )
    return ngettext(
        "Choose {number} unit other than the Paragon", "Choose {number} units other than the Paragon", count
    )


def _roll(count: int | str, die: str) -> str:
    if isinstance(count, int):
        return ngettext("Roll {number} {die} die:", "Roll {number} {die} dice:", count, die=die)
    if count == c.PROGRESSIONS:
        return gettext("Roll one {die} die for each progression:", die=die)
    return gettext("Roll one {die} die for each “{count}”:", die=die, count=spoken(count))


def _draw(count: int | str) -> str:
    if isinstance(count, int):
        return ngettext(
            "Draw {number} order token; for each, a unit of that rank:",
            "Draw {number} order tokens; for each, a unit of that rank:",
            count,
        )
    if count == c.PROGRESSIONS:
        return gettext("Draw one order token for each progression; for each, a unit of that rank:")
    return gettext("Draw one order token for each “{count}”; for each, a unit of that rank:", count=spoken(count))
