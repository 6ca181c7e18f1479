"""What the pages of the workshop show of a Story Arc: its parts, its rewards line by line, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from catalogue.snapshot import rulebook
from rules.clauses import read_condition, read_reward
from rules.own_arcs import (
    WORKBENCH,
    Arc,
    Line,
    arc_problems,
    book_with,
    condition_words,
    named,
    outline,
    part_at,
)
from rules.refusal import Problem
from rules.rulebook import Rulebook

AGENDAS = tuple(f"agendas.{number}" for number in range(3))
MISSION = "turning_point"


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause as a page shows it: where it stands, what it says, what is wrong with it, and what is inside."""

    path: str
    text: str
    problems: Sequence[Problem] = ()
    branches: Sequence[Branch] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A reward inside a clause."""

    path: str
    label: str
    clauses: Sequence[Clause]


@dataclass(frozen=True, slots=True)
class Reward:
    """A reward of an arc: its path, what it is for, its clauses, and what is wrong with it as a whole."""

    path: str
    title: str
    clauses: Sequence[Clause]
    problems: Sequence[Problem] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """What makes an Agenda progress, or an `end_of_game` entry give its reward."""

    path: str
    text: str
    problems: Sequence[Problem] = ()
    reward: Reward | None = None


class Bench:
    """An arc on the workbench, with the Rulebook it is played by and everything that is missing in it."""

    def __init__(self, arc: Arc) -> None:
        self.arc = arc
        self.book: Rulebook = book_with(rulebook(), arc)
        self.problems = tuple(arc_problems(rulebook(), arc))
        self._whole = named(arc, WORKBENCH)

    def missing(self, path: str) -> list[Problem]:
        """Everything that is wrong below a path; for the empty one, of the arc's own texts."""
        if not path:
            return [problem for problem in self.problems if "." not in problem.about]
        return [problem for problem in self.problems if f"{problem.about}.".startswith(f"{path}.")]

    def reward(self, path: str) -> Reward:
        """The reward at a path."""
        clauses = read_reward(part_at(self._whole, path), path)
        lines = outline(self.book, clauses, f"{path}.")
        return Reward(path, self.title(path), [self._clause(line) for line in lines], self._about(path))

    def conditions(self, path: str) -> list[Condition]:
        """The conditions of progress, or the entries of `end_of_game`, at a path."""
        return [
            self._condition(f"{path}.{number}", entry)
            for number, entry in enumerate(part_at(self._whole, path))
        ]

    def rewards_of(self, path: str) -> Iterator[Reward]:
        """The rewards of an Agenda or of the Turning Point Mission, but for those of `end_of_game`."""
        if path in AGENDAS:
            yield self.reward(f"{path}.reward")
            if "casualty_shield" in part_at(self.arc, path):
                yield self.reward(f"{path}.casualty_shield.instead")
        if path == MISSION:
            yield from (self.reward(f"{path}.{which}") for which in ("victory", "defeat"))

    def title(self, path: str) -> str:
        """What a reward is for."""
        if path.endswith("casualty_shield.instead"):
            return _("A marked unit gains this instead of being a casualty")
        if ".end_of_game." in path:
            entry = part_at(self.arc, path.removesuffix(".reward"))
            return _("At the end, if {condition}").format(condition=_words(entry["when"]))
        return {"victory": _("The winner gains"), "defeat": _("Who does not win gains")}.get(
            path.rpartition(".")[2], _("When it progresses")
        )

    def _condition(self, path: str, entry: Any) -> Condition:
        if "when" not in entry:
            return Condition(path, _words(entry), self._about(path))
        return Condition(
            path, _words(entry["when"]), self._about(f"{path}.when"), self.reward(f"{path}.reward")
        )

    def _clause(self, line: Line) -> Clause:
        branches = [
            Branch(branch.path, branch.label, [self._clause(inside) for inside in branch.lines])
            for branch in line.branches
        ]
        return Clause(line.path, line.text, self._about(line.path), branches)

    def _about(self, path: str) -> list[Problem]:
        return [problem for problem in self.problems if problem.about == path]


def all_rewards(bench: Bench) -> Iterator[tuple[str, Iterable[Reward]]]:
    """Every reward of an arc, under the name of what gives it."""
    for number, path in enumerate(AGENDAS, start=1):
        agenda = part_at(bench.arc, path)
        yield agenda["name"] or _("Agenda {n}").format(n=number), list(bench.rewards_of(path))
    entries = [entry.reward for entry in bench.conditions(f"{MISSION}.end_of_game") if entry.reward]
    name = bench.arc["turning_point"]["name"] or _("Turning Point Mission")
    yield name, [*entries, *bench.rewards_of(MISSION)]


def _words(condition: Any) -> str:
    return condition_words(read_condition(condition, ""))
