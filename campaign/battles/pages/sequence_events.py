"""Events of a sequence: changes by unit with their text and dice, and the Casualty Checks of a step."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, TypeGuard

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from registers.ledger.text import Names, names_of, sentence
from registers.pages.sheet import thousandths
from rules.core.rulebook import Rulebook
from rules.core.translation import translated
from rules.core.values import KeywordValue, Value
from rules.post_battle.casualties import CASUALTY, ESCAPED, SAVED_BY_MEDEVAC, SETBACK, dice_for, outcome
from rules.post_battle.casualty_odds import odds_by_choice
from rules.post_battle.setbacks import GAINS_A_TRAIT
from rules.register import effects as e
from rules.register.state import Dossier, RegisterState, everyone
from rules.register.upgrade_slots import spoken

_OUTCOMES = {
    "casualty": gettext_noop("casualty"),
    "boon": gettext_noop("only criticals, 2 XP and a Setback"),
    "setback": gettext_noop("Setback"),
    "escaped": gettext_noop("escaped"),
}
#: Names of the counted numbers, also used as keys; `NumberChange.label` translates them.
SP, XP, VR = gettext_noop("SP"), gettext_noop("XP"), gettext_noop("VR")
COMBAT_POTENTIAL, REPUTATION = gettext_noop("Combat Potential"), gettext_noop("Reputation")
AGENDA = gettext_noop("Agenda")
CASUALTY_CHECK = "R31"
SUPPLIES = "R30"


#: Fields of a correction that are counted.
_CORRECTED = {
    "supply_points": SP, "combat_potential": COMBAT_POTENTIAL, "reputation": REPUTATION, "experience": XP,
    "progress": AGENDA,
}  # fmt: skip


class NumberChange(Value):
    """A number before and after a change; `what` is the English name of the number, or the name of an Agenda."""

    what: str
    before: int
    after: int

    @property
    def label(self) -> str:
        """The name of the number in the user's language."""
        return gettext(self.what)


class HistoryLine(Value):
    """One event, as `battles/sequence/groups.html` takes it; `by_hand`: its dice were typed in."""

    text: str
    rule: str = ""
    dice: tuple[dict[str, str], ...] = ()
    change: NumberChange | None = None
    by_hand: bool = False


class Group(Value):
    """Events of one unit, or of the Register (without a name); `fell` if the unit is a casualty."""

    name: str = ""
    fell: bool = False
    lines: list[HistoryLine] = field(default_factory=list)

    @property
    def plain(self) -> bool:
        """Whether one line is enough: a unit, and one number that changed."""
        return bool(self.name) and not self.fell and len(self.lines) == 1 and not self.lines[0].dice

    @property
    def promoted(self) -> bool:
        """Whether the unit reached a Veteran Rank."""
        return any(line.change is not None and line.change.what == VR for line in self.lines)

    @property
    def height(self) -> int:
        """The number of lines it takes if none wraps."""
        return 1 if self.plain else bool(self.name) + len(self.lines)


class HistoryItem(Value):
    """An effect with the number it changed; `by_hand` for dice that were typed in."""

    effect: e.Effect
    change: NumberChange | None = None
    by_hand: bool = False


def history_of(state: RegisterState, effects: Sequence[e.Effect]) -> list[HistoryItem]:
    """Return every effect with its number before and after; `state` is the Register after all of them. The numbers are
    computed backward from there, so that the earlier ledger need not be read.
    """
    now: dict[tuple[str, str], int] = {
        (SP, ""): state.supply_points,
        (COMBAT_POTENTIAL, ""): state.combat_potential,
        (REPUTATION, ""): state.reputation,
    }
    now |= {(XP, key): dossier.experience for key, dossier in everyone(state).items()}
    now |= {(AGENDA, slug): progress for slug, progress in state.agendas.items()}
    return [HistoryItem(effect, _change(now, effect)) for effect in reversed(effects)][::-1]


def _change(now: dict[tuple[str, str], int], effect: e.Effect) -> NumberChange | None:
    match effect:
        case e.SupplyPointsGained(amount=amount):
            label, about = SP, ""
        case e.SupplyPointsSpent(amount=spent):
            label, about, amount = SP, "", -spent
        case e.CombatPotentialRaised(amount=amount):
            label, about = COMBAT_POTENTIAL, ""
        case e.ReputationGained(amount=amount):
            label, about = REPUTATION, ""
        case e.ExperienceGained(unit=about, amount=amount):
            label = XP
        case e.AgendaProgressed(agenda=about, amount=amount):
            label = AGENDA
        case e.VeteranRankReached(veteran_rank=rank):
            return NumberChange(VR, rank - 1, rank)
        case e.Corrected(field=name, old=old, new=new) if name in _CORRECTED:
            now[_CORRECTED[name], effect.agenda or effect.unit] = old
            return NumberChange(_CORRECTED[name], old, new)
        case _:
            return None
    # The Agendas of an ended arc are no longer counted. The progress was at least this amount.
    after = now.get((label, about), amount)
    now[label, about] = after - amount
    return NumberChange(label, after - amount, after)


