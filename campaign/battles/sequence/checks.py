"""Casualty Checks that were just rolled: each unit with its dice, the result, and everything that followed from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.text import capfirst

from campaign.battles.sequence.history import CASUALTY_CHECK, HistoryItem, HistoryLine, NumberChange, dice_of
from registers.pages.sheet import thousandths
from rules.core.rulebook import Rulebook
from rules.core.translation import translated
from rules.post_battle.casualties import CASUALTY, ESCAPED, SETBACK, dice_for, outcome
from rules.post_battle.casualty_odds import odds_by_choice
from rules.register import effects as e
from rules.register.state import Dossier, RegisterState, everyone

TRAIT = "trait"


@dataclass(frozen=True, slots=True)
class Consequence:
    """A Setback or Trait that a unit gained, with its text and the die that chose it; or a note, without a text."""

    name: str
    text: str = ""
    kind: str = ""
    dice: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The Casualty Check of a unit, as `battles/sequence/checks.html` takes it.

    `verdict` is ESCAPED, SETBACK, CASUALTY, or TRAIT for a Paragon who would have been a casualty (R35). `rolls` are
    the first roll and its rerolls; `odds` are those before the roll, in thousandths (`components/odds.html`).
    """

    name: str
    verdict: str
    is_paragon: bool = False
    rolls: list[HistoryLine] = field(default_factory=list)
    consequences: list[Consequence] = field(default_factory=list)
    changes: list[NumberChange] = field(default_factory=list)
    odds: Mapping[str, int] = field(default_factory=dict)


def checks_of(
    book: Rulebook,
    state: RegisterState,
    names: Mapping[str, str],
    happened: Iterable[HistoryItem],
    shielded: Collection[str] = (),
) -> list[Check]:
    """Return the Casualty Checks among these events of step 4, the Paragon's last.

    `state` is the Register after them. `shielded` are the units that the Agenda keeps from becoming a casualty (R28).
    """
    of_units: dict[str, list[HistoryItem]] = {}
    for item in happened:
        of_units.setdefault(_unit_of(state, item.effect), []).append(item)
    checked = [key for key, items in of_units.items() if any(_is_check(item.effect) for item in items)]
    checked.sort(key=lambda key: key == state.paragon)
    return [_check(book, state, key, names.get(key, key), of_units[key], key in shielded) for key in checked]


def _unit_of(state: RegisterState, effect: e.Effect) -> str:
    return state.paragon if isinstance(effect, e.TraitGained) else getattr(effect, "unit", "")


def _is_check(effect: e.Effect) -> bool:
    return isinstance(effect, e.DiceRolled) and effect.rule == CASUALTY_CHECK


def _check(
    book: Rulebook, state: RegisterState, key: str, name: str, items: Sequence[HistoryItem], shielded: bool
) -> Check:
    rolled = [item for item in items if _is_check(item.effect)]
    is_paragon, dossier = key == state.paragon, everyone(state).get(key)
    return Check(
        name=name,
        verdict=_verdict(items, is_paragon),
        is_paragon=is_paragon,
        rolls=[_roll(item, first=place == 0) for place, item in enumerate(rolled)],
        consequences=list(_consequences(book, items)),
        changes=_changes(items),
        odds=_odds(book, dossier, items, shielded) if dossier else {},
    )


def _faces(item: HistoryItem) -> tuple[str, ...]:
    return item.effect.faces if isinstance(item.effect, e.DiceRolled) else ()


def _verdict(items: Sequence[HistoryItem], is_paragon: bool) -> str:
    effects = [item.effect for item in items]
    result = outcome([_faces(item) for item in items if _is_check(item.effect)][-1])
    if any(isinstance(effect, e.UnitFell) for effect in effects):
        return CASUALTY
    if any(isinstance(effect, e.TraitGained) for effect in effects) or (is_paragon and result == CASUALTY):
        return TRAIT
    return ESCAPED if result == ESCAPED else SETBACK


def _roll(item: HistoryItem, *, first: bool) -> HistoryLine:
    text = "" if first else capfirst(translated(item.effect.why))
    return HistoryLine(text, CASUALTY_CHECK, dice_of("black_attack", _faces(item)), by_hand=item.by_hand)


def _consequences(book: Rulebook, items: Sequence[HistoryItem]) -> Iterable[Consequence]:
    dice: tuple[dict[str, str], ...] = ()
    for item in items:
        effect = item.effect
        match effect:
            case e.DiceRolled() if not _is_check(effect):
                dice = dice_of(effect.die, effect.faces)
                continue
            case e.SetbackGained(setback=slug):
                card = book.setbacks[slug]
                yield Consequence(card.name, card.effect, "setback", dice)
            case e.TraitGained(trait=slug):
                trait = book.defining_traits[slug]
                yield Consequence(trait.name, trait.effect, "trait", dice)
            case e.Noted():
                yield Consequence(capfirst(translated(effect.why)), dice=dice)
            case _:
                continue
        dice = ()


def _changes(items: Sequence[HistoryItem]) -> list[NumberChange]:
    """Return each number of the unit that changed, from its first to its last value."""
    found: dict[str, NumberChange] = {}
    for change in (item.change for item in items if item.change):
        first = found.get(change.what, change)
        found[change.what] = replace(first, after=change.after)
    return list(found.values())


def _odds(book: Rulebook, dossier: Dossier, items: Sequence[HistoryItem], shielded: bool) -> Mapping[str, int]:
    setbacks = list(dossier.setbacks)
    for item in items:
        if isinstance(item.effect, e.SetbackGained) and item.effect.setback in setbacks:
            setbacks.remove(item.effect.setback)
    before = replace(dossier, setbacks=tuple(setbacks))
    odds = odds_by_choice(book, before, shielded=shielded)
    dice = next(len(_faces(item)) for item in items if _is_check(item.effect))
    return thousandths(odds.get("check") or odds["add" if dice > dice_for(before) else "reroll"])
