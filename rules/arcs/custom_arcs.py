"""Custom Story Arcs: editing one, and checking it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from re import compile as pattern
from typing import Any

from rules.catalogue.loader import read_arc, with_arc
from rules.catalogue.references import AGENDAS_OF_AN_ARC, unknown_names
from rules.core import reward_effects as c
from rules.core.dice import DICE
from rules.core.reward_effects import Fault, RewardContext, misplaced, misplaced_in_shield, read_condition, read_reward
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, ngettext, sentences_of
from rules.core.violations import Violation

LONGEST_NAME = 80
LONGEST_TEXT = 2000
MOST_CLAUSES = 60
DEEPEST = 8

_SENTENCES = sentences_of(__file__)
_PARTS, _WRITE = _SENTENCES["parts"], _SENTENCES["write"]


def arc_violations(book: Rulebook, arc: Arc) -> Iterator[Violation]:
    """Yield what a custom arc lacks, what is too long in it, or what cannot be resolved (section 8)."""
    yield from _texts("", gettext("the Story Arc"), arc, "briefing")
    for number, agenda in enumerate(arc["agendas"]):
        yield from _agenda_violations(book, agenda, number)
    yield from _same_names(arc["agendas"])
    yield from _mission_violations(book, arc["turning_point"])
    for part, words in _PARTS.items():
        yield from _texts(f"{part}.", gettext(words), arc[part], "effect")


def _texts(path: str, what: str, part: Mapping[str, Any], *fields: str) -> Iterator[Violation]:
    yield from _text(f"{path}name", gettext("Give {what} a name.", what=what), part["name"], LONGEST_NAME)
    for field in fields:
        yield from _text(f"{path}{field}", gettext(_WRITE[field], what=what), part[field], LONGEST_TEXT)


def _text(about: str, wanted: str, text: str, longest: int) -> Iterator[Violation]:
    if not text.strip():
        yield Violation("", wanted, about)
    elif len(text) > longest:
        yield Violation("", ngettext("Use up to {number} character.", "Use up to {number} characters.", longest), about)


def _same_names(agendas: Sequence[Mapping[str, Any]]) -> Iterator[Violation]:
    seen: set[str] = set()
    for number, agenda in enumerate(agendas):
        name = agenda["name"].strip().casefold()
        if name and name in seen:
            yield Violation("", gettext("Another Agenda has this name."), f"agendas.{number}.name")
        seen.add(name)


def _agenda_violations(book: Rulebook, agenda: Mapping[str, Any], number: int) -> Iterator[Violation]:
    path, what = f"agendas.{number}.", gettext("Agenda {number}", number=number + 1)
    yield from _texts(path, what, agenda, "tally")
    marks = bool(agenda.get("marks"))
    conditions = [read_condition(one, "") for one in agenda["progress"]]
    if not conditions:
        yield Violation("R25", gettext("Add a condition for the Agenda to progress."), f"{path}progress")
    for place, condition in enumerate(conditions):
        if not marks and _about_marks(condition):
            yield Violation("R25", gettext("This Agenda marks no units."), f"{path}progress.{place}")
    yield from _reward_violations(
        book, agenda["reward"], f"{path}reward", gettext("a progression"), RewardContext(progressions=True, marks=marks)
    )
    if shield := agenda.get("casualty_shield"):
        yield from _shield_violations(shield["instead"], f"{path}casualty_shield.instead", marks=marks)


def _about_marks(condition: c.Condition) -> bool:
    if isinstance(condition, c.All):
        return any(_about_marks(part) for part in condition.parts)
    return isinstance(condition, c.MarkedUndefeatedAtLeast | c.NoMarkedUnitDefeated)


def _shield_violations(instead: Any, path: str, *, marks: bool) -> Iterator[Violation]:
    clauses = read_reward(instead, path)
    if not marks:
        yield Violation(
            "R28",
            gettext("The Agenda marks no units, so there is nothing to protect. Mark units, or clear the box."),
            path,
        )
    if not clauses:
        yield Violation("R28", gettext("Add what marked units gain instead of becoming casualties."), path)
    yield from _placed("R28", path, misplaced_in_shield(clauses))


def _mission_violations(book: Rulebook, mission: Mapping[str, Any]) -> Iterator[Violation]:
    path = "turning_point."
    yield from _texts(path, gettext("the Turning Point Mission"), mission, "setup", "scoring", "secondary")
    asks = frozenset(mission["asks"])
    for number, entry in enumerate(mission["end_of_game"]):
        at = f"{path}end_of_game.{number}"
        if _about_marks(read_condition(entry["when"], at)):
            yield Violation("R29", gettext("A Turning Point Mission marks no units."), f"{at}.when")
        yield from _reward_violations(
            book, entry["reward"], f"{at}.reward", gettext("this condition"), RewardContext(), asks
        )
    for field, words in (("victory", gettext("a victory")), ("defeat", gettext("a defeat"))):
        context = RewardContext(opponent=True)
        yield from _reward_violations(book, mission[field], f"{path}{field}", words, context, asks)


def _reward_violations(
    book: Rulebook, data: Any, path: str, what: str, context: RewardContext, asks: frozenset[str] = frozenset()
) -> Iterator[Violation]:
    if not (clauses := read_reward(data, path)):
        yield Violation("R26", gettext("Add a reward for {what}.", what=what), path)
    if sum(1 for _ in c.walk(clauses)) > MOST_CLAUSES or deepest(data) > DEEPEST:
        text = gettext(
            "A reward can have up to {most_clauses} effects, nested up to {deepest} deep. Remove some.",
            most_clauses=MOST_CLAUSES,
            deepest=DEEPEST,
        )
        yield Violation("", text, path)
    known = {
        "traits": {OWN_TRAIT, *book.defining_traits},
        "assets": set(book.assets),
        "units": {card.name for card in book.units.values()},
    }
    for name in unknown_names(clauses, **known, asked=asks):
        yield Violation("", gettext("“{name}” does not exist. Choose something else.", name=name), path)
    yield from _placed("R26", path, misplaced(clauses, context))


def _placed(rule: str, path: str, faults: Iterator[Fault]) -> Iterator[Violation]:
    return (Violation(rule, text, f"{path}.{at}") for at, text in faults)


def deepest(data: Any) -> int:
    """Return how many reward effects are nested at most."""
    if isinstance(data, dict):
        return ("do" in data) + max(map(deepest, data.values()), default=0)
    return max(map(deepest, data), default=0) if isinstance(data, list) else 0


_REWARD = pattern(
    r"(agendas\.[0-2]\.(reward|casualty_shield\.instead)|turning_point\.(victory|defeat|end_of_game\.\d+\.reward))"
    r"(\.\d+\.(then|each|options\.\d+|per_face\.[a-z]+))*"
)
MOST_DIGITS = 5
_CONDITIONS = pattern(r"agendas\.[0-2]\.progress|turning_point\.end_of_game")


def reward_at(arc: Arc, path: str) -> list[Any]:
    """Return the effects of a reward, also of one nested in an effect ("agendas.0.reward.1.each"); it may be empty."""
    found = part_at(arc, path) if _REWARD.fullmatch(path) else None
    if not isinstance(found, list):
        raise LookupError(path)
    return found


def conditions_at(arc: Arc, path: str) -> list[Any]:
    """Return an Agenda's conditions of progress, or the `end_of_game` entries of the Turning Point Mission."""
    if not _CONDITIONS.fullmatch(path):
        raise LookupError(path)
    found: list[Any] = part_at(arc, path)
    return found


