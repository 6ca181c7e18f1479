"""Random campaigns in numbers: `python -m rules.simulate --campaigns 1000 --battles 12 --seed 1`.

Each campaign is two Registers, founded by the rules, that fight one battle after the other; every decision is a
random legal one (`campaigning.py`). The same seed gives the same campaigns.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from .army import (
    BRING_UNITS,
    EXTRAORDINARY_USE,
    HEROIC_INTERVENTION,
    SPECIAL_EQUIPMENT,
    Army,
    BattleTerms,
    Lent,
    check_army,
    may_play_turning_point,
    must_play_turning_point,
    open_agendas,
    reinforcements,
    unit_points,
)
from .campaigning import Supply, advance, allowed, found, happen
from .cards import Agenda
from .effects import RivalNamed
from .force import Force
from .post_battle.agendas import confirmations
from .post_battle.experience import nameable
from .post_battle.sequence import STEPS, gains_of_the_game, take_the_field
from .reading import read_rulebook
from .report import Report, Result
from .script import Scene, Script

SIZES = (600, 600, 800, 1000)
DEFEATED, CONTESTING, CONCEDED = 0.3, 0.4, 0.05
CATALOGUE = Path(__file__).parents[1] / "fixtures" / "catalogue"


@dataclass
class Numbers:
    """What random campaigns came to. Lists stand in the order of the battles, Counters count Registers or units."""

    sequences: int = 0
    casualties: Counter[int] = field(default_factory=Counter)
    supply_points: list[Counter[int]] = field(default_factory=list)
    veteran_ranks: list[Counter[int]] = field(default_factory=list)

    def after_battle(self, number: int, before: Force, after: Force) -> None:
        """Count one Register after its battle, numbered from 0."""
        while len(self.supply_points) <= number:
            self.supply_points.append(Counter())
            self.veteran_ranks.append(Counter())
        self.sequences += 1
        self.casualties[len(after.fallen) - len(before.fallen)] += 1
        self.supply_points[number][after.supply_points] += 1
        self.veteran_ranks[number].update(dossier.veteran_rank for dossier in after.dossiers.values())


def simulate(supply: Supply, *, campaigns: int, battles: int, seed: int) -> Numbers:
    """Play random campaigns of two Registers each, and count."""
    numbers = Numbers()
    for campaign in range(campaigns):
        random = Random(f"{seed}:{campaign}")  # noqa: S311 - the dice of a simulation guard no secret
        forces = {name: found(supply, random, name).force for name in ("First", "Second")}
        for number in range(battles):
            for side in battle(forces["First"], forces["Second"], f"b{number}", supply, random):
                after = side.scene.force
                numbers.after_battle(number, forces[after.name], after)
                forces[after.name] = after
    return numbers


@dataclass
class Side:
    """One Register on its way through a battle."""

    scene: Scene
    army: Army
    report: Report = field(default_factory=Report)


def battle(first: Force, second: Force, name: str, supply: Supply, random: Random) -> list[Side]:
    """The two sides, blue first, after a random battle between these Registers and both their sequences."""
    sides = meet(first, second, name, supply, random)
    walk(sides, supply, random)
    return sides


def meet(first: Force, second: Force, name: str, supply: Supply, random: Random) -> list[Side]:
    """The two sides, blue first, after a random battle between these Registers, and before their sequences."""
    blue, red, mission = _colours(first, second, supply, random)
    size = random.choice(SIZES)
    sides = [
        Side(
            Scene(supply.book, own),
            muster(own, _terms(size, own, other, mission and own is blue), supply, random),
        )
        for own, other in ((blue, red), (red, blue))
    ]
    reports = fight(sides, name, mission, random)
    for side, report in zip(sides, reports, strict=True):
        side.report = report
        happen(side.scene, take_the_field(side.scene.force, name))
    return sides


def _colours(first: Force, second: Force, supply: Supply, random: Random) -> tuple[Force, Force, bool]:
    """Who is blue, and whether blue plays its Turning Point Mission (R22)."""
    eligible = [force for force in (first, second) if may_play_turning_point(supply.book, force)]
    must = any(must_play_turning_point(supply.book, force) for force in eligible)
    mission = must or (bool(eligible) and random.random() < 0.5)
    blue = random.choice(eligible if mission else [first, second])
    return blue, second if blue is first else first, mission


def _terms(size: int, own: Force, other: Force, own_mission: bool) -> BattleTerms:
    extra = reinforcements(own.reputation, other.reputation)
    return BattleTerms(size=size, reinforcements=extra, own_turning_point=own_mission)


def muster(force: Force, terms: BattleTerms, supply: Supply, random: Random) -> Army:
    """A random legal army: the Paragon, whoever fits the points, assets and what they lend, an Agenda."""
    book, left = supply.book, terms.size + terms.reinforcements
    others = [key for key in force.dossiers if key != force.paragon]
    fielded: dict[str, tuple[str, ...]] = {}
    for key in (force.paragon, *random.sample(others, len(others))):
        points = unit_points(book, force, key, force.dossiers[key].upgrades)
        if points <= left:
            fielded[key] = force.dossiers[key].upgrades
            left -= points
    agendas = [] if terms.own_turning_point else open_agendas(book, force)
    assets, lent = _assets(force, terms, list(fielded), supply, random)
    agenda = random.choice(agendas).slug if agendas and random.random() < 0.9 else ""
    army = Army(fielded=fielded, assets=assets, lent=lent, agenda=agenda)
    if allowed(lambda: check_army(book, force, army, terms)):
        return army
    bare = Army(fielded=dict.fromkeys(fielded, ()), agenda=army.agenda)
    check_army(book, force, bare, terms)
    return bare


def _assets(
    force: Force, terms: BattleTerms, fielded: Sequence[str], supply: Supply, random: Random
) -> tuple[tuple[str, ...], tuple[Lent, ...]]:
    barred = {slug for slug, asset in supply.book.assets.items() if asset.not_in_own_turning_point}
    used = [
        slug
        for slug in force.assets
        if random.random() < 0.5 and not (terms.own_turning_point and slug in barred)
    ]
    lent = [_lent(slug, f"L{place}", force, fielded, supply, random) for place, slug in enumerate(used)]
    return tuple(used), tuple(one for one in lent if one)


def _lent(
    slug: str, key: str, force: Force, fielded: Sequence[str], supply: Supply, random: Random
) -> Lent | None:
    if slug in BRING_UNITS:
        commander = slug == HEROIC_INTERVENTION
        cards = [card for card in supply.uniques[force.faction] if (card.rank == "commander") is commander]
        return Lent(slug, key, random.choice(cards))
    if slug == SPECIAL_EQUIPMENT:
        unique = [card for cards in supply.upgrades.values() for card in cards if card.unique]
        return Lent(slug, upgrades=(random.choice(unique),))
    return Lent(slug, bearer=random.choice(fielded)) if slug == EXTRAORDINARY_USE else None


def fight(sides: Sequence[Side], name: str, mission: bool, random: Random) -> list[Report]:
    """What both sides report of a random battle: who won, who was defeated, what the cards ask for."""
    winner = random.choice((0, 1, None))
    conceded = random.random() < CONCEDED
    if conceded:
        winner = random.choice((0, 1))
    vp = [random.randint(0, 6) for _ in sides]
    return [
        _report(
            side,
            name,
            random,
            result="drawn" if winner is None else "won" if winner == place else "lost",
            conceded=conceded and winner != place,
            opponent_conceded=conceded and winner == place,
            vp=(vp[place], vp[1 - place]),
            mission=sides[0].scene.force.story_arc if mission else "",
            owner=mission and place == 0,
        )
        for place, side in enumerate(sides)
    ]


def _report(
    side: Side,
    name: str,
    random: Random,
    *,
    result: Result,
    conceded: bool,
    opponent_conceded: bool,
    vp: tuple[int, int],
    mission: str,
    owner: bool,
) -> Report:
    book, army, force = side.scene.book, side.army, side.scene.force
    units = [*army.fielded, *(lent.key for lent in army.lent if lent.unit)]
    defeated = [key for key in units if random.random() < DEFEATED]
    agenda = book.agendas[army.agenda] if army.agenda else None
    arc = book.story_arcs[mission].turning_point if mission else None
    claims = confirmations(tuple(entry.when for entry in arc.end_of_game)) if arc else []
    learning = {key: 2 for key in army.fielded if force.command_cards and random.random() < 0.1}
    return Report(
        battle=name,
        result=result,
        conceded=conceded,
        opponent_conceded=opponent_conceded,
        fielded=army.fielded,
        lent=army.lent,
        assets=army.assets,
        battle_force=army.battle_force,
        agenda=army.agenda,
        tokens=random.randint(0, 8),
        secondary_vp=vp[0],
        opponent_secondary_vp=vp[1],
        confirmed=frozenset(
            text for text in confirmations(agenda.progress if agenda else ()) if random.random() < 0.6
        ),
        claims=frozenset(text for text in claims if random.random() < 0.5),
        asks={ask: random.randint(0, 4) for ask in (arc.asks if arc else {})},
        marked=_marked(army.fielded, defeated, agenda, force.paragon, random),
        defeated=tuple(defeated),
        contesting=tuple(key for key in units if key not in defeated and random.random() < CONTESTING),
        in_game_experience=learning,
        in_game_supply=1 if learning else 0,
        turning_point=arc,
        owns_turning_point=owner,
    )


def _marked(
    fielded: Collection[str], defeated: Collection[str], agenda: Agenda | None, paragon: str, random: Random
) -> tuple[str, ...]:
    marks = agenda.marks if agenda else None
    if not marks:
        return ()
    beside = [paragon] if marks.source == "non_paragon" else defeated if marks.source == "undefeated" else ()
    among = [key for key in fielded if key not in beside]
    return tuple(random.sample(among, min(len(among), marks.count or 2)))


def walk(sides: Sequence[Side], supply: Supply, random: Random) -> None:
    """Both sides walk the ten steps; step 5 waits for the other side's step 4, and then for the rival it names."""
    for side in sides:
        for script in (gains_of_the_game, *(step.script for step in STEPS[:4])):
            advance(side.scene, script(side.scene, side.report), random, supply)
    _experience(sides, supply, random)
    for side in sides:
        for step in STEPS[5:]:
            advance(side.scene, step.script(side.scene, side.report), random, supply)


