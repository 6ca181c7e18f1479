"""Step 4, Determine Casualties and Setbacks (R31 to R38).

All dice that can be rolled together are one question; results are recorded unit by unit, as reported (R38).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.battle.report import Report
from rules.core.dice import BLACK_ATTACK
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.core.values import Value
from rules.core.violations import refuse
from rules.post_battle.dialogue import Choose, Context, Dialogue, Option, Pool, Question, Roll, unit_option
from rules.post_battle.setbacks import Shield, aftermath, gain
from rules.register.effects import DiceRolled, Noted
from rules.register.labels import unit_label
from rules.register.state import Dossier

from .agendas import shield

REROLL = gettext_noop("Choose the dice to reroll.")

MEDEVAC = "medevac"
RESILIENT = "resilient"
DEDICATED = "dedicated-to-the-cause"

CASUALTY = "casualty"
BOON = "boon"
SETBACK = "setback"
ESCAPED = "escaped"

#: The purpose of the first roll of a check, with all its dice.
FIRST_ROLL = gettext_noop("Casualty Check")
#: What the ledger notes about the unit that a Medevac saves.
SAVED_BY_MEDEVAC = gettext_noop("saved by a Medevac: no Casualty Check")


class AddDice(Question):
    """The choice of War Weary units that add a die; the others reroll every blank (R32). Answer: a list of units."""

    units: tuple[Option, ...]

    def check(self, answer: Any) -> tuple[str, ...]:
        """Return the units that add a die. Refuses units that were not asked about."""
        known = [unit.value for unit in self.units]
        if (
            not isinstance(answer, list | tuple)
            or any(unit not in known for unit in answer)
            or len(set(answer)) != len(answer)
        ):
            text = gettext("Only War Weary units that make a check may add a die, once each.")
            raise refuse(self.rule, text)
        return tuple(answer)


class Rolled(Value):
    """A unit's check so far: its faces, and how many of them it may still reroll (R33)."""

    unit: str
    label: str
    faces: tuple[str, ...]
    rerolls: int


class Reroll(Question):
    """The choice of dice to reroll (R33). Answer: for each unit that rerolls, the places of its dice, from 0."""

    checks: tuple[Rolled, ...]

    def check(self, answer: Any) -> dict[str, tuple[int, ...]]:
        """Return places by unit. Refuses more rerolls than a unit has, and dice that are not there."""
        checks = {rolled.unit: rolled for rolled in self.checks}
        if not isinstance(answer, Mapping) or not set(answer) <= set(checks):
            text = gettext(
                "Only units with Resilient or Dedicated to the Cause can reroll, and only with 2 dice or more."
            )
            raise refuse(self.rule, text)
        return {unit: _places(self.rule, checks[unit], places) for unit, places in answer.items() if places}


def _places(rule: str, rolled: Rolled, places: Any) -> tuple[int, ...]:
    if not isinstance(places, list | tuple) or any(type(place) is not int for place in places):
        raise refuse(rule, gettext(REROLL), rolled.unit)
    if len(places) > rolled.rerolls or len(set(places)) != len(places):
        text = gettext("{unit} can reroll up to {rerolls}, each die once.", unit=rolled.label, rerolls=rolled.rerolls)
        raise refuse(rule, text, rolled.unit)
    if any(place not in range(len(rolled.faces)) for place in places):
        raise refuse(
            rule, gettext("This die does not belong to {unit}. Choose another one.", unit=rolled.label), rolled.unit
        )
    return tuple(sorted(places))


def determine_casualties(context: Context, report: Report) -> Dialogue[None]:
    """Resolve every check of this side, and its consequences."""
    saved = yield from _medevac(context, report)
    if not (units := checked_units(context, report, saved)):
        yield Noted(rule="R34", why=gettext_noop("no unit makes a Casualty Check"))
        return
    yield from _check(context, report, units)
    if _checks_twice(context, report, units):
        paragon = context.state.paragon
        yield Noted(unit=paragon, rule="R27", why=gettext_noop("a second Casualty Check, for Tunnel Vision"))
        yield from _check(context, report, [paragon])


def _check(context: Context, report: Report, units: Sequence[str]) -> Dialogue[None]:
    rolled = yield from _roll_checks(context, units)
    guard = shield(context, report)
    setbacks: list[str] = []
    fallen: list[str] = []
    for key in units:
        for why, faces in rolled[key]:
            yield DiceRolled(unit=key, die=BLACK_ATTACK, faces=faces, rule="R31", why=why)
        result = outcome(rolled[key][-1][1])
        if result == CASUALTY:
            fallen.append(key)
            if _has_setback_too(context, key, rolled[key][-1][1], guard):
                setbacks.append(key)
        elif result == ESCAPED:
            yield from gain(context, key, 1, rule="R34", why=gettext_noop("escaped"))
        else:
            if result == BOON:
                yield from gain(context, key, 2, rule="R34", why=gettext_noop("only criticals"))
            setbacks.append(key)
    yield from aftermath(context, setbacks, casualties=fallen, shield=guard)


def _has_setback_too(context: Context, key: str, faces: Sequence[str], guard: Shield) -> bool:
    """Return whether the hits beside a surge give a Paragon, which gains a Trait, a Setback too (`trait_and_hits`)."""
    both = context.book.house.trait_and_hits == "hits_too"
    return both and key == context.state.paragon and key not in guard.units and "hit" in faces


def checked_units(context: Context, report: Report, saved: str = "") -> list[str]:
    """Return the units that make a check: the defeated ones still on the Register and not saved by a Medevac. The
    Paragon makes one, or another (`tunnel_vision_check`), if Tunnel Vision requires it (R27).
    """
    units = [key for key in report.defeated if key in context.state.dossiers and key != saved]
    paragon = context.state.paragon
    if _tunnel_vision_checks(context, report) and paragon not in (*units, saved):
        units.append(paragon)
    return units


