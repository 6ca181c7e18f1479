"""Step 4, Determine Casualties and Setbacks (R31 to R38).

The checks do not touch each other, so all dice that can fall together are one question; the results are
recorded unit by unit, in the order of the report (R38).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from ..dice import BLACK_ATTACK, DICE, chance
from ..effects import DiceRolled, Noted
from ..force import Dossier
from ..language import gettext, gettext_noop
from ..refusal import refuse
from ..report import Report
from ..rulebook import Rulebook
from ..script import Choose, Option, Pool, Question, Roll, Scene, Script, unit_option
from ..setbacks import aftermath, gain
from ..wording import unit_label
from .agendas import shield

MEDEVAC = "medevac"
RESILIENT = "resilient"
DEDICATED = "dedicated-to-the-cause"

CASUALTY = "casualty"
BOON = "boon"
SETBACK = "setback"
ESCAPED = "escaped"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddDice(Question):
    """Which War Weary units add a die; the others reroll every blank (R32). Answer: a list of units."""

    units: tuple[Option, ...]

    def check(self, answer: Any) -> tuple[str, ...]:
        """The units that add a die. Refuses others than those asked about."""
        known = [unit.value for unit in self.units]
        if (
            not isinstance(answer, list | tuple)
            or any(unit not in known for unit in answer)
            or len(set(answer)) != len(answer)
        ):
            raise refuse(
                self.rule, gettext("Only War Weary units that make a check may add a die, once each.")
            )
        return tuple(answer)


@dataclass(frozen=True, slots=True)
class Rolled:
    """A unit's check so far: its faces, and how many of them it may still reroll (R33)."""

    unit: str
    label: str
    faces: tuple[str, ...]
    rerolls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reroll(Question):
    """Which dice are rerolled (R33). Answer: for each unit that rerolls, the places of its dice, from 0."""

    checks: tuple[Rolled, ...]

    def check(self, answer: Any) -> dict[str, tuple[int, ...]]:
        """Places by unit. Refuses more rerolls than a unit has, and dice that are not there."""
        checks = {rolled.unit: rolled for rolled in self.checks}
        if not isinstance(answer, Mapping) or not set(answer) <= set(checks):
            raise refuse(
                self.rule, gettext("Only units with Resilient or its like reroll, and only from 2 dice on.")
            )
        return {unit: _places(self.rule, checks[unit], places) for unit, places in answer.items() if places}


def _places(rule: str, rolled: Rolled, places: Any) -> tuple[int, ...]:
    if not isinstance(places, list | tuple) or any(type(place) is not int for place in places):
        raise refuse(rule, gettext("Name the dice by their places."), rolled.unit)
    if len(places) > rolled.rerolls or len(set(places)) != len(places):
        raise refuse(
            rule,
            gettext(
                "{unit} may reroll up to {rerolls}, each die once.",
                unit=rolled.label,
                rerolls=rolled.rerolls,
            ),
            rolled.unit,
        )
    if any(place not in range(len(rolled.faces)) for place in places):
        raise refuse(rule, gettext("{unit} has no such die.", unit=rolled.label), rolled.unit)
    return tuple(sorted(places))


def determine_casualties(scene: Scene, report: Report) -> Script[None]:
    """Every check of this side and what follows from it."""
    saved = yield from _medevac(scene, report)
    units = checked_units(scene, report, saved)
    if not units:
        yield Noted(rule="R34", why=gettext_noop("no unit makes a Casualty Check"))
        return
    yield from _check(scene, report, units)
    if _checks_twice(scene, report, units):
        paragon = scene.force.paragon
        yield Noted(unit=paragon, rule="R27", why=gettext_noop("a second Casualty Check, for Tunnel Vision"))
        yield from _check(scene, report, [paragon])


def _check(scene: Scene, report: Report, units: Sequence[str]) -> Script[None]:
    rolled = yield from _roll_all(scene, units)
    guard = shield(scene, report)
    setbacks: list[str] = []
    fallen: list[str] = []
    for key in units:
        for why, faces in rolled[key]:
            yield DiceRolled(unit=key, die=BLACK_ATTACK, faces=faces, rule="R31", why=why)
        result = outcome(rolled[key][-1][1])
        if result == CASUALTY:
            fallen.append(key)
        elif result == ESCAPED:
            yield from gain(scene, key, 1, rule="R34", why=gettext_noop("escaped"))
        else:
            if result == BOON:
                yield from gain(scene, key, 2, rule="R34", why=gettext_noop("only criticals"))
            setbacks.append(key)
    yield from aftermath(scene, setbacks, casualties=fallen, shield=guard)


def checked_units(scene: Scene, report: Report, saved: str = "") -> list[str]:
    """The units that make a check: the defeated ones that are still here and not saved by a Medevac.

    The Paragon makes one for Tunnel Vision too, if the Agenda it brought did not progress: one in all (R27),
    or the house has it make another one afterwards (`tunnel_vision_check`).
    """
    units = [key for key in report.defeated if key in scene.force.dossiers and key != saved]
    paragon = scene.force.paragon
    if _tunnel_vision_checks(scene, report) and paragon not in (*units, saved):
        units.append(paragon)
    return units


