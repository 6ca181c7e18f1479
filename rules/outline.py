"""Rewards and conditions as sentences of their own lines, for pages that show a card or let one be written."""

from __future__ import annotations

from dataclasses import dataclass

from . import clauses as c
from .clause_sense import nested_in
from .dice import DICE
from .rulebook import Rulebook
from .wording import reward_words

_CONDITIONS = {
    "won": "the battle was won",
    "lost": "the battle was lost",
    "paragon_not_defeated": "the Paragon was not defeated",
    "no_marked_unit_defeated": "no marked unit was defeated",
    "unit_has_setbacks": "the unit has Setbacks",
    "unit_had_no_setbacks": "the unit had no Setbacks when it was chosen",
}
_AMONG = {
    "register": "of the Register",
    "fielded": "that took part",
    "defeated": "that were defeated",
    "undefeated": "that took part and were not defeated",
    "non_paragon": "other than the Paragon",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One clause: its path (as in `clause_sense`), what it says without what is inside, and its branches."""

    path: str
    text: str
    branches: tuple[Branch, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A reward inside a clause: its path, what it is for ("each block"; empty if it is the only one), its lines."""

    path: str
    label: str
    lines: tuple[Line, ...]


def outline(book: Rulebook, reward: tuple[c.Clause, ...], path: str = "") -> tuple[Line, ...]:
    """A reward line by line."""
    return tuple(
        Line(f"{path}{number}", _head(book, clause), _branches(book, clause, f"{path}{number}"))
        for number, clause in enumerate(reward)
    )


def condition_words(condition: c.Condition) -> str:
    """A condition of progress, to stand behind an "if"."""
    match condition:
        case c.TokensAtLeast(count):
            return f"there are {count} or more tokens"
        case c.SecondaryVpAtLeast(count):
            return f"secondary objectives brought {count} VP or more"
        case c.SecondaryVpMoreThanOpponent():
            return "secondary objectives brought more VP than the opponent's"
        case c.MarkedUndefeatedAtLeast(count):
            return f"{count} or more marked units were not defeated"
        case c.NoMarkedUnitDefeated():
            return _CONDITIONS["no_marked_unit_defeated"]
        case c.Won():
            return _CONDITIONS["won"]
        case c.Lost():
            return _CONDITIONS["lost"]
        case c.Confirmed(text):
            return f"the player says so: “{text}”"
    return ", and ".join(condition_words(part) for part in condition.parts)


def _branches(book: Rulebook, clause: c.Clause, at: str) -> tuple[Branch, ...]:
    nested = dict(nested_in(clause))
    if isinstance(clause, c.RollDice):
        nested = {f"per_face.{face}": nested.get(f"per_face.{face}", ()) for face in DICE[clause.die]}
    return tuple(
        Branch(f"{at}.{key}", _label(key), outline(book, reward, f"{at}.{key}."))
        for key, reward in nested.items()
    )


def _label(key: str) -> str:
    kind, _, which = key.partition(".")
    return f"Option {int(which) + 1}" if kind == "options" else f"Each {which}" if which else ""


def _head(book: Rulebook, clause: c.Clause) -> str:
    match clause:
        case c.PerProgression():
            return "Once for each progression of this battle:"
        case c.ChooseUnits(count, _, source, distinct, optional):
            return f"{_choice(count, source)}{_manner(distinct=distinct, optional=optional)}:"
        case c.ChooseOne():
            return "Choose one of these:"
        case c.May():
            return "If the player likes:"
        case c.When(word, _, keyword):
            return f"If {_CONDITIONS.get(word) or f'the unit has {keyword}'}:"
        case c.RollDice(die, count):
            return f"Roll {_number(count, f'{die} die')}:".replace("_", " ")
        case c.DrawOrderTokens(count):
            return f"Draw {_number(count, 'order token')}; for each, a unit of that rank:"
        case c.MarkedUnits(undefeated_only=undefeated):
            return f"Each marked unit{' that was not defeated' if undefeated else ''}:"
        case c.Paragon():
            return "The Paragon:"
    words = reward_words(book, (clause,))
    return f"{words[:1].upper()}{words[1:]}"


def _choice(count: int, source: str) -> str:
    units = "unit" if count == 1 else "units"
    among = _AMONG[source].replace("were", "was") if count == 1 else _AMONG[source]
    return f"Choose {count} {units} {among}"


def _manner(*, distinct: bool, optional: bool) -> str:
    words = ("not chosen in this reward before", distinct), ("or nobody", optional)
    return "".join(f", {word}" for word, said in words if said)


def _number(count: int | str, what: str) -> str:
    """So many of something: a number, one for each progression, or as many as the report says."""
    if isinstance(count, int):
        some = what if count == 1 else what.replace("die", "dice").replace("token", "tokens")
        return f"{count} {some}"
    return f"one {what} for each {'progression' if count == c.PROGRESSIONS else f'“{count}”'}"
