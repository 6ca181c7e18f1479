"""Play whole campaigns by chance: armies, battles and sequences of random players."""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, singledispatch
from pathlib import Path
from random import Random
from typing import Any

from rules.arcs.preview import DECLINES, random_answer
from rules.battle.army import (
    BRING_UNITS,
    EXTRAORDINARY_USE,
    HEROIC_INTERVENTION,
    SPECIAL_EQUIPMENT,
    Army,
    BattleSetup,
    army_violations,
    may_play_turning_point,
    must_play_turning_point,
    open_agendas,
    reinforcements,
    unit_points,
)
from rules.battle.report import Lent, Report
from rules.catalogue.loader import read_rulebook
from rules.core.card_types import Agenda, Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.violations import raise_if_any, violations_of
from rules.post_battle import aid_requests as aid
from rules.post_battle.agendas import confirmations
from rules.post_battle.casualties import AddDice, Reroll
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Await, Context, Dialogue, Question, advance as go_on
from rules.post_battle.edit_register import EditRegister, edit
from rules.post_battle.experience import nameable
from rules.post_battle.steps import STEPS, gains_of_the_game, take_the_field
from rules.register import building
from rules.register.effects import RivalNamed
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import commended_slots, shares_faction

#: How often a player continues with requests, edits and units, if the rules set no end.
GOES_ON = 0.6
GOES_ON_RECRUITING = 0.9
TRIES = 3


class Supply:
    """The cards that a random player picks from: units by Faction that can build a Register, upgrades by type."""

    def __init__(self, book: Rulebook) -> None:
        units = [card for card in book.units.values() if not (card.release or card.retired)]
        own = {
            rank: {card.faction for card in units if card.rank == rank and not card.unique}
            for rank in ("commander", "corps")
        }
        self.book = book
        self.factions = sorted(own["commander"] & own["corps"] & set(building.factions_open(book)))
        serving = {one: [card for card in units if shares_faction(card, one)] for one in self.factions}
        self.recruits = {one: [card for card in cards if not card.unique] for one, cards in serving.items()}
        self.uniques = {one: [card for card in cards if card.unique] for one, cards in serving.items()}
        self.upgrades: dict[str, list[Upgrade]] = {}
        for upgrade in book.upgrades.values():
            if not (upgrade.release or upgrade.retired):
                self.upgrades.setdefault(upgrade.type, []).append(upgrade)


def advance(context: Context, script: Dialogue[Any], random: Random, supply: Supply, reply: Any = None) -> Await | None:
    """Continue `script` with random answers, until it is over (None) or waits for the other side."""
    question = go_on(context, script, reply)
    while question is not None and not isinstance(question, Await):
        question = go_on(context, script, question.check(answer(question, context, random, supply)))
    return question


@singledispatch
def answer(question: Question, context: Context, random: Random, supply: Supply) -> Any:
    """Return a random answer that the rules allow, in plain JSON values."""
    return random_answer(question, random)


@answer.register
def _(question: AddDice, context: Context, random: Random, supply: Supply) -> list[str]:
    return [unit.value for unit in question.units if random.random() < 0.5]


@answer.register
def _(question: Reroll, context: Context, random: Random, supply: Supply) -> dict[str, list[int]]:
    return {
        check.unit: random.sample(range(len(check.faces)), random.randint(0, check.rerolls))
        for check in question.checks
    }


@answer.register
def _(question: Award, context: Context, random: Random, supply: Supply) -> dict[str, dict[str, str | None]]:
    return {due.unit: _award(due.options, due.needs_name, context, random) for due in question.dues}


def _award(options: Sequence[Any], needs_name: bool, context: Context, random: Random) -> dict[str, str | None]:
    slug = random.choice(options).value if options and random.random() > DECLINES else None
    choice: dict[str, str | None] = {"commendation": slug}
    keywords = context.book.commendations[slug].choose_keyword if slug else ()
    if keywords:
        choice["keyword"] = random.choice(keywords)
    if needs_name:
        choice["name"] = f"Squad {random.randrange(1000)}"
    return choice