def _checks_twice(scene: Scene, report: Report, units: Sequence[str]) -> bool:
    """Whether the Paragon, checked as a defeated unit, makes another check for Tunnel Vision (R27)."""
    paragon = scene.force.paragon
    return (
        scene.book.house.tunnel_vision_check == "two_checks"
        and paragon in units
        and paragon in report.defeated
        and _tunnel_vision_checks(scene, report)
    )


def _tunnel_vision_checks(scene: Scene, report: Report) -> bool:
    field = scene.force.in_field
    trait = scene.book.defining_traits[field.trait] if field and field.trait else None
    if not (field and trait and trait.casualty_check_without_progress):
        return False
    return bool(report.agenda) and not field.progressions


def dice_for(dossier: Dossier) -> int:
    """Black attack dice of a check: 1, and 1 more for each Setback after the first (R31)."""
    return max(1, len(dossier.setbacks))


def rerolls_for(book: Rulebook, dossier: Dossier, dice: int) -> int:
    """How many dice a unit may reroll after seeing them: none of a single die (R33; `dedicated`: 2 or 3)."""
    if dice < 2:
        return 0
    if DEDICATED in dossier.commendations:
        return 3 if book.house.dedicated == "three_dice" else 2
    return 1 if RESILIENT in dossier.commendations else 0


def is_war_weary(book: Rulebook, dossier: Dossier) -> bool:
    """Whether a Setback of the unit lets it add a die or else rerolls its blanks (R32)."""
    return any(book.setbacks[slug].add_die_or_reroll_blanks for slug in dossier.setbacks)


def outcome(faces: Sequence[str]) -> str:
    """What a check comes to: the first that applies (R34)."""
    if "surge" in faces:
        return CASUALTY
    if all(face == "critical" for face in faces):
        return BOON
    return SETBACK if "hit" in faces else ESCAPED


Stages = dict[str, list[tuple[str, tuple[str, ...]]]]


def _roll_all(scene: Scene, units: Sequence[str]) -> Script[Stages]:
    """The dice of every check, stage by stage; the last stage counts (R31 to R33)."""
    weary = [key for key in units if is_war_weary(scene.book, scene.force.dossiers[key])]
    adding = yield from _who_adds_dice(scene, weary)
    dice = {key: dice_for(scene.force.dossiers[key]) + (key in adding) for key in units}
    faces = yield from _fall(scene, "check", dice, gettext_noop("Casualty Check"), "R31")
    stages: Stages = {key: [(gettext_noop("Casualty Check"), faces[key])] for key in units}
    blanks = {
        key: [place for place, face in enumerate(faces[key]) if face == "blank"]
        for key in weary
        if key not in adding
    }
    yield from _again(
        scene, stages, {key: places for key, places in blanks.items() if places}, "blanks", "R32"
    )
    rerolled = yield from _who_rerolls(scene, stages)
    yield from _again(scene, stages, rerolled, "reroll", "R33")
    return stages


def _who_adds_dice(scene: Scene, weary: Sequence[str]) -> Script[tuple[str, ...]]:
    if not weary:
        return ()
    chosen: tuple[str, ...] = yield AddDice(
        rule="R32",
        text=gettext("War Weary: who adds a die? The others reroll every blank once."),
        units=_options(scene, weary),
    )
    return chosen


def _who_rerolls(scene: Scene, stages: Stages) -> Script[dict[str, tuple[int, ...]]]:
    checks = tuple(
        Rolled(key, unit_label(scene.book, scene.force, key), faces, rerolls)
        for key, [*_, (_, faces)] in stages.items()
        if (rerolls := rerolls_for(scene.book, scene.force.dossiers[key], len(faces)))
    )
    if not checks:
        return {}
    chosen: dict[str, tuple[int, ...]] = yield Reroll(
        rule="R33", text=gettext("Which dice are rerolled?"), checks=checks
    )
    return chosen


def _again(
    scene: Scene, stages: Stages, places: Mapping[str, Sequence[int]], what: str, rule: str
) -> Script[None]:
    """Roll the dice at `places` once more and note the result as a further stage."""
    words = {"blanks": gettext_noop("blanks rerolled"), "reroll": gettext_noop("rerolled")}[what]
    faces = yield from _fall(scene, what, {key: len(where) for key, where in places.items()}, words, rule)
    for key, where in places.items():
        new = dict(zip(where, faces[key], strict=True))
        before = stages[key][-1][1]
        stages[key].append((words, tuple(new.get(place, face) for place, face in enumerate(before))))


def _fall(
    scene: Scene, what: str, dice: Mapping[str, int], words: str, rule: str
) -> Script[dict[str, tuple[str, ...]]]:
    if not dice:
        return {}
    pools = tuple(
        Pool(f"{what}:{key}", BLACK_ATTACK, count, unit_label(scene.book, scene.force, key))
        for key, count in dice.items()
    )
    faces: dict[str, tuple[str, ...]] = yield Roll(
        rule=rule, text=gettext("Roll: {words}", words=gettext(words)), pools=pools
    )
    return {key: faces[f"{what}:{key}"] for key in dice}


