"""The ten steps in order, the short ones among them (2, 3, 8, 9, 10), and how a Register takes the field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..army import AGENDAS_TO_MUST, completed_agendas
from ..building import (
    MINIMUM_CORPS,
    add_unit,
    add_upgrade,
    begin_story_arc,
    corps_owed,
    has_arcs_left,
    let_go,
    must_add_corps,
    name_unit,
)
from ..dice import RED_DEFENSE
from ..effects import (
    AssetUsedUp,
    DiceRolled,
    Effect,
    FieldTaken,
    Noted,
    ReputationGained,
    SagaCompleted,
    SequenceEnded,
    SupplyPointsGained,
    TraitCountedDown,
)
from ..force import Force
from ..language import gettext, gettext_noop, kept
from ..refusal import refuse
from ..report import Report
from ..rewards import Occasion, resolve
from ..rulebook import Rulebook
from ..script import Choose, Option, Pool, Question, Roll, Scene, Script, happen
from ..setbacks import gain
from .agendas import holds, progress_agendas
from .aid_requests import make_aid_requests
from .casualties import determine_casualties
from .commendations import award_commendations
from .experience import award_experience


def turning_point_rewards(scene: Scene, report: Report) -> Script[None]:
    """The mission's end of game for this side, then victory or defeat for its owner (R29).

    A draw is not a win: the owner resolves the defeat, or neither if the house says so (`draw`). Skipped by a
    side that conceded (R51).
    """
    mission = report.turning_point
    if mission is None:
        yield Noted(rule="R29", why=gettext_noop("no Turning Point Mission"))
        return
    if report.conceded:
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        return
    for entry in mission.end_of_game:
        if holds(entry.when, report, lambda text: text in report.claims):
            yield from resolve(scene, Occasion(report, "R29", mission.name), entry.reward)
    if not report.owns_turning_point:
        return
    if report.result == "drawn" and scene.book.house.draw == "neither":
        yield Noted(rule="R29", why=gettext_noop("a draw: neither victory nor defeat"))
        return
    reward = mission.victory if report.won else mission.defeat
    yield from resolve(scene, Occasion(report, "R29", mission.name), reward)


FOR_PLAYING = 2
_GAINED_BY = {"block": gettext_noop("a block"), "surge": gettext_noop("a surge")}


def award_supply_points(scene: Scene, report: Report) -> Script[None]:
    """2 SP, and 1 more on a block, or on a surge for the side that won (R30). Skipped if conceded (R51)."""
    if report.conceded:
        yield Noted(rule="R51", why=gettext_noop("skipped: conceded"))
        return
    yield SupplyPointsGained(amount=FOR_PLAYING, rule="R30", why=gettext_noop("for the battle"))
    pool = Pool(
        "supply",
        RED_DEFENSE,
        1,
        gettext("block: +1 SP, surge: +1 SP") if report.won else gettext("block: +1 SP"),
    )
    faces = (yield Roll(rule="R30", text=gettext("Roll for supplies"), pools=(pool,)))["supply"]
    yield DiceRolled(die=RED_DEFENSE, faces=faces, rule="R30", why=gettext_noop("supplies"))
    if faces == ("block",) or (faces == ("surge",) and report.won):
        yield SupplyPointsGained(amount=1, rule="R30", why=_GAINED_BY[faces[0]])


SUPPLY_FOR_ALL_AGENDAS = 3


def adjust_reputation(scene: Scene, report: Report) -> Script[None]:
    """The owner of the Turning Point Mission has ended its Story Arc, won or lost: +1 Reputation.

    With all 3 Agendas complete +1 more and 3 SP (R48).
    """
    if not report.owns_turning_point:
        yield Noted(rule="R48", why=gettext_noop("no Story Arc ended"))
        return
    arc = scene.book.story_arcs[scene.force.story_arc]
    yield ReputationGained(amount=1, rule="R48", why=kept(gettext_noop("{arc} ended"), arc=arc.name))
    if completed_agendas(arc, scene.force) >= AGENDAS_TO_MUST:
        yield ReputationGained(amount=1, rule="R48", why=gettext_noop("all Agendas complete"))
        yield SupplyPointsGained(
            amount=SUPPLY_FOR_ALL_AGENDAS, rule="R48", why=gettext_noop("all Agendas complete")
        )


def choose_story_arc(scene: Scene, report: Report) -> Script[None]:
    """Who ended an arc chooses the next, the same one allowed (R49); then the sequence ends (R50).

    If it was the last that the campaign's length allows, the saga is complete instead.
    """
    ended = scene.force.arcs_ended + 1
    if report.owns_turning_point and not has_arcs_left(scene.book, ended):
        yield SagaCompleted(arcs=ended, rule="R49")
    elif report.owns_turning_point:
        slug: str = yield Choose(
            rule="R49",
            text=gettext("Choose the next Story Arc."),
            kind="story_arc",
            options=tuple(
                Option(arc.slug, arc.name, arc.briefing) for arc in scene.book.arcs_offered.values()
            ),
        )
        yield from happen(begin_story_arc(scene.book, slug))
    else:
        yield Noted(rule="R49", why=gettext_noop("the Story Arc goes on"))
    trait = scene.force.trait
    if trait and not trait.fresh:
        yield TraitCountedDown(trait=trait.slug, games_left=trait.games_left - 1, rule="R37")
    yield SequenceEnded(rule="R50")


_WORDS = {
    "add": {"unit", "name", "upgrades"}, "upgrade": {"unit", "upgrade"}, "name": {"unit", "name"},
    "let_go": {"unit"},
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRegister(Question):
    """The next edit. Answer: an edit as `edit` takes it, or None when the player is done."""

    def check(self, answer: Any) -> Mapping[str, Any] | None:
        """The edit, or None. Refuses answers of another shape."""
        if answer is None:
            return None
        if not isinstance(answer, Mapping) or len(answer) != 1:
            raise refuse("R11", gettext("Make one edit at a time."))
        [(word, details)] = answer.items()
        if word not in _WORDS or not isinstance(details, Mapping) or not set(details) <= _WORDS[word]:
            raise refuse("R11", gettext("Add a unit, add an upgrade, or name a unit."))
        upgrades = details.get("upgrades") or []
        texts = [value for name, value in details.items() if name != "upgrades" and value is not None]
        if not isinstance(upgrades, list | tuple) or any(
            not isinstance(text, str) for text in (*texts, *upgrades)
        ):
            raise refuse("R11", gettext("Name the unit and its upgrades by their cards."))
        return answer


def edit_register(scene: Scene, report: Report) -> Script[None]:
    """Assets used in this battle leave, then the player edits freely (R47).

    The step does not end while corps units are owed and one could be had (R4).
    """
    for slug in report.assets:
        stays = scene.book.assets[slug].kept_if_unused and not report.contingency_switched
        if stays:
            yield Noted(
                rule="R47",
                why=kept(gettext_noop("{asset} was not used and stays"), asset=scene.book.assets[slug].name),
            )
        else:
            yield AssetUsedUp(asset=slug, rule="R47")
    question = EditRegister(rule="R11", text=gettext("Edit the Register: add units, upgrades, names."))
    while change := (yield question):
        yield from happen(edit(scene.book, scene.force, change))
    if must_add_corps(scene.book, scene.force):
        raise refuse(
            "R4",
            gettext(
                "Add corps units until there are {minimum_corps}: one still fits.",
                minimum_corps=MINIMUM_CORPS,
            ),
        )
    if corps_owed(scene.book, scene.force):
        yield Noted(
            rule="R4", why=gettext_noop("short of corps units, excused: none fits the Combat Potential left")
        )


def edit(book: Rulebook, force: Force, change: Mapping[str, Any]) -> list[Effect]:
    """The effects of one edit (R11).

    `change` is {"add": {"unit": card, "upgrades": [cards], "name": text}}, {"upgrade": {"unit": key,
    "upgrade": card}}, {"name": {"unit": key, "name": text}} or {"let_go": {"unit": key}}. Refuses what the
    building rules refuse.
    """
    [(word, details)] = change.items()
    match word:
        case "add":
            return add_unit(
                book,
                force,
                details.get("unit") or "",
                upgrades=details.get("upgrades") or (),
                name=details.get("name") or "",
            )
        case "upgrade":
            return add_upgrade(book, force, details.get("unit") or "", details.get("upgrade") or "")
        case "let_go":
            return let_go(book, force, details.get("unit") or "")
    return name_unit(force, details.get("unit") or "", details.get("name") or "")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its number, its name as printed, and its script."""

    number: int
    printed: str
    script: Callable[[Scene, Report], Script[None]]

    @property
    def name(self) -> str:
        """Its name in the language of this moment."""
        return gettext(self.printed)