def _experience(sides: Sequence[Side], supply: Supply, random: Random) -> None:
    waiting: list[tuple[Side, Script[None]]] = []
    for side, other in zip(sides, reversed(sides), strict=True):
        script = STEPS[4].script(side.scene, side.report)
        wait = advance(side.scene, script, random, supply)
        if wait and wait.what == "survivors":
            named = nameable(supply.book, other.scene.force, other.report)
            wait = advance(side.scene, script, random, supply, named)
        if wait:
            waiting.append((side, script))
    rivals = [_named_by(side) for side in reversed(sides)]
    for side, script in waiting:
        advance(side.scene, script, random, supply, rivals[sides.index(side)])


def _named_by(side: Side) -> str | None:
    return next(
        (effect.rival or None for effect in reversed(side.scene.effects) if isinstance(effect, RivalNamed)),
        None,
    )


def lines(numbers: Numbers) -> list[str]:
    """The distributions as a table of text."""
    total = numbers.casualties.total()
    shares = ", ".join(
        f"{count}: {100 * times / total:.1f} %" for count, times in sorted(numbers.casualties.items())
    )
    table = [
        f"Casualties of a Register in a battle: {shares}",
        "",
        "after battle   SP mean (5 %..95 %)   VR of units in %",
    ]
    for number, (points, ranks) in enumerate(
        zip(numbers.supply_points, numbers.veteran_ranks, strict=True), 1
    ):
        spread = sorted(points.elements())
        low, high = spread[len(spread) // 20], spread[-1 - len(spread) // 20]
        words = "  ".join(f"{rank}: {100 * ranks[rank] / ranks.total():4.1f}" for rank in range(6))
        mean = sum(spread) / len(spread)
        table.append(f"{number:12}   {mean:7.2f} ({low:3}..{high:3})   {words}")
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print. The last line says how many whole sequences one core plays in a second."""
    parser = argparse.ArgumentParser(
        prog="python -m rules.simulate", description="Play random legal campaigns."
    )
    parser.add_argument("--campaigns", type=int, default=100, help="campaigns of two Registers (100)")
    parser.add_argument("--battles", type=int, default=12, help="battles of each campaign (12)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed plays the same campaigns (1)")
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE, help="folder of the catalogue's files")
    chosen = parser.parse_args(arguments)
    supply = Supply(read_rulebook(chosen.catalogue))
    start = time.process_time()
    numbers = simulate(supply, campaigns=chosen.campaigns, battles=chosen.battles, seed=chosen.seed)
    seconds = time.process_time() - start
    print("\n".join(lines(numbers)))
    print(
        f"\n{numbers.sequences} sequences in {seconds:.1f} s: {numbers.sequences / seconds:.0f} a second on one core"
    )


if __name__ == "__main__":
    main()
