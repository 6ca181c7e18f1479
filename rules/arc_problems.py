"""Everything that keeps a Story Arc of one's own from being played: all of it at once, each beside its place.

`about` of a problem is the path of the field: "agendas.0.tally", "turning_point.victory.1.then.0".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import clauses as c
from .clause_reading import read_condition, read_reward
from .clause_sense import Fault, Place, misplaced, misplaced_in_shield
from .language import gettext, gettext_noop, ngettext
from .own_arcs import OWN_TRAIT, Arc
from .references import unknown_names
from .refusal import Problem
from .rulebook import Rulebook

LONGEST_NAME = 80
LONGEST_TEXT = 2000
MOST_CLAUSES = 60
DEEPEST = 8

_PARTS = {
    "setback": gettext_noop("the Setback"),
    "defining_trait": gettext_noop("the Defining Trait"),
    "commendation": gettext_noop("the Commendation"),
}
_WRITE = {
    "briefing": gettext_noop("Write the briefing of {what}."),
    "tally": gettext_noop("Write the tally of {what}."),
    "effect": gettext_noop("Write the effect of {what}."),
    "setup": gettext_noop("Write the setup of {what}."),
    "scoring": gettext_noop("Write the scoring of {what}."),
    "secondary": gettext_noop("Write the secondary of {what}."),
}


def arc_problems(book: Rulebook, arc: Arc) -> Iterator[Problem]:
    """What is missing in an arc that is being written, too long, or cannot be resolved (section 8)."""
    yield from _texts("", gettext("the Story Arc"), arc, "briefing")
    for number, agenda in enumerate(arc["agendas"]):
        yield from _agenda_problems(book, agenda, number)
    yield from _same_names(arc["agendas"])
    yield from _mission_problems(book, arc["turning_point"])
    for part, words in _PARTS.items():
        yield from _texts(f"{part}.", gettext(words), arc[part], "effect")


# --- Texts -------------------------------------------------------------------------------------------------


def _texts(path: str, what: str, part: Mapping[str, Any], *fields: str) -> Iterator[Problem]:
    yield from _text(f"{path}name", gettext("Give {what} a name.", what=what), part["name"], LONGEST_NAME)
    for field in fields:
        yield from _text(
            f"{path}{field}",
            gettext(_WRITE[field], what=what),
            part[field],
            LONGEST_TEXT,
        )


def _text(about: str, wanted: str, text: str, longest: int) -> Iterator[Problem]:
    if not text.strip():
        yield Problem("", wanted, about)
    elif len(text) > longest:
        yield Problem("", ngettext("{number} letter at most.", "{number} letters at most.", longest), about)


def _same_names(agendas: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, agenda in enumerate(agendas):
        name = agenda["name"].strip().casefold()
        if name and name in seen:
            yield Problem("", gettext("Another Agenda has this name."), f"agendas.{number}.name")
        seen.add(name)


# --- Agendas -----------------------------------------------------------------------------------------------


def _agenda_problems(book: Rulebook, agenda: Mapping[str, Any], number: int) -> Iterator[Problem]:
    path, what = f"agendas.{number}.", gettext("Agenda {number}", number=number + 1)
    yield from _texts(path, what, agenda, "tally")
    marks = bool(agenda.get("marks"))
    conditions = [read_condition(one, "") for one in agenda["progress"]]
    if not conditions:
        yield Problem("R25", gettext("Say what makes the Agenda progress."), f"{path}progress")
    for place, condition in enumerate(conditions):
        if not marks and _about_marks(condition):
            yield Problem("R25", gettext("This Agenda marks no units."), f"{path}progress.{place}")
    yield from _reward_problems(
        book, agenda["reward"], f"{path}reward", gettext("a progress"), Place(progressions=True, marks=marks)
    )
    if shield := agenda.get("casualty_shield"):
        yield from _shield_problems(shield["instead"], f"{path}casualty_shield.instead", marks=marks)


def _about_marks(condition: c.Condition) -> bool:
    if isinstance(condition, c.All):
        return any(_about_marks(part) for part in condition.parts)
    return isinstance(condition, c.MarkedUndefeatedAtLeast | c.NoMarkedUnitDefeated)


def _shield_problems(instead: Any, path: str, *, marks: bool) -> Iterator[Problem]:
    clauses = read_reward(instead, path)
    if not marks:
        yield Problem("R28", gettext("A shield protects marked units, and this Agenda marks none."), path)
    if not clauses:
        yield Problem("R28", gettext("Say what a shielded unit gains instead of being a casualty."), path)
    yield from _placed("R28", path, misplaced_in_shield(clauses))


# --- The Turning Point Mission -----------------------------------------------------------------------------


def _mission_problems(book: Rulebook, mission: Mapping[str, Any]) -> Iterator[Problem]:
    path = "turning_point."
    yield from _texts(path, gettext("the Turning Point Mission"), mission, "setup", "scoring", "secondary")
    asks = frozenset(mission["asks"])
    for number, entry in enumerate(mission["end_of_game"]):
        at = f"{path}end_of_game.{number}"
        if _about_marks(read_condition(entry["when"], at)):
            yield Problem("R29", gettext("A Turning Point Mission marks no units."), f"{at}.when")
        yield from _reward_problems(book, entry["reward"], f"{at}.reward", gettext("this"), Place(), asks)
    for field, words in (("victory", gettext("a victory")), ("defeat", gettext("a defeat"))):
        yield from _reward_problems(book, mission[field], f"{path}{field}", words, Place(), asks)


# --- Rewards -----------------------------------------------------------------------------------------------


def _reward_problems(
    book: Rulebook, data: Any, path: str, what: str, place: Place, asks: frozenset[str] = frozenset()
) -> Iterator[Problem]:
    clauses = read_reward(data, path)
    if not clauses:
        yield Problem("R26", gettext("Say what {what} gives.", what=what), path)
    if sum(1 for _ in c.walk(clauses)) > MOST_CLAUSES or deepest(data) > DEEPEST:
        yield Problem(
            "",
            gettext(
                "A reward has {most_clauses} clauses at most, {deepest} one inside the other.",
                most_clauses=MOST_CLAUSES,
                deepest=DEEPEST,
            ),
            path,
        )
    known = {
        "traits": {OWN_TRAIT, *book.defining_traits},
        "units": {card.name for card in book.units.values()},
    }
    for name in unknown_names(clauses, **known, asked=asks):
        yield Problem("", gettext("There is no “{name}”.", name=name), path)
    yield from _placed("R26", path, misplaced(clauses, place))


def _placed(rule: str, path: str, faults: Iterator[Fault]) -> Iterator[Problem]:
    return (Problem(rule, text, f"{path}.{at}") for at, text in faults)


def deepest(data: Any) -> int:
    """How many clauses stand one inside the other at most."""
    if isinstance(data, dict):
        return ("do" in data) + max(map(deepest, data.values()), default=0)
    return max(map(deepest, data), default=0) if isinstance(data, list) else 0
