"""Rewards of a Story Arc played on a sample Register, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from registers.words import names_of, sentence
from rules.effects import Effect
from rules.own_arcs import WORKBENCH
from rules.rehearsal import Asked, Rehearsal, rehearse_agenda, rehearse_mission, rehearse_shield
from rules.rulebook import Rulebook

from .happenings import dice_of
from .workshop import AGENDAS, Bench, Reward, all_rewards


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was asked and answered, or that happened; `dice` as `components/dice.html` takes them."""

    text: str
    answer: str = ""
    rule: str = ""
    dice: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A reward with what it did; without steps if something is wrong with it."""

    reward: Reward
    steps: tuple[Step, ...]
    playable: bool


def played(bench: Bench, seed: int) -> list[tuple[str, list[Played]]]:
    """Every reward of an arc, played with the chance of a seed: the same seed falls the same."""
    return [
        (name, [_played(bench, reward, seed + number) for number, reward in enumerate(rewards)])
        for name, rewards in all_rewards(bench)
    ]


def _played(bench: Bench, reward: Reward, seed: int) -> Played:
    if bench.missing(reward.path):
        return Played(reward, (), playable=False)
    return Played(reward, _steps(bench.book, _rehearsal(bench, reward.path, seed)), playable=True)


def _rehearsal(bench: Bench, path: str, seed: int) -> Rehearsal:
    arc = bench.book.story_arcs[WORKBENCH]
    if path.startswith("agendas."):
        agenda = arc.agendas[AGENDAS.index(path[: len(AGENDAS[0])])]
        rehearse = rehearse_agenda if path.endswith(".reward") else rehearse_shield
        return rehearse(bench.book, agenda, seed)
    mission = arc.turning_point
    which, _, number = path.removeprefix("turning_point.").removesuffix(".reward").partition(".")
    reward = mission.end_of_game[int(number)].reward if number else getattr(mission, which)
    return rehearse_mission(bench.book, WORKBENCH, reward, seed, won=which != "defeat")


def _steps(book: Rulebook, rehearsal: Rehearsal) -> tuple[Step, ...]:
    names = names_of(book, rehearsal.after)
    return tuple(_step(event, names, book) for event in rehearsal.events)


def _step(event: Asked | Effect, names: dict[str, str], book: Rulebook) -> Step:
    if isinstance(event, Asked):
        return Step(event.text, event.answer)
    die: Any = getattr(event, "die", "")
    return Step(sentence(event, names, book), rule=event.rule, dice=dice_of(die, event.faces) if die else ())