def _checks_twice(context: Context, report: Report, units: Sequence[str]) -> bool:
    paragon = context.state.paragon
    return (
        context.book.house.tunnel_vision_check == "two_checks"
        and paragon in units
        and paragon in report.defeated
        and _tunnel_vision_checks(context, report)
    )


def _tunnel_vision_checks(context: Context, report: Report) -> bool:
    field = context.state.in_field
    trait = context.book.defining_traits[field.trait] if field and field.trait else None
    if not (field and trait and trait.casualty_check_without_progress):
        return False
    brought = bool(report.agenda) or context.book.house.tunnel_vision_without_agenda == "check"
    return brought and not field.progressions


def dice_for(dossier: Dossier) -> int:
    """Return the black attack dice of a check: 1, and 1 more for each Setback after the first (R31)."""
    return max(1, len(dossier.setbacks))


def rerolls_for(book: Rulebook, dossier: Dossier, dice: int) -> int:
    """Return how many dice a unit may reroll after seeing them: none of a single die (R33; `dedicated`: 2 or 3)."""
    if dice < 2:
        return 0
    if DEDICATED in dossier.commendations:
        return 3 if book.house.dedicated == "three_dice" else 2
    return 1 if RESILIENT in dossier.commendations else 0


def is_war_weary(book: Rulebook, dossier: Dossier) -> bool:
    """Return whether a Setback of the unit lets it add a die or else rerolls its blanks (R32)."""
    return any(book.setbacks[slug].add_die_or_reroll_blanks for slug in dossier.setbacks)


def outcome(faces: Sequence[str]) -> str:
    """Return the result of a check: the first that applies (R34)."""
    if "surge" in faces:
        return CASUALTY
    if all(face == "critical" for face in faces):
        return BOON
    return SETBACK if "hit" in faces else ESCAPED


Stages = dict[str, list[tuple[str, tuple[str, ...]]]]


def _roll_checks(context: Context, units: Sequence[str]) -> Dialogue[Stages]:
    """Roll the dice of every check, stage by stage; the last stage counts (R31 to R33)."""
    weary = [key for key in units if is_war_weary(context.book, context.state.dossiers[key])]
    adding: tuple[str, ...] = ()
    if weary:
        text = gettext("War Weary: which units add a die? The others reroll all blanks once.")
        adding = yield AddDice(rule="R32", text=text, units=_options(context, weary))
    dice = {key: dice_for(context.state.dossiers[key]) + (key in adding) for key in units}
    text = ngettext("Roll the Casualty Check.", "Roll the Casualty Checks.", len(dice))
    faces = yield from _roll_pools(context, "check", dice, text, "R31")
    stages: Stages = {key: [(FIRST_ROLL, faces[key])] for key in units}
    blanks = {
        key: places
        for key in weary
        if key not in adding and (places := [place for place, face in enumerate(faces[key]) if face == "blank"])
    }
    yield from _reroll(context, stages, blanks, "blanks", "R32")
    checks = tuple(
        Rolled(key, unit_label(context.book, context.state, key), faces, rerolls)
        for key, [*_, (_, faces)] in stages.items()
        if (rerolls := rerolls_for(context.book, context.state.dossiers[key], len(faces)))
    )
    if checks:
        rerolled = yield Reroll(rule="R33", text=gettext(REROLL), checks=checks)
        yield from _reroll(context, stages, rerolled, "reroll", "R33")
    return stages


def _reroll(
    context: Context, stages: Stages, places: Mapping[str, Sequence[int]], what: str, rule: str
) -> Dialogue[None]:
    """Roll the dice at `places` once more and note the result as a further stage."""
    words = {"blanks": gettext_noop("blanks rerolled"), "reroll": gettext_noop("rerolled")}[what]
    text = {"blanks": gettext("Reroll the blanks."), "reroll": gettext("Reroll the chosen dice.")}[what]
    faces = yield from _roll_pools(context, what, {key: len(where) for key, where in places.items()}, text, rule)
    for key, where in places.items():
        new = dict(zip(where, faces[key], strict=True))
        before = stages[key][-1][1]
        stages[key].append((words, tuple(new.get(place, face) for place, face in enumerate(before))))


def _roll_pools(
    context: Context, what: str, dice: Mapping[str, int], text: str, rule: str
) -> Dialogue[dict[str, tuple[str, ...]]]:
    if not dice:
        return {}
    pools = tuple(
        Pool(f"{what}:{key}", BLACK_ATTACK, count, unit_label(context.book, context.state, key))
        for key, count in dice.items()
    )
    faces: dict[str, tuple[str, ...]] = yield Roll(rule=rule, text=text, pools=pools)
    return {key: faces[f"{what}:{key}"] for key in dice}


def _medevac(context: Context, report: Report) -> Dialogue[str]:
    units = [key for key in report.defeated if key in context.state.dossiers]
    if MEDEVAC not in report.assets or not units:
        return ""
    key: str | None = yield Choose(
        rule="R35",
        text=gettext("Medevac: which defeated unit is saved from its Casualty Check?"),
        kind="medevac",
        options=_options(context, units),
        decline=gettext("nobody"),
    )
    if key:
        yield Noted(unit=key, rule="R35", why=SAVED_BY_MEDEVAC)
    return key or ""


def _options(context: Context, units: Sequence[str]) -> tuple[Option, ...]:
    return tuple(unit_option(context.book, context.state, key) for key in units)