@answer.register
def _(question: aid.RequestAid, context: Context, random: Random, supply: Supply) -> dict[str, str] | None:
    if not question.supply_points or random.random() > GOES_ON:
        return None
    for _ in range(TRIES):
        words = _wish(context, random, supply)
        if allowed(partial(next, aid.aid_request(context, aid.RequestedAid(**words)))):
            return words
    return None


def _wish(context: Context, random: Random, supply: Supply) -> dict[str, str]:
    request = random.choice(list(context.book.aid_requests))
    if request == aid.STRATEGIC_ASSET:
        return {"request": request, "asset": random.choice(list(context.book.assets))}
    if request == aid.ACTIVE_RECRUITING or not context.state.dossiers:
        return {"request": request}
    dossier = random.choice(list(context.state.dossiers.values()))
    words = {"request": request, "unit": dossier.key}
    if request in (aid.REINFORCEMENTS, aid.PROVISIONS):
        upgrade = pick_upgrade(context.book.units[dossier.card], random, supply)
        return {**words, "upgrade": upgrade.slug if upgrade else ""}
    if request == aid.MEDICAL_SUPPLIES and dossier.setbacks:
        return {**words, "setback": random.choice(dossier.setbacks)}
    return words


@answer.register
def _(question: EditRegister, context: Context, random: Random, supply: Supply) -> dict[str, Any] | None:
    book, state = context.book, context.state
    if building.must_let_go(book, state):
        return {"let_go": {"unit": random.choice([key for key in state.dossiers if key != state.paragon])}}
    if building.must_add_corps(book, state):
        return {"add": {"unit": random.choice(building.affordable_corps(book, state)).slug}}
    if random.random() > GOES_ON:
        return None
    change = _edit(context, random, supply)
    return change if change and allowed(lambda: edit(book, state, change)) else None


def _edit(context: Context, random: Random, supply: Supply) -> dict[str, Any] | None:
    dossier: Dossier = random.choice(list(context.state.dossiers.values()))
    if random.random() < 0.1:
        return {"name": {"unit": dossier.key, "name": f"Squad {random.randrange(1000)}"}}
    if slots := commended_slots(context.book, dossier):
        upgrade = random.choice(supply.upgrades[random.choice(slots)])
        return {"upgrade": {"unit": dossier.key, "upgrade": upgrade.slug}}
    left = building.combat_potential_left(context.book, context.state)
    cards = [card for card in supply.recruits[context.state.faction] if card.points <= left]
    return {"add": _recruit(random.choice(cards), random, supply)} if cards else None


def _recruit(card: Unit, random: Random, supply: Supply) -> dict[str, Any]:
    upgrade = pick_upgrade(card, random, supply) if random.random() < 0.5 else None
    name = f"Hero {random.randrange(1000)}" if card.rank in ("commander", "operative") else ""
    return {"unit": card.slug, "upgrades": [upgrade.slug] if upgrade else [], "name": name}


def pick_upgrade(card: Unit, random: Random, supply: Supply) -> Upgrade | None:
    """Return any upgrade of a type that the unit's bar shows; the rules decide whether the unit may have it."""
    if not card.upgrade_slots:
        return None
    return random.choice(supply.upgrades[random.choice(card.upgrade_slots)])


def allowed(act: Callable[[], object]) -> bool:
    """Return whether the rules allow an act that changes nothing by itself."""
    return not violations_of(act)


def found(supply: Supply, random: Random, name: str) -> Context:
    """Return a random Register, built in the order of R10; `effects` of the context has all that happened to it."""
    while (context := _founded(supply, random, name)) is None:
        pass
    return context