def groups(
    book: Rulebook, state: RegisterState, names: Mapping[str, str], happened: Iterable[HistoryItem]
) -> list[Group]:
    """Return the events by unit, in the order in which units first appear. `names` are those of `state`, now."""
    found, units, happened = list[Group](), dict[str, Group](), list(happened)
    fallen = {one.effect.unit for one in happened if isinstance(one.effect, e.UnitFell)}
    # Rerolls come after the first roll, and the last one decides the Casualty Check (R34).
    last_check = {
        one.effect.unit: place
        for place, one in enumerate(happened)
        if isinstance(one.effect, e.DiceRolled) and one.effect.rule == CASUALTY_CHECK
    }
    for place, happening in enumerate(happened):
        effect = happening.effect
        key = _unit_of(state, effect)
        if key and key not in units:
            units[key] = Group(names.get(key, gettext("Unit %(key)s") % {"key": key}), key in fallen)
            found.append(units[key])
        elif not key and (not found or found[-1].name):
            found.append(Group())
        group = units[key] if key else found[-1]
        if line := _line(book, names, happening, is_last_check=last_check.get(key) == place):
            _add(group, line)
    return [group for group in found if group.lines]


def _unit_of(state: RegisterState, effect: e.Effect) -> str:
    if isinstance(effect, e.TraitGained | e.TraitCountedDown | e.CommandCardUnlocked):
        return state.paragon
    return getattr(effect, "unit", "")


def _line(
    book: Rulebook, names: Mapping[str, str], happening: HistoryItem, *, is_last_check: bool
) -> HistoryLine | None:
    effect, change = happening.effect, happening.change
    match effect:
        case e.AidRequested():
            return None  # its cost and its results have lines of their own
        case e.DiceRolled():
            rule = "R34" if is_last_check else effect.rule
            dice = dice_of(effect.die, effect.faces)
            return HistoryLine(_result(effect, is_last_check), rule, dice, by_hand=happening.by_hand)
        case e.ExperienceGained():
            text = translated(effect.why)
            if effect.lost:
                text = gettext("%(why)s (%(lost)s XP lost at the maximum)") % {"why": text, "lost": effect.lost}
            return HistoryLine(text, effect.rule, change=change)
        case e.VeteranRankReached():
            return HistoryLine(gettext("Promoted"), effect.rule, change=change)
        case e.UnitAdded():
            return HistoryLine(gettext("Added"), effect.rule)
        case e.UnitFell():
            return HistoryLine(gettext("Fallen: leaves the Register"), effect.rule)
        case e.AgendaProgressed():
            text = gettext("%(agenda)s progresses") % {"agenda": book.agendas[effect.agenda].name}
            return HistoryLine(text, effect.rule, change=change)
    if change:
        return HistoryLine(capfirst(translated(effect.why)), effect.rule, change=change)
    unit = names.get(getattr(effect, "unit", ""), "")
    is_heading = isinstance(effect, e.UnitNamed) and effect.name == unit
    line = gettext("Named") if is_heading else sentence(effect, names, book)
    return HistoryLine(capfirst(line.removeprefix(f"{unit}: ")) if unit else line, effect.rule)


def _result(effect: e.DiceRolled, is_last_check: bool) -> str:
    why = capfirst(translated(effect.why))
    if is_last_check:
        return gettext("%(why)s: %(result)s") % {"why": why, "result": gettext(_OUTCOMES[outcome(effect.faces)])}
    if effect.rule == SUPPLIES:
        return gettext("%(why)s: a %(face)s") % {"why": why, "face": spoken(effect.faces[0])}
    return why


def _add(group: Group, line: HistoryLine) -> None:
    """Add a line to a group. Merge dice with the number they change, and Experience gained for several reasons."""
    last = group.lines[-1] if group.lines else None
    if last and last.dice and last.rule == line.rule and line.change and not last.change:
        group.lines[-1] = replace(last, change=line.change)
    elif last and not last.dice and _is_experience(last.change) and _is_experience(line.change):
        change = NumberChange(XP, last.change.before, line.change.after)
        group.lines[-1] = HistoryLine(f"{last.text}, {line.text}", line.rule, (), change)
    else:
        text = capfirst(line.text) if _is_experience(line.change) else line.text
        group.lines.append(replace(line, text=text))


def _is_experience(change: NumberChange | None) -> TypeGuard[NumberChange]:
    return change is not None and change.what == XP


def dice_of(die: str, faces: Iterable[str]) -> tuple[dict[str, str], ...]:
    """Return dice as `components/dice.html` takes them."""
    return tuple({"die": die, "face": face} for face in faces)


class Sum(Value):
    """The totals of a whole sequence: numbers and terms (assets) of the Register, and of each unit."""

    register: list[NumberChange] = field(default_factory=list)
    terms: list[dict[str, str]] = field(default_factory=list)
    units: list[dict[str, Any]] = field(default_factory=list)


