"""Random legal play: whatever a player decides in a campaign, decided by chance.

Tests and the simulator play through the same functions as a page does; what the rules refuse is not done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, singledispatch
from random import Random
from typing import Any

from .building import (
    add_unit,
    affordable_corps,
    begin_story_arc,
    choose_faction,
    combat_potential_left,
    commission,
    corps_owed,
    factions_open,
    must_add_corps,
    must_let_go,
    name_register,
    open_register,
)
from .cards import Unit, Upgrade
from .dice import sides
from .effects import Effect
from .equipment import commended_slots, shares_faction
from .force import Dossier, Force, evolve
from .post_battle.aid_requests import (
    ACTIVE_RECRUITING,
    MEDICAL_SUPPLIES,
    PROVISIONS,
    REINFORCEMENTS,
    STRATEGIC_ASSET,
    RequestAid,
    Wish,
    aid_request,
    make_aid_requests,
)
from .post_battle.casualties import AddDice, Reroll
from .post_battle.commendations import Award
from .post_battle.sequence import EditRegister, edit
from .refusal import problems_of
from .report import Report
from .rewards import JoinUnit
from .rulebook import Rulebook
from .script import Await, Choose, ChooseSeveral, Confirm, Question, Roll, Scene, Script

#: How often a player goes on with requests, edits and units, where the rules set no end.
GOES_ON = 0.6
GOES_ON_RECRUITING = 0.9
DECLINES = 0.15
TRIES = 3


class Supply:
    """The cards of a book that a random player picks from, sorted once.

    `recruits` and `uniques` are units by Faction, for every Faction that has a commander and corps of its own to
    found a Register with; `upgrades` are by type.
    """

    def __init__(self, book: Rulebook) -> None:
        units = [card for card in book.units.values() if not (card.unreleased or card.retired)]
        own = {
            rank: {card.faction for card in units if card.rank == rank and not card.unique}
            for rank in ("commander", "corps")
        }
        self.book = book
        self.factions = sorted(own["commander"] & own["corps"] & set(factions_open(book)))
        serving = {one: [card for card in units if shares_faction(card, one)] for one in self.factions}
        self.recruits = {one: [card for card in cards if not card.unique] for one, cards in serving.items()}
        self.uniques = {one: [card for card in cards if card.unique] for one, cards in serving.items()}
        self.upgrades: dict[str, list[Upgrade]] = {}
        for upgrade in book.upgrades.values():
            if not (upgrade.unreleased or upgrade.retired):
                self.upgrades.setdefault(upgrade.type, []).append(upgrade)


def advance(
    scene: Scene, script: Script[Any], random: Random, supply: Supply, reply: Any = None
) -> Await | None:
    """Play `script` on with random answers, until it is over (None) or waits for the other side."""
    while True:
        try:
            event = script.send(reply)
        except StopIteration:
            return None
        reply = None
        if isinstance(event, Effect):
            scene.force = evolve(scene.force, event)
            scene.effects.append(event)
        elif isinstance(event, Await):
            return event
        else:
            reply = event.check(answer(event, scene, random, supply))


@singledispatch
def answer(question: Question, scene: Scene, random: Random, supply: Supply) -> Any:
    """A random answer that the rules allow, in plain JSON values."""
    raise TypeError(question)


@answer.register
def _(question: Roll, scene: Scene, random: Random, supply: Supply) -> dict[str, list[str]]:
    return {pool.key: random.choices(sides(pool.die), k=pool.count) for pool in question.pools}


@answer.register
def _(question: Choose, scene: Scene, random: Random, supply: Supply) -> str | None:
    if question.decline and random.random() < DECLINES:
        return None
    return random.choice(question.options).value


@answer.register
def _(question: ChooseSeveral, scene: Scene, random: Random, supply: Supply) -> list[str]:
    return random.sample(list(question.bag), question.count, counts=list(question.bag.values()))


@answer.register
def _(question: Confirm, scene: Scene, random: Random, supply: Supply) -> bool:
    return random.random() > DECLINES


@answer.register
def _(question: AddDice, scene: Scene, random: Random, supply: Supply) -> list[str]:
    return [unit.value for unit in question.units if random.random() < 0.5]


@answer.register
def _(question: Reroll, scene: Scene, random: Random, supply: Supply) -> dict[str, list[int]]:
    return {
        check.unit: random.sample(range(len(check.faces)), random.randint(0, check.rerolls))
        for check in question.checks
    }


@answer.register
def _(question: Award, scene: Scene, random: Random, supply: Supply) -> dict[str, dict[str, str | None]]:
    return {due.unit: _award(due.options, due.needs_name, scene, random) for due in question.dues}


def _award(options: Sequence[Any], needs_name: bool, scene: Scene, random: Random) -> dict[str, str | None]:
    slug = random.choice(options).value if options and random.random() > DECLINES else None
    choice: dict[str, str | None] = {"commendation": slug}
    keywords = scene.book.commendations[slug].choose_keyword if slug else ()
    if keywords:
        choice["keyword"] = random.choice(keywords)
    if needs_name:
        choice["name"] = f"Squad {random.randrange(1000)}"
    return choice


@answer.register
def _(question: JoinUnit, scene: Scene, random: Random, supply: Supply) -> dict[str, Any]:
    return {"card": random.choice(question.cards).value}


@answer.register
def _(question: RequestAid, scene: Scene, random: Random, supply: Supply) -> dict[str, str] | None:
    if not question.supply_points or random.random() > GOES_ON:
        return None
    for _ in range(TRIES):
        words = _wish(scene, random, supply)
        if allowed(partial(next, aid_request(scene, Wish(**words)))):
            return words
    return None


def _wish(scene: Scene, random: Random, supply: Supply) -> dict[str, str]:
    request = random.choice(list(scene.book.aid_requests))
    if request == STRATEGIC_ASSET:
        return {"request": request, "asset": random.choice(list(scene.book.assets))}
    if request == ACTIVE_RECRUITING or not scene.force.dossiers:
        return {"request": request}
    dossier = random.choice(list(scene.force.dossiers.values()))
    words = {"request": request, "unit": dossier.key}
    if request in (REINFORCEMENTS, PROVISIONS):
        upgrade = pick_upgrade(scene.book.units[dossier.card], random, supply)
        return {**words, "upgrade": upgrade.slug if upgrade else ""}
    if request == MEDICAL_SUPPLIES and dossier.setbacks:
        return {**words, "setback": random.choice(dossier.setbacks)}
    return words


@answer.register
def _(question: EditRegister, scene: Scene, random: Random, supply: Supply) -> dict[str, Any] | None:
    book, force = scene.book, scene.force
    if must_let_go(book, force):
        return {"let_go": {"unit": random.choice([key for key in force.dossiers if key != force.paragon])}}
    if must_add_corps(book, force):
        return {"add": {"unit": random.choice(affordable_corps(book, force)).slug}}
    if random.random() > GOES_ON:
        return None
    change = _edit(scene, random, supply)
    return change if change and allowed(lambda: edit(book, force, change)) else None


def _edit(scene: Scene, random: Random, supply: Supply) -> dict[str, Any] | None:
    dossier: Dossier = random.choice(list(scene.force.dossiers.values()))
    if random.random() < 0.1:
        return {"name": {"unit": dossier.key, "name": f"Squad {random.randrange(1000)}"}}
    if slots := commended_slots(scene.book, dossier):
        return {
            "upgrade": {
                "unit": dossier.key,
                "upgrade": random.choice(supply.upgrades[random.choice(slots)]).slug,
            }
        }
    left = combat_potential_left(scene.book, scene.force)
    cards = [card for card in supply.recruits[scene.force.faction] if card.points <= left]
    return {"add": _recruit(random.choice(cards), random, supply)} if cards else None


def _recruit(card: Unit, random: Random, supply: Supply) -> dict[str, Any]:
    upgrade = pick_upgrade(card, random, supply) if random.random() < 0.5 else None
    name = f"Hero {random.randrange(1000)}" if card.rank in ("commander", "operative") else ""
    return {"unit": card.slug, "upgrades": [upgrade.slug] if upgrade else [], "name": name}


def pick_upgrade(card: Unit, random: Random, supply: Supply) -> Upgrade | None:
    """Any upgrade of a type that the unit's bar shows; the rules say whether it may have it."""
    if not card.upgrade_slots:
        return None
    return random.choice(supply.upgrades[random.choice(card.upgrade_slots)])