def _founded(supply: Supply, random: Random, name: str) -> Context | None:
    """Try once to build a Register. Return None if it cannot afford the corps units that it needs (R4)."""
    book, context = supply.book, Context(supply.book, RegisterState())
    context.happen(building.open_register())
    context.happen(building.choose_faction(book, context.state, random.choice(supply.factions)))
    recruits = supply.recruits[context.state.faction]
    _join(context, [card for card in recruits if card.rank == "commander"], random, supply)
    _add_corps(context, random)
    while random.random() < GOES_ON_RECRUITING:
        _join(context, recruits, random, supply)
    advance(context, aid.make_aid_requests(context, Report()), random, supply)
    if not _add_corps(context, random):
        return None
    context.happen(building.begin_story_arc(book, random.choice(list(book.arcs_offered))))
    context.happen(building.name_register(name))
    context.happen(building.commission(book, context.state))
    return context


def _join(context: Context, cards: Sequence[Unit], random: Random, supply: Supply) -> None:
    """Add a unit, without its upgrade if that does not fit, or not at all if the unit does not fit."""
    words = _recruit(random.choice(cards), random, supply)
    for change in ({"add": words}, {"add": {**words, "upgrades": []}}):
        if allowed(partial(edit, context.book, context.state, change)):
            context.happen(edit(context.book, context.state, change))
            return


def _add_corps(context: Context, random: Random) -> bool:
    """Add as many corps units as a Register needs (R4). Return whether it can afford them."""
    while building.corps_owed(context.book, context.state):
        cards = building.affordable_corps(context.book, context.state)
        if not cards:
            return False
        context.happen(building.add_unit(context.book, context.state, random.choice(cards).slug))
    return True


SIZES = (600, 600, 800, 1000)
DEFEATED, CONTESTING, CONCEDED = 0.3, 0.4, 0.05
CATALOGUE = Path(__file__).parents[1] / "fixtures" / "catalogue"


@dataclass
class SimulationCounts:
    """The counts of random campaigns. Lists are in the order of battles, Counters count Registers or units."""

    sequences: int = 0
    casualties: Counter[int] = field(default_factory=Counter)
    supply_points: list[Counter[int]] = field(default_factory=list)
    veteran_ranks: list[Counter[int]] = field(default_factory=list)

    def after_battle(self, number: int, before: RegisterState, after: RegisterState) -> None:
        """Count one Register after its battle, numbered from 0."""
        while len(self.supply_points) <= number:
            self.supply_points.append(Counter())
            self.veteran_ranks.append(Counter())
        self.sequences += 1
        self.casualties[len(after.fallen) - len(before.fallen)] += 1
        self.supply_points[number][after.supply_points] += 1
        self.veteran_ranks[number].update(dossier.veteran_rank for dossier in after.dossiers.values())


def simulate(supply: Supply, *, campaigns: int, battles: int, seed: int) -> SimulationCounts:
    """Play random campaigns of two Registers each, and count."""
    numbers = SimulationCounts()
    for campaign in range(campaigns):
        random = Random(f"{seed}:{campaign}")  # noqa: S311 - the dice of a simulation guard no secret
        states = {name: found(supply, random, name).state for name in ("First", "Second")}
        for number in range(battles):
            for side in battle(states["First"], states["Second"], f"b{number}", supply, random):
                after = side.context.state
                numbers.after_battle(number, states[after.name], after)
                states[after.name] = after
    return numbers


@dataclass
class SimulatedSide:
    """One Register during a battle."""

    context: Context
    army: Army
    report: Report = field(default_factory=Report)


def battle(
    first: RegisterState, second: RegisterState, name: str, supply: Supply, random: Random
) -> list[SimulatedSide]:
    """Return both sides, blue first, after a random battle between these Registers and both their sequences."""
    sides = meet(first, second, name, supply, random)
    walk(sides, supply, random)
    return sides


def meet(first: RegisterState, second: RegisterState, name: str, supply: Supply, random: Random) -> list[SimulatedSide]:
    """Return both sides, blue first, after a random battle between these Registers, and before their sequences."""
    blue, red, mission = _colours(first, second, supply, random)
    size, sides = random.choice(SIZES), list[SimulatedSide]()
    for own, other in ((blue, red), (red, blue)):
        extra = reinforcements(own.reputation, other.reputation)
        setup = BattleSetup(size=size, reinforcements=extra, own_turning_point=mission and own is blue)
        sides.append(SimulatedSide(Context(supply.book, own), choose_army(own, setup, supply, random)))
    reports = fight(sides, name, mission, random)
    for side, report in zip(sides, reports, strict=True):
        side.report = report
        side.context.happen(take_the_field(side.context.state, name))
    return sides