def part_at(arc: Arc, path: str) -> Any:
    """Return the part at a path. A face of a die that does nothing yet is an empty reward."""
    part: Any = arc
    steps = path.split(".") if path else []
    for place, step in enumerate(steps):
        if isinstance(part, list):
            part = part[_number(step)]
        elif isinstance(part, dict) and step in part:
            part = part[step]
        elif place and steps[place - 1] == "per_face" and any(step in faces for faces in DICE.values()):
            part = []
        else:
            raise LookupError(path)
    return part


def with_part(arc: Arc, path: str, value: Any) -> Arc:
    """Return the arc with `value` at a path."""
    copy = deepcopy(arc)
    above, _, last = path.rpartition(".")
    part = part_at(copy, above)
    if isinstance(part, list):
        part[_number(last)] = value
    else:
        part[last] = value
    return copy


def appended(arc: Arc, path: str, value: Any) -> Arc:
    """Return the arc with `value` at the end of the list at a path."""
    return with_part(arc, path, [*part_at(arc, path), value])


def removed(arc: Arc, path: str) -> Arc:
    """Return the arc without the list item at a path. A die face without effects left is removed from its roll."""
    above, _, last = path.rpartition(".")
    rest = list(part_at(arc, above))
    del rest[_number(last)]
    copy = with_part(arc, above, rest)
    holder, _, key = above.rpartition(".")
    if not rest and holder.endswith("per_face"):
        del part_at(copy, holder)[key]
    return copy