def allowed(act: Callable[[], object]) -> bool:
    """Whether the rules allow an act that changes nothing by itself."""
    return not problems_of(act)


def found(supply: Supply, random: Random, name: str) -> Scene:
    """A random Register, founded in the order of R10; `effects` of the scene hold all that happened to it."""
    book, scene = supply.book, Scene(supply.book, Force())
    happen(scene, open_register())
    happen(scene, choose_faction(book, scene.force, random.choice(supply.factions)))
    recruits = supply.recruits[scene.force.faction]
    _join(scene, [card for card in recruits if card.rank == "commander"], random, supply)
    _add_corps(scene, random)
    while random.random() < GOES_ON_RECRUITING:
        _join(scene, recruits, random, supply)
    advance(scene, make_aid_requests(scene, Report()), random, supply)
    _add_corps(scene, random)
    happen(scene, begin_story_arc(book, random.choice(list(book.arcs_offered))))
    happen(scene, name_register(name))
    happen(scene, commission(book, scene.force))
    return scene


def happen(scene: Scene, effects: Iterable[Effect]) -> None:
    """Let effects happen outside a script."""
    for effect in effects:
        scene.force = evolve(scene.force, effect)
        scene.effects.append(effect)


def _join(scene: Scene, cards: Sequence[Unit], random: Random, supply: Supply) -> None:
    """A unit joins, without its upgrade if that is not for it, or not at all if it does not fit."""
    words = _recruit(random.choice(cards), random, supply)
    for change in ({"add": words}, {"add": {**words, "upgrades": []}}):
        if allowed(partial(edit, scene.book, scene.force, change)):
            happen(scene, edit(scene.book, scene.force, change))
            return


def _add_corps(scene: Scene, random: Random) -> None:
    """R4: as many corps units as a Register needs."""
    while corps_owed(scene.book, scene.force):
        card = random.choice(affordable_corps(scene.book, scene.force))
        happen(scene, add_unit(scene.book, scene.force, card.slug))