def _colours(
    first: RegisterState, second: RegisterState, supply: Supply, random: Random
) -> tuple[RegisterState, RegisterState, bool]:
    eligible = [state for state in (first, second) if may_play_turning_point(supply.book, state)]
    must = any(must_play_turning_point(supply.book, state) for state in eligible)
    mission = must or (bool(eligible) and random.random() < 0.5)
    blue = random.choice(eligible if mission else [first, second])
    return blue, second if blue is first else first, mission


def choose_army(state: RegisterState, setup: BattleSetup, supply: Supply, random: Random) -> Army:
    """Return a random legal army: the Paragon, units that fit the points, assets and what they lend, an Agenda."""
    book, left = supply.book, setup.size + setup.reinforcements
    others = [key for key in state.dossiers if key != state.paragon]
    fielded: dict[str, tuple[str, ...]] = {}
    for key in (state.paragon, *random.sample(others, len(others))):
        points = unit_points(book, state, key, state.dossiers[key].upgrades)
        if points <= left:
            fielded[key] = state.dossiers[key].upgrades
            left -= points
    agendas = [] if setup.own_turning_point else open_agendas(book, state)
    assets, lent = _assets(state, setup, list(fielded), supply, random)
    agenda = random.choice(agendas).slug if agendas and random.random() < 0.9 else ""
    army = Army(fielded=fielded, assets=assets, lent=lent, agenda=agenda)
    if allowed(lambda: raise_if_any(army_violations(book, state, army, setup))):
        return army
    bare = Army(fielded=dict.fromkeys(fielded, ()), agenda=army.agenda)
    raise_if_any(army_violations(book, state, bare, setup))
    return bare


def _assets(
    state: RegisterState, setup: BattleSetup, fielded: Sequence[str], supply: Supply, random: Random
) -> tuple[tuple[str, ...], tuple[Lent, ...]]:
    barred = {slug for slug, asset in supply.book.assets.items() if asset.not_in_own_turning_point}
    used = [slug for slug in state.assets if random.random() < 0.5 and not (setup.own_turning_point and slug in barred)]
    lent = [_lent(slug, f"L{place}", state, fielded, supply, random) for place, slug in enumerate(used)]
    return tuple(used), tuple(one for one in lent if one)


def _lent(
    slug: str, key: str, state: RegisterState, fielded: Sequence[str], supply: Supply, random: Random
) -> Lent | None:
    if slug in BRING_UNITS:
        commander = slug == HEROIC_INTERVENTION
        cards = [card for card in supply.uniques[state.faction] if (card.rank == "commander") is commander]
        return Lent(slug, key, random.choice(cards))
    if slug == SPECIAL_EQUIPMENT:
        unique = [card for cards in supply.upgrades.values() for card in cards if card.unique]
        return Lent(slug, upgrades=(random.choice(unique),))
    return Lent(slug, bearer=random.choice(fielded)) if slug == EXTRAORDINARY_USE else None


def fight(sides: Sequence[SimulatedSide], name: str, mission: bool, random: Random) -> list[Report]:
    """Return the reports of both sides of a random battle: winner, defeated units, and what the cards ask for."""
    winner = random.choice((0, 1, None))
    conceded = random.random() < CONCEDED
    if conceded:
        winner = random.choice((0, 1))
    vp = [random.randint(0, 6) for _ in sides]
    arc = sides[0].context.book.story_arcs[sides[0].context.state.story_arc].turning_point if mission else None
    return [
        _reported(
            side,
            random,
            Report(
                battle=name,
                result="drawn" if winner is None else "won" if winner == place else "lost",
                conceded=conceded and winner != place,
                opponent_conceded=conceded and winner == place,
                secondary_vp=vp[place],
                opponent_secondary_vp=vp[1 - place],
                turning_point=arc,
                owns_turning_point=mission and place == 0,
            ),
        )
        for place, side in enumerate(sides)
    ]