def moved(arc: Arc, path: str, by: int) -> Arc:
    """Return the arc with a list item moved `by` places down, or as far as the list goes."""
    above, _, last = path.rpartition(".")
    items = list(part_at(arc, above))
    item = items.pop(_number(last))
    items.insert(max(0, _number(last) + by), item)
    return with_part(arc, above, items)


def _number(step: str) -> int:
    if not step.isdecimal() or len(step) > MOST_DIGITS:
        raise LookupError(step)
    return int(step)


OWN_TRAIT = "own-trait"
#: The slug of the arc in the editor, in its own Rulebook.
DRAFT = "draft"

Arc = dict[str, Any]

#: The cards of which an arc has one each, with the end of their slugs.
_ENDS = (
    ("commendation", "commendation"), ("setback", "setback"), ("defining_trait", "trait"), ("turning_point", "mission"),
)  # fmt: skip


def blank_arc(name: str = "") -> Arc:
    """Return an arc with nothing but a name."""
    return {
        "name": name,
        "intended_for": None,
        "briefing": "",
        "agendas": [
            {"name": "", "tally": "", "progress": [], "progressions_to_complete": 3, "reward": []}
            for _ in range(AGENDAS_OF_AN_ARC)
        ],
        "turning_point": {
            "name": "", "owner_colour": "blue", "setup": "", "scoring": "", "secondary": "", "advantages": {},
            "asks": {}, "end_of_game": [], "victory": [], "defeat": [],
        },
        "setback": {"name": "", "effect": "", "second_instance": "reroll"},
        "defining_trait": {"name": "", "effect": "", "games": 2},
        "commendation": {"name": "", "effect": "", "requires": {}},
    }  # fmt: skip


def named(arc: Mapping[str, Any], slug: str) -> Arc:
    """Return the arc as the file of Story Arcs has it: with `slug`, and slugs for all its cards made from it."""
    whole = deepcopy(dict(arc))
    for part, end in _ENDS:
        whole[part] = {**whole[part], "slug": f"{slug}-{end}"}
    whole["agendas"] = [
        {**agenda, "slug": f"{slug}-agenda-{number}"} for number, agenda in enumerate(whole["agendas"], start=1)
    ]
    return {**_trait_renamed(whole, f"{slug}-trait"), "slug": slug}


def book_with(book: Rulebook, arc: Mapping[str, Any], slug: str = DRAFT) -> Rulebook:
    """Return a Rulebook in which an unfinished arc can be played; its missing names are "…"."""
    whole = _filled(named(arc, slug))
    for agenda in whole["agendas"]:
        agenda["progress"] = agenda["progress"] or [{"confirmed": "…"}]
    return with_arc(book, read_arc(whole))


def _trait_renamed(data: Any, new: str) -> Any:
    """Return the data with every effect that gives the Defining Trait OWN_TRAIT giving `new` instead."""
    if isinstance(data, list):
        return [_trait_renamed(value, new) for value in data]
    if not isinstance(data, dict):
        return data
    if data.get("do") == "gain_trait" and data.get("trait") == OWN_TRAIT:
        return {**data, "trait": new}
    return {key: _trait_renamed(value, new) for key, value in data.items()}


def _filled(data: Any) -> Any:
    if isinstance(data, list):
        return [_filled(value) for value in data]
    if isinstance(data, dict):
        return {key: _filled(value) for key, value in data.items()}
    return data if data != "" else "…"