def _medevac(scene: Scene, report: Report) -> Script[str]:
    units = [key for key in report.defeated if key in scene.force.dossiers]
    if MEDEVAC not in report.assets or not units:
        return ""
    key: str | None = yield Choose(
        rule="R35",
        text=gettext("Medevac: which defeated unit makes no Casualty Check?"),
        kind="medevac",
        options=_options(scene, units),
        decline=gettext("nobody"),
    )
    if key:
        yield Noted(unit=key, rule="R35", why=gettext_noop("saved by a Medevac: no Casualty Check"))
    return key or ""


def _options(scene: Scene, units: Sequence[str]) -> tuple[Option, ...]:
    return tuple(unit_option(scene.book, scene.force, key) for key in units)


#: Faces in alphabetical order: which die shows which does not matter here.
Faces = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of the four results of a check (R34); together they are 1.

    `boon` is "2 XP and a Setback". A Paragon's `casualty` is a Defining Trait.
    """

    casualty: Fraction = Fraction(0)
    boon: Fraction = Fraction(0)
    setback: Fraction = Fraction(0)
    escaped: Fraction = Fraction(0)


def check_odds(book: Rulebook, dossier: Dossier, *, shielded: bool = False) -> Odds:
    """The odds of a unit's next check, with its Setbacks and Commendations.

    Its player is taken to choose so that a casualty is least likely, then an escape most likely. `shielded`
    for a unit that Daring Defense keeps from becoming a casualty (R28).
    """
    return _best(odds_by_choice(book, dossier, shielded=shielded).values())


def odds_by_choice(book: Rulebook, dossier: Dossier, *, shielded: bool = False) -> dict[str, Odds]:
    """The odds of what a War Weary unit may do: "add" a die or "reroll" its blanks (R32); else only of "check"."""
    dice = dice_for(dossier)
    if not is_war_weary(book, dossier):
        return {"check": _one_check(dice, rerolls_for(book, dossier, dice), False, shielded)}
    return {
        "add": _one_check(dice + 1, rerolls_for(book, dossier, dice + 1), False, shielded),
        "reroll": _one_check(dice, rerolls_for(book, dossier, dice), True, shielded),
    }


def _best(odds: Iterable[Odds]) -> Odds:
    return min(odds, key=lambda each: (each.casualty, -each.escaped, -each.boon))


def _mix(parts: Iterable[tuple[Fraction, Odds]]) -> Odds:
    casualty = boon = setback = escaped = Fraction(0)
    for weight, odds in parts:
        casualty += weight * odds.casualty
        boon += weight * odds.boon
        setback += weight * odds.setback
        escaped += weight * odds.escaped
    return Odds(casualty, boon, setback, escaped)


@cache
def _one_check(dice: int, rerolls: int, blanks_again: bool, shielded: bool) -> Odds:
    """`dice` fall; every blank falls again, if it must (R32); then up to `rerolls` fall again (R33)."""
    return _mix(
        (
            weight,
            _blanks_again(faces, rerolls, shielded) if blanks_again else _reroll(faces, rerolls, shielded),
        )
        for faces, weight in _falls(dice).items()
    )


def _blanks_again(faces: Faces, rerolls: int, shielded: bool) -> Odds:
    kept = tuple(face for face in faces if face != "blank")
    return _mix(
        (weight, _reroll(_sorted(kept, new), rerolls, shielded))
        for new, weight in _falls(len(faces) - len(kept)).items()
    )


@cache
def _reroll(faces: Faces, rerolls: int, shielded: bool) -> Odds:
    """The best that up to `rerolls` rerolled dice can make of `faces`; none of them is one of the choices."""
    choices = {again for count in range(rerolls + 1) for again in combinations(faces, count)}
    return _best(_rerolled(faces, again, shielded) for again in choices)


def _rerolled(faces: Faces, again: Faces, shielded: bool) -> Odds:
    kept = list(faces)
    for face in again:
        kept.remove(face)
    return _mix((weight, _result(_sorted(kept, new), shielded)) for new, weight in _falls(len(again)).items())


def _result(faces: Faces, shielded: bool) -> Odds:
    what = outcome(faces)
    return Odds(**{BOON if shielded and what == CASUALTY else what: Fraction(1)})


@cache
def _falls(dice: int) -> dict[Faces, Fraction]:
    """Everything that `dice` black attack dice can show, with its probability."""
    if not dice:
        return {(): Fraction(1)}
    falls: dict[Faces, Fraction] = {}
    for faces, weight in _falls(dice - 1).items():
        for face in DICE[BLACK_ATTACK]:
            more = _sorted(faces, (face,))
            falls[more] = falls.get(more, Fraction(0)) + weight * chance(BLACK_ATTACK, face)
    return falls


def _sorted(faces: Iterable[str], more: Iterable[str]) -> Faces:
    return tuple(sorted((*faces, *more)))