def _reported(side: SimulatedSide, random: Random, outcome: Report) -> Report:
    book, army, state = side.context.book, side.army, side.context.state
    units = [*army.fielded, *(lent.key for lent in army.lent if lent.unit)]
    defeated = [key for key in units if random.random() < DEFEATED]
    agenda = book.agendas[army.agenda] if army.agenda else None
    arc = outcome.turning_point
    claims = confirmations(tuple(entry.when for entry in arc.end_of_game)) if arc else []
    learning = {key: 2 for key in army.fielded if state.command_cards and random.random() < 0.1}
    return replace(
        outcome,
        fielded=army.fielded,
        lent=army.lent,
        assets=army.assets,
        battle_force=army.battle_force,
        agenda=army.agenda,
        tokens=random.randint(0, 8),
        confirmed=frozenset(text for text in confirmations(agenda.progress if agenda else ()) if random.random() < 0.6),
        claims=frozenset(text for text in claims if random.random() < 0.5),
        asks={ask: random.randint(0, 4) for ask in (arc.asks if arc else {})},
        marked=_marked(army.fielded, defeated, agenda, state.paragon, random),
        defeated=tuple(defeated),
        contesting=tuple(key for key in units if key not in defeated and random.random() < CONTESTING),
        in_game_experience=learning,
        in_game_supply=1 if learning else 0,
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


def walk(sides: Sequence[SimulatedSide], supply: Supply, random: Random) -> None:
    """Resolve the ten steps of both sides; step 5 waits for the other side's step 4, and then for its rival."""
    for side in sides:
        for script in (gains_of_the_game, *(step.script for step in STEPS[:4])):
            advance(side.context, script(side.context, side.report), random, supply)
    _experience(sides, supply, random)
    for side in sides:
        for step in STEPS[5:]:
            advance(side.context, step.script(side.context, side.report), random, supply)


def _experience(sides: Sequence[SimulatedSide], supply: Supply, random: Random) -> None:
    waiting: list[tuple[SimulatedSide, Dialogue[None]]] = []
    for side, other in zip(sides, reversed(sides), strict=True):
        script = STEPS[4].script(side.context, side.report)
        wait = advance(side.context, script, random, supply)
        if wait and wait.what == "survivors":
            named = nameable(supply.book, other.context.state, other.report)
            wait = advance(side.context, script, random, supply, named)
        if wait:
            waiting.append((side, script))
    rivals = [_named_by(side) for side in reversed(sides)]
    for side, script in waiting:
        advance(side.context, script, random, supply, rivals[sides.index(side)])


def _named_by(side: SimulatedSide) -> str | None:
    named = [effect.rival for effect in side.context.effects if isinstance(effect, RivalNamed)]
    return named[-1] or None if named else None


def lines(numbers: SimulationCounts) -> list[str]:
    """Return the distributions as a table of text."""
    total = numbers.casualties.total()
    shares = ", ".join(f"{count}: {100 * times / total:.1f} %" for count, times in sorted(numbers.casualties.items()))
    table = [
        f"Casualties of a Register in a battle: {shares}",
        "",
        "after battle   SP mean (5 %..95 %)   VR of units in %",
    ]
    for number, (points, ranks) in enumerate(zip(numbers.supply_points, numbers.veteran_ranks, strict=True), 1):
        spread = sorted(points.elements())
        low, high = spread[len(spread) // 20], spread[-1 - len(spread) // 20]
        words = "  ".join(f"{rank}: {100 * ranks[rank] / ranks.total():4.1f}" for rank in range(6))
        mean = sum(spread) / len(spread)
        table.append(f"{number:12}   {mean:7.2f} ({low:3}..{high:3})   {words}")
    return table


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print. The last line says how many whole sequences one core plays in a second."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulation")
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
    print(f"\n{numbers.sequences} sequences in {seconds:.1f} s: {numbers.sequences / seconds:.0f} a second on one core")


if __name__ == "__main__":
    main()