def summed_up(book: Rulebook, state: RegisterState, happened: Sequence[HistoryItem]) -> Sum:
    """Return every number that changed, from first to last value, and the terms gained and lost."""
    names = names_of(book, state)
    numbers: dict[tuple[str, str], NumberChange] = {}
    words: dict[str, list[dict[str, str]]] = {}
    for happening in happened:
        key, change = _unit_of(state, happening.effect), happening.change
        if isinstance(happening.effect, e.AgendaProgressed) and change:
            change = replace(change, what=book.agendas[happening.effect.agenda].name)
        if change:
            first = numbers.get((key, change.what), change)
            numbers[key, change.what] = NumberChange(change.what, first.before, change.after)
        if term := _term(book, happening.effect):
            words.setdefault(key, []).append(term)
        elif isinstance(happening.effect, e.UnitFell):
            words.setdefault(key, [])
    keys = dict.fromkeys([*(key for key, _ in numbers if key), *(key for key in words if key)])
    changed = {at: change for at, change in numbers.items() if change.before != change.after}
    return Sum(
        register=[change for (key, _), change in changed.items() if not key],
        terms=words.get("", []),
        units=[
            {
                "name": names.get(key, gettext("Unit %(key)s") % {"key": key}),
                "fell": key in state.fallen,
                "changes": [change for (unit, _), change in changed.items() if unit == key],
                "terms": words.get(key, []),
            }
            for key in keys
        ],
    )


#: Effects that change the terms of a unit, or the assets: a sign, the field of the card or keyword, the term's kind.
_TERMS: Mapping[type[e.Effect], tuple[str, str, str]] = {
    e.SetbackGained: ("+", "setback", "setback"),
    e.SetbackRemoved: ("−", "setback", ""),
    e.CommendationAwarded: ("+", "commendation", "commendation"),
    e.TraitGained: ("+", "trait", "trait"),
    e.CommandCardUnlocked: ("+", "command_card", "command"),
    e.UpgradeAdded: ("+", "upgrade", ""),
    e.KeywordGained: ("+", "keyword", ""),
    e.KeywordLost: ("−", "keyword", ""),
    e.AssetGained: ("+", "asset", ""),
    e.AssetUsedUp: ("−", "asset", ""),
}


def _term(book: Rulebook, effect: e.Effect) -> dict[str, str] | None:
    if known := _TERMS.get(type(effect)):
        sign, field, kind = known
        return {"name": f"{sign} {Names({}, book).called(field, getattr(effect, field))}", "kind": kind}
    match effect:
        case e.UnitAdded():
            return {"name": gettext("joined"), "kind": "commendation"}
        case e.UnitReassigned():
            return {"name": gettext("reassigned"), "kind": ""}
        case e.Noted(why=why) if why == SAVED_BY_MEDEVAC:
            return {"name": gettext("saved by a Medevac"), "kind": "commendation"}
    return None


TRAIT = "trait"


class Consequence(Value):
    """A Setback or Trait that a unit gained, with its text and the die that chose it; or a note, without a text."""

    name: str
    text: str = ""
    kind: str = ""
    dice: tuple[dict[str, str], ...] = ()


class Check(KeywordValue):
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
    """Return the Casualty Checks among these events of step 4, the Paragon's last. `state` is the Register after them.
    `shielded` are the units that the Agenda keeps from becoming a casualty (R28).
    """
    of_units: dict[str, list[HistoryItem]] = {}
    for item in happened:
        unit = state.paragon if isinstance(item.effect, e.TraitGained) else getattr(item.effect, "unit", "")
        of_units.setdefault(unit, []).append(item)
    checked = [key for key, items in of_units.items() if any(_is_check(item.effect) for item in items)]
    checked.sort(key=lambda key: key == state.paragon)
    return [_check(book, state, key, names.get(key, key), of_units[key], key in shielded) for key in checked]


def _is_check(effect: e.Effect) -> bool:
    return isinstance(effect, e.DiceRolled) and effect.rule == CASUALTY_CHECK


def _check(
    book: Rulebook, state: RegisterState, key: str, name: str, items: Sequence[HistoryItem], shielded: bool
) -> Check:
    rolled = [item for item in items if _is_check(item.effect)]
    is_paragon, dossier = key == state.paragon, everyone(state).get(key)
    return Check(
        name=name,
        verdict=_verdict(items),
        is_paragon=is_paragon,
        rolls=[_roll(item, first=place == 0) for place, item in enumerate(rolled)],
        consequences=list(_consequences(book, items)),
        changes=_changes(items),
        odds=_odds(book, dossier, items, shielded) if dossier else {},
    )


def _faces(item: HistoryItem) -> tuple[str, ...]:
    return item.effect.faces if isinstance(item.effect, e.DiceRolled) else ()


def _verdict(items: Sequence[HistoryItem]) -> str:
    effects = [item.effect for item in items]
    result = outcome([_faces(item) for item in items if _is_check(item.effect)][-1])
    if any(isinstance(effect, e.UnitFell) for effect in effects):
        return CASUALTY
    if any(isinstance(effect, e.Noted) and effect.why == GAINS_A_TRAIT for effect in effects):
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