STEPS = (
    Step(1, gettext_noop("Progress Agendas"), progress_agendas),
    Step(2, gettext_noop("Turning Point Rewards"), turning_point_rewards),
    Step(3, gettext_noop("Award Supply Points"), award_supply_points),
    Step(4, gettext_noop("Determine Casualties and Setbacks"), determine_casualties),
    Step(5, gettext_noop("Award Experience"), award_experience),
    Step(6, gettext_noop("Award Commendations"), award_commendations),
    Step(7, gettext_noop("Make Aid Requests"), make_aid_requests),
    Step(8, gettext_noop("Edit Register"), edit_register),
    Step(9, gettext_noop("Adjust Reputation"), adjust_reputation),
    Step(10, gettext_noop("Choose New Story Arc"), choose_story_arc),
)
#: The step in which assets that were used leave a Register (R47).
EDITING = 8
LAST_STEP = len(STEPS)


def step(number: int) -> Step:
    """The step with that number, from 1 to 10."""
    return STEPS[number - 1]


def take_the_field(force: Force, battle: str) -> list[Effect]:
    """The Register takes the field for `battle`.

    Refuses one that is not commissioned or in the field (R4, R11), and one whose saga is complete (R49).
    """
    if not force.commissioned:
        raise refuse(
            "R4",
            gettext("{register} is not commissioned yet.", register=force.name or gettext("The Register")),
        )
    if force.saga_complete:
        raise refuse(
            "R49", gettext("The saga of {register} is complete: it fights no more.", register=force.name)
        )
    if force.in_field:
        raise refuse("R11", gettext("{register} is in the field already.", register=force.name))
    return [FieldTaken(battle=battle, trait=force.trait.slug if force.trait else "", rule="R11")]


def gains_of_the_game(scene: Scene, report: Report) -> Script[None]:
    """XP and SP gained during the game by Paragon Command Cards, entered before step 1 (section 5)."""
    for key, amount in report.in_game_experience.items():
        if key in scene.force.dossiers and amount:
            yield from gain(scene, key, amount, rule="R16", why=gettext_noop("gained during the game"))
    if report.in_game_supply:
        yield SupplyPointsGained(
            amount=report.in_game_supply, rule="R16", why=gettext_noop("gained during the game")
        )
