"""Correct a Register by hand (R43), and reapply corrections to a Register that an amendment changed."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rules.adjustments.imported_register import LARGEST, SETBACK_TWICE, UNIT_IS_GONE
from rules.core.card_types import FACTIONS, MERCENARY, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop, ngettext
from rules.core.values import KeywordValue, Value
from rules.core.violations import (
    LISTED_TWICE,
    OUT_OF_RANGE,
    Fault,
    RuleViolation,
    Violation,
    not_offered,
    raise_if_any,
    refuse,
)
from rules.post_battle.agendas import FOREIGN_AGENDA, too_much_progress
from rules.post_battle.aid_requests import too_many_held
from rules.post_battle.commendations import requirement_violations
from rules.post_battle.dialogue import Context
from rules.register import building, upgrade_slots, veterans
from rules.register.effects import Corrected, Effect
from rules.register.state import PLACES, Dossier, RegisterState, apply, everyone, value_of

FOREIGN_PARAGON = Fault("R6", gettext_noop("The Paragon must be a unit on the Register."))
UNKNOWN_NAME = Fault("", gettext_noop("No card is called “{name}”. Check the spelling."))
_NOT_IN_LIST = Fault("", gettext_noop("Choose a value from the list."))


def against_rules(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    """Yield the rules that `after` breaks and `before` did not; `about` is that of `WantedValue.about`."""
    for violations in (
        _points, _ranks, _paragon_violations, _arc, _agendas, _trait_violations, _command_cards,
    ):  # fmt: skip
        yield from violations(book, before, after)
    yield from too_many_assets(book, before, after)
    for was, dossier in _units(before, after):
        key = dossier.key
        serves = key in after.dossiers
        if serves and (key not in before.dossiers or was.card != dossier.card or before.faction != after.faction):
            yield from _about(f"{key}.card", _belongs(book, after, dossier))
        yield from _unit(book, after, was, dossier)


def numbers_against_rules(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    """Yield new violations of a unit's totals: its training, XP and VR (R12, R13, R44) and its Setbacks (R36)."""
    for was, dossier in _units(before, after):
        yield from _about(f"{dossier.key}.training", _trained(book, was, dossier))
        yield from _experience(book, was, dossier)
        yield from _about(f"{dossier.key}.setbacks", _set_back(book, was, dossier))


def _units(before: RegisterState, after: RegisterState) -> Iterator[tuple[Dossier, Dossier]]:
    were = everyone(before)
    for key, dossier in everyone(after).items():
        yield were.get(key, Dossier(key=key, card="")), dossier


def _about(place: str, violations: Iterable[Violation]) -> Iterator[Violation]:
    return (replace(violation, about=place) for violation in violations)


def _points(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    left = building.combat_potential_left(book, after)
    if left < 0 and left < building.combat_potential_left(book, before):
        text = ngettext(
            "The Register would be {number} point above its Combat Potential.",
            "The Register would be {number} points above its Combat Potential.",
            -left,
        )
        yield Violation("R2", text, "combat_potential")


def _ranks(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    had, has = (
        Counter(book.units[dossier.card].rank for dossier in state.dossiers.values()) for state in (before, after)
    )
    needed = {"commander": building.MINIMUM_COMMANDERS, "corps": building.MINIMUM_CORPS}
    if after.commissioned and any(has[rank] < most and has[rank] < had[rank] for rank, most in needed.items()):
        yield Violation("R4", gettext("A Register needs at least 1 commander and 2 corps units."), "units")


def _paragon_violations(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    if after.paragon == before.paragon:
        return
    if before.paragon:
        yield Violation("R6", gettext("The Paragon is the first commander and cannot change."), "paragon")
    if after.paragon and book.units[after.dossiers[after.paragon].card].rank != "commander":
        yield Violation("R6", gettext("Only a commander can be the Paragon."), "paragon")


def _arc(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    if after.story_arc != before.story_arc and after.story_arc not in book.arcs_offered:
        yield Violation("R49", gettext("This campaign does not allow this Story Arc. Choose another one."), "story_arc")


def _agendas(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    for slug, times in after.agendas.items():
        agenda = book.agendas[slug]
        if times == before.agendas.get(slug):
            continue
        if agenda.story_arc != after.story_arc:
            yield FOREIGN_AGENDA(f"agenda.{slug}", name=agenda.name)
        elif times > agenda.progressions_to_complete:
            yield too_much_progress(agenda, times, f"agenda.{slug}")


def _trait_violations(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    trait = after.trait
    if trait and trait != before.trait and trait.games_left > (most := book.defining_traits[trait.slug].games):
        text = ngettext(
            "A Defining Trait can last at most {number} game.",
            "A Defining Trait can last at most {number} games.",
            most,
        )
        yield Violation("R37", text, "trait")


def _command_cards(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    had, has = (len(state.command_cards) + state.command_cards_owed for state in (before, after))
    paragon = after.dossiers.get(after.paragon)
    if has > had and has > (paragon.veteran_rank if paragon else 0):
        text = gettext("A Paragon can have at most one Command Card for each VR.")
        yield Violation("R16", text, "command_cards")


def too_many_assets(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    """Yield the Strategic Assets that exceed their limit, and exceed it more than before (R43)."""
    for slug in sorted(set(after.assets)):
        most = book.held_at_most(book.assets[slug])
        if after.assets.count(slug) > max(most, before.assets.count(slug)):
            yield too_many_held(book, slug, "assets")


def _belongs(book: Rulebook, state: RegisterState, dossier: Dossier) -> Iterator[Violation]:
    card = book.units[dossier.card]
    yield from upgrade_slots.card_ban_violations(book, card)
    if not dossier.faction and not upgrade_slots.shares_faction(card, state.faction):
        yield upgrade_slots.wrong_faction(card, state.faction)


def _unit(book: Rulebook, after: RegisterState, was: Dossier, now: Dossier) -> Iterator[Violation]:
    if was == now:
        return
    key = now.key
    yield from _about(f"{key}.name", _nameless(book, was, now))
    yield from _about(f"{key}.training", _trained(book, was, now))
    yield from _experience(book, was, now)
    yield from _about(f"{key}.upgrades", _equipped(book, after, was, now))
    yield from _about(f"{key}.commendations", _commended(book, after, was, now))
    yield from _about(f"{key}.setbacks", _set_back(book, was, now))


def _nameless(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Violation]:
    if now.name:
        return
    if book.units[now.card].rank in ("commander", "operative") and (was.name or was.card != now.card):
        yield Violation("R7", gettext("Commanders and operatives need a name. Enter one."))
    elif now.veteran_rank and (was.name or not was.veteran_rank):
        yield veterans.NAMELESS_VETERAN()


def _trained(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Violation]:
    if (
        now.training > was.training
        and veterans.MAXIMUM_VETERAN_RANK[book.units[now.card].rank] + now.training > veterans.HIGHEST
    ):
        yield veterans.MAXIMUM_IS_HIGHEST(highest=veterans.HIGHEST)


def _experience(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Violation]:
    if (was.experience, was.veteran_rank, was.training, was.card) == (
        now.experience, now.veteran_rank, now.training, now.card,
    ):  # fmt: skip
        return
    cap, highest = veterans.experience_cap(book, now), veterans.maximum_veteran_rank(book, now)
    if book.house.last_gain == "whole":
        cap = veterans.THRESHOLDS[veterans.HIGHEST]
    if now.experience > cap:
        yield Violation("R13", gettext("Its XP cannot go above {cap}.", cap=cap), f"{now.key}.experience")
    if now.veteran_rank > highest:
        text = gettext("This unit can reach at most VR {highest}.", highest=highest)
        yield Violation("R12", text, f"{now.key}.veteran_rank")
    elif now.veteran_rank < (given := min(veterans.veteran_rank(now.experience), highest)):
        text = gettext("With this XP it has VR {veteran_rank}.", veteran_rank=given)
        yield Violation("R12", text, f"{now.key}.veteran_rank")


def _equipped(book: Rulebook, state: RegisterState, was: Dossier, now: Dossier) -> Iterator[Violation]:
    """Yield what a changed unit may not be equipped with (R5, R8): its card, upgrades or Commendations changed."""
    if (was.card, was.upgrades, was.commendations) == (now.card, now.upgrades, now.commendations):
        return
    unit = upgrade_slots.bearer(book, state, now)
    cards: list[Upgrade] = [book.upgrades[slug] for slug in now.upgrades]
    kept = [card for card in cards if card.slug in was.upgrades and was.card == now.card]
    new = [card for card in cards if card not in kept]
    for card in new:
        yield from upgrade_slots.card_ban_violations(book, card)
    if new:
        had = [book.upgrades[slug] for slug in was.upgrades]
        yield from upgrade_slots.equip_violations(unit, kept, new, before=had)
    elif not upgrade_slots.fits(upgrade_slots.all_slots(unit), cards):
        yield Violation("R8", gettext("{unit} does not have a slot for every upgrade.", unit=unit.card.name))


def _commended(book: Rulebook, state: RegisterState, was: Dossier, now: Dossier) -> Iterator[Violation]:
    """Yield its new Commendations whose requirements it does not meet (R15); they may be of an earlier Story Arc."""
    for slug in (slug for slug in now.commendations if slug not in was.commendations):
        card = book.commendations[slug]
        during = replace(state, story_arc=card.story_arc or state.story_arc)
        rest = replace(now, commendations=tuple(other for other in now.commendations if other != slug))
        if why := "; ".join(requirement_violations(book, during, rest, card)):
            yield Violation("R15", f"{card.name}: {why}.")


def _set_back(book: Rulebook, was: Dossier, now: Dossier) -> Iterator[Violation]:
    for slug in sorted(set(now.setbacks)):
        card = book.setbacks[slug]
        if card.second != "stacks" and now.setbacks.count(slug) > max(1, was.setbacks.count(slug)):
            yield SETBACK_TWICE(setback=card.name)


LONGEST_KEYWORD = 120
#: More Commendations than a unit can be due, and more Story Arcs than a Register ends.
MANY = 99


class WantedValue(Value):
    """A value to set: of the Register, of a unit (by its key) or of an Agenda (by its slug), in plain values. `field`
    is one of REGISTER or UNIT. For a new Dossier `field` is "dossier", `unit` any word for it that the caller picks,
    and `new` its values; to strike one, `new` is None.
    """

    field: str
    new: Any
    unit: str = ""
    agenda: str = ""

    @property
    def about(self) -> str:
        """The value that its violations are about: "supply_points", "3.experience", "agenda.keep-them-in-line"."""
        if self.agenda:
            return f"agenda.{self.agenda}"
        return f"{self.unit}.{self.field}" if self.unit else self.field


class Promotion(Value):
    """What a unit reaches with its XP: its VR (R12), and the cards to choose for the ranks it gains. `commendations`
    are one for each (R15), `command_cards` one for each if the unit is the Paragon (R16).
    """

    veteran_rank: int
    commendations: int
    command_cards: int


def promotion(book: Rulebook, state: RegisterState, unit: str, experience: int) -> Promotion | None:
    """Return what a unit reaches with this many XP; None if that is no higher VR than it has."""
    dossier = everyone(state)[unit]
    rank = min(veterans.veteran_rank(experience), veterans.maximum_veteran_rank(book, dossier))
    gained = rank - dossier.veteran_rank
    if gained <= 0:
        return None
    return Promotion(rank, gained, gained if unit == state.paragon else 0)


class Correction(KeywordValue):
    """Effects, Register and violations of a correction; no effects if nothing changes or something is impossible."""

    effects: tuple[Corrected, ...] = ()
    after: RegisterState
    impossible: tuple[Violation, ...] = ()
    against_rules: tuple[Violation, ...] = ()


def corrected(
    book: Rulebook, state: RegisterState, wishes: Iterable[WantedValue], *, complete: bool = True
) -> Correction:
    """Return the correction that sets the values of a Register to those in `wishes`. Other values stay. But the
    upgrades in slots from Commendations are found again (R8), and another Story Arc begins without progress (R49).
    `complete`: whether the Register has to be whole after it (R6, R10); set it to False if further wishes follow.
    """
    making = _Making(book, state)
    for wish in _in_order(wishes):
        making.take(wish)
    if complete and not making.impossible:
        making.impossible += _incomplete(book, making.after)
    if making.impossible:
        return Correction(after=state, impossible=tuple(making.impossible))
    return Correction(
        effects=tuple(making.effects), after=making.after, against_rules=tuple(against_rules(book, state, making.after))
    )


def is_corrected(effects: Sequence[Any], wishes: Iterable[WantedValue], book: Rulebook, before: RegisterState) -> bool:
    """Return whether `effects` are the correction that these wishes would have made on the Register as it was."""
    wanted = corrected(book, before, wishes).effects
    return bool(wanted) and [each for each in effects if isinstance(each, Corrected)] == list(wanted)


def corrected_values(effect: Corrected) -> Iterator[tuple[str, Any, Any]]:
    """Yield field, old and new value; for a whole Dossier each of its fields that either value has."""
    if effect.field != "dossier":
        yield effect.field, effect.old, effect.new
        return
    old, new = effect.old or {}, effect.new or {}
    for name in {**old, **new}:
        yield name, old.get(name), new.get(name)


def _in_order(wishes: Iterable[WantedValue]) -> list[WantedValue]:
    """Return the wishes with new Dossiers first, since one may be the Paragon, and struck Dossiers last and alone."""
    known = list(wishes)
    struck = {wish.unit for wish in known if wish.field == "dossier" and wish.new is None}
    kept = [wish for wish in known if wish.unit not in struck or wish.field == "dossier"]
    return sorted(kept, key=lambda wish: (wish.unit in struck, wish.field != "dossier"))


class _Making:
    def __init__(self, book: Rulebook, state: RegisterState) -> None:
        self.book, self.after = book, state
        self.effects: list[Corrected] = []
        self.impossible: list[Violation] = []

    def take(self, wish: WantedValue) -> None:
        try:
            self._take(wish)
        except RuleViolation as refusal:
            self._refuse(refusal, wish.about)

    def _refuse(self, refusal: RuleViolation, about: str) -> None:
        self.impossible += _about(about, refusal.violations)

    def _take(self, wish: WantedValue) -> None:
        if wish.agenda:
            if wish.agenda not in self.book.agendas:
                raise refuse("R25", gettext("This Agenda does not exist."))
            self._become(wish.field, _number("R25", MANY, self.book, self.after, wish.new), agenda=wish.agenda)
        elif wish.field == "dossier":
            if wish.new is None:
                _check_known(self.after, wish.unit)
                self._become("dossier", None, unit=wish.unit)
            else:
                self._enter(wish)
        elif not wish.unit:
            self._become(wish.field, _known(REGISTER, wish.field)(self.book, self.after, wish.new))
            for slug in list(self.after.agendas) if wish.field == "story_arc" else ():
                if self.book.agendas[slug].story_arc != self.after.story_arc:  # another Story Arc begins at 0 (R49)
                    self._become("progress", 0, agenda=slug)
        else:
            _check_known(self.after, wish.unit)
            value = _known(UNIT, wish.field)(self.book, self.after, wish.new)
            self._become(wish.field, value, unit=wish.unit)
            self._follow(wish.unit)

    def _become(self, name: str, new: Any, **whose: str) -> None:
        old = value_of(self.after, name, **whose)
        if new != old:
            effect = Corrected(field=name, old=old, new=new, **whose)
            self.effects.append(effect)
            self.after = apply(self.after, effect)

    def _follow(self, unit: str) -> None:
        """Update upgrades in slots from Commendations (R8), and values set by the first unit of its kind (R3, R6)."""
        dossier = everyone(self.after)[unit]
        card = self.book.units[dossier.card]
        self._become("by_commendation", _by_commendation(self.book, self.after, dossier), unit=unit)
        if not self.after.faction and card.faction != MERCENARY:
            self._become("faction", card.faction)
        if not self.after.paragon and card.rank == "commander" and unit in self.after.dossiers:
            self._become("paragon", unit)

    def _enter(self, wish: WantedValue) -> None:
        values: dict[str, Any] = {"place": "serving"}
        for name, value in {"card": "", **wish.new}.items():
            try:
                values[name] = _known(UNIT, name)(self.book, self.after, value)
            except RuleViolation as refusal:
                self._refuse(refusal, f"{wish.unit}.{name}")
        if self.impossible:
            return
        key = str(self.after.next_key)
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        self._become("dossier", {name: value for name, value in plain.items() if value}, unit=key)
        self._follow(key)


def _by_commendation(book: Rulebook, state: RegisterState, dossier: Dossier) -> tuple[str, ...]:
    """Return upgrades in slots that Commendations gave: former ones, and new ones without a printed slot (R8)."""
    given: list[str] = []
    printed = upgrade_slots.all_slots(upgrade_slots.bearer(book, state, replace(dossier, commendations=())))
    seated: list[Upgrade] = []
    for slug in dossier.upgrades:
        card = book.upgrades[slug]
        left = building.commendation_slots_left(book, replace(dossier, by_commendation=tuple(given)))
        if left[card.type] and (slug in dossier.by_commendation or not upgrade_slots.fits(printed, [*seated, card])):
            given.append(slug)
        else:
            seated.append(card)
    return tuple(given)


def _incomplete(book: Rulebook, state: RegisterState) -> Iterator[Violation]:
    """Yield what a commissioned Register lacks, such as a serving Paragon if there is a commander (R6, R10)."""
    if state.commissioned:
        for name in ("name", "faction", "story_arc", "paragon"):
            if not getattr(state, name):
                yield Violation("R10", gettext("A finished Register needs this. Enter it."), name)
    commanders = [key for key, each in state.dossiers.items() if book.units[each.card].rank == "commander"]
    if state.paragon not in (state.dossiers if state.paragon or commanders else ("",)):
        yield FOREIGN_PARAGON("paragon")


Check = Callable[[Rulebook, RegisterState, Any], Any]


def _known(checks: Mapping[str, Check], name: str) -> Check:
    if name not in checks:
        raise RuleViolation([_NOT_IN_LIST()])
    return checks[name]


def _check_known(state: RegisterState, unit: str) -> None:
    if value_of(state, "dossier", unit=unit) is None:
        raise RuleViolation([UNIT_IS_GONE()])


def _number(rule: str, most: int, book: Rulebook, state: RegisterState, value: Any) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise RuleViolation([OUT_OF_RANGE(rule=rule, most=most)])
    return value


def _text(rule: str, longest: int, book: Rulebook, state: RegisterState, value: Any) -> str:
    text = value.strip() if isinstance(value, str) else "\0"
    raise_if_any(building.long_name_violations(text, rule, "", longest))
    return text


def _slug(rule: str, cards: str, book: Rulebook, state: RegisterState, value: Any) -> str:
    if not isinstance(value, str) or value not in getattr(book, cards):
        raise RuleViolation([UNKNOWN_NAME(rule=rule, name=value)])
    return value


def _slugs(
    rule: str, cards: str, book: Rulebook, state: RegisterState, value: Any, *, once: bool = False
) -> tuple[str, ...]:
    found = tuple(_slug(rule, cards, book, state, each) for each in _listed(rule, value))
    if once and (twice := [each for each in found if found.count(each) > 1]):
        raise RuleViolation([LISTED_TWICE(rule=rule, name=getattr(book, cards)[twice[0]].name)])
    return found


def _keywords(book: Rulebook, state: RegisterState, value: Any) -> tuple[str, ...]:
    keywords = (_text("R15", LONGEST_KEYWORD, book, state, each) for each in _listed("R15", value))
    return tuple(filter(None, keywords))


def _listed(rule: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise RuleViolation([_NOT_IN_LIST(rule=rule)])
    return value


def _one_of(rule: str, options: Collection[str], book: Rulebook, state: RegisterState, value: Any) -> str:
    if value not in options:
        raise RuleViolation([not_offered(rule, options)])
    return str(value)


def _paragon(book: Rulebook, state: RegisterState, value: Any) -> str:
    if value and value not in state.dossiers:
        raise RuleViolation([FOREIGN_PARAGON()])
    return str(value or "")


def _trait(book: Rulebook, state: RegisterState, value: Any) -> tuple[str, int, bool] | None:
    """Return a Trait as [slug, games left]; whether it is fresh stays as it is (R37)."""
    if not value:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise RuleViolation([_NOT_IN_LIST(rule="R37")])
    slug = _slug("R37", "defining_traits", book, state, value[0])
    if not (games := _number("R37", MANY, book, state, value[1])):
        raise refuse("R37", gettext("A Defining Trait lasts at least 1 game."))
    return slug, games, bool(state.trait and state.trait.slug == slug and state.trait.fresh)


#: The numbers that can be corrected, each with its rule and the most it can be.
NUMBERS: Mapping[str, tuple[str, int]] = {
    "combat_potential": ("R1", LARGEST), "supply_points": ("R1", LARGEST), "reputation": ("R1", LARGEST),
    "arcs_ended": ("R49", MANY), "command_cards_owed": ("R16", MANY), "owed": ("R15", MANY),
    "experience": ("R12", veterans.THRESHOLDS[veterans.HIGHEST]), "veteran_rank": ("R12", veterans.HIGHEST),
    "training": ("R44", veterans.HIGHEST),
}  # fmt: skip


def _numbers(*names: str) -> dict[str, Check]:
    return {name: partial(_number, *NUMBERS[name]) for name in names}


#: The values of a Register that can be corrected.
REGISTER: Mapping[str, Check] = {
    "name": partial(_text, "R10", building.LONGEST_NAME),
    "faction": partial(_one_of, "R3", FACTIONS),
    **_numbers("combat_potential", "supply_points", "reputation", "arcs_ended", "command_cards_owed"),
    "story_arc": partial(_slug, "R49", "story_arcs"),
    "assets": partial(_slugs, "R43", "assets"),
    "paragon": _paragon,
    "trait": _trait,
    "command_cards": partial(_slugs, "R16", "command_cards", once=True),
}

#: The values of a Dossier that can be corrected.
UNIT: Mapping[str, Check] = {
    "place": partial(_one_of, "R35", PLACES),
    "card": partial(_slug, "R5", "units"),
    "name": partial(_text, "R9", building.LONGEST_NAME),
    **_numbers("experience", "veteran_rank", "training", "owed"),
    "upgrades": partial(_slugs, "R8", "upgrades", once=True),
    "setbacks": partial(_slugs, "R36", "setbacks"),
    "commendations": partial(_slugs, "R15", "commendations", once=True),
    "keywords": _keywords,
}


KEEP, DIFFERENCE, LEAVE_OUT = "keep", "difference", "leave_out"

#: The reason that the ledger gives for a value after a choice.
_WHY = {
    KEEP: gettext_noop("value kept after an amendment"),
    DIFFERENCE: gettext_noop("difference kept after an amendment"),
}


class Conflict(KeywordValue):
    """A value that a correction changed from `old` to `new`, and that would now be `now` instead of `old`.

    `unit` and `agenda` are as in `Corrected`; `field` is empty for a unit that would not be on the Register at all.
    `by_difference` is the value with the original change (+4 XP, two more Setbacks). `ways` are the possible choices
    among KEEP, DIFFERENCE and LEAVE_OUT.
    """

    field: str
    unit: str = ""
    agenda: str = ""
    old: Any = None
    new: Any = None
    now: Any = None
    by_difference: Any = None
    ways: tuple[str, ...] = (LEAVE_OUT,)

    @property
    def about(self) -> str:
        """The value as `WantedValue.about` names it: "supply_points", "3.experience", "agenda.keep-them-in-line"."""
        return WantedValue(self.field, None, unit=self.unit, agenda=self.agenda).about

    def result(self, way: str) -> Any:
        """Return the value that a choice leads to."""
        return {KEEP: self.new, DIFFERENCE: self.by_difference, LEAVE_OUT: self.now}[way]


class ConflictChoice(Value):
    """A decision about a conflict (KEEP, DIFFERENCE or LEAVE_OUT), made when its value would have been `now`."""

    way: str
    now: Any


class Reapplied(KeywordValue):
    """A correction on the changed Register: its effects, the Register after them, and the conflicts still open. The
    values in `left_out` are no longer corrected; `violations` say why the Register cannot become what was chosen.
    """

    effects: tuple[Effect, ...]
    after: RegisterState
    conflicts: tuple[Conflict, ...] = ()
    left_out: tuple[Conflict, ...] = ()
    violations: tuple[Violation, ...] = ()


def reapply(
    book: Rulebook, state: RegisterState, effects: Iterable[Effect], choices: Mapping[str, ConflictChoice]
) -> Reapplied:
    """Apply the effects of a correction to a Register that differs from the one it was made for. `choices` are by
    `Conflict.about`. A choice counts only for the value that it was made for. A conflict without one is returned in
    `conflicts`, and its value stays as it would be.
    """
    run = _CorrectionRun(book, state, choices)
    for effect in effects:
        run.take(effect)
    before = corrected(book, state, ()).impossible
    return Reapplied(
        effects=tuple(run.context.effects),
        after=run.context.state,
        conflicts=tuple(run.conflicts),
        left_out=tuple(run.left_out),
        violations=tuple(each for each in corrected(book, run.context.state, ()).impossible if each not in before),
    )


def plain(value: Any) -> Any:
    """Return a value as JSON stores it."""
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


class _CorrectionRun:
    def __init__(self, book: Rulebook, state: RegisterState, choices: Mapping[str, ConflictChoice]) -> None:
        self.book, self.context, self.choices = book, Context(book, state), choices
        self.conflicts: list[Conflict] = []
        self.left_out: list[Conflict] = []
        self.missing: set[str] = set()
        self.arc_left_out = ""

    def take(self, effect: Effect) -> None:
        if not isinstance(effect, Corrected):
            self.context.happen([effect])
        elif effect.unit in self.missing or self._was_reset(effect):
            return
        elif (
            effect.unit and effect.old is not None and value_of(self.context.state, "dossier", unit=effect.unit) is None
        ):
            self.missing.add(effect.unit)
            self._decide(effect, Conflict(field="", unit=effect.unit))
        elif effect.field == "by_commendation":
            self._follow(effect.unit)
        elif (now := value_of(self.context.state, effect.field, unit=effect.unit, agenda=effect.agenda)) == effect.old:
            self.context.happen([effect])
            if effect.field in ("upgrades", "commendations", "card"):
                self._follow(effect.unit)
        elif effect.new != now or _is_sum(effect):
            self._decide(effect, self._conflict(effect, now))

    def _was_reset(self, effect: Corrected) -> bool:
        """Return whether an Agenda lost its progress only because the Story Arc changed, and that is left out (R49)."""
        if not (self.arc_left_out and effect.agenda and not effect.new):
            return False
        agenda = self.book.agendas.get(effect.agenda)
        return agenda is None or agenda.story_arc != self.arc_left_out

    def _conflict(self, effect: Corrected, now: Any) -> Conflict:
        by_difference = _changed_alike(effect, now)
        ways = [way for way, value in ((KEEP, effect.new), (DIFFERENCE, by_difference))
                if (way == KEEP or by_difference is not None) and self._is_possible(effect, value)]  # fmt: skip
        if by_difference == effect.new and DIFFERENCE in ways:
            ways.remove(DIFFERENCE)
        if now != effect.new or not ways:
            ways.append(LEAVE_OUT)
        return Conflict(
            field=effect.field, unit=effect.unit, agenda=effect.agenda, old=effect.old, new=effect.new, now=now,
            by_difference=by_difference if DIFFERENCE in ways else None, ways=tuple(ways),
        )  # fmt: skip

    def _decide(self, effect: Corrected, conflict: Conflict) -> None:
        choice = self.choices.get(conflict.about)
        if choice is None or choice.way not in conflict.ways or plain(choice.now) != plain(conflict.now):
            self.conflicts.append(conflict)
        elif choice.way == LEAVE_OUT:
            self.left_out.append(conflict)
            if effect.field == "story_arc":
                self.arc_left_out = effect.new
        else:
            self._correct(effect, conflict, choice.way)

    def _correct(self, effect: Corrected, conflict: Conflict, way: str) -> None:
        found = self._corrected(_wish(effect, conflict.result(way))).effects
        same = replace(effect, old=conflict.now, new=conflict.now)
        first, *others = found or (same,)
        self.context.happen([replace(first, why=_WHY[way]), *others])

    def _follow(self, unit: str) -> None:
        """Find again which upgrades of a unit are in slots that Commendations gave (R8)."""
        upgrades = value_of(self.context.state, "upgrades", unit=unit)
        self.context.happen(self._corrected(WantedValue("upgrades", upgrades, unit=unit)).effects)

    def _corrected(self, wish: WantedValue) -> Correction:
        return corrected(self.book, self.context.state, [wish], complete=False)

    def _is_possible(self, effect: Corrected, value: Any) -> bool:
        if effect.field == "dossier" and value is not None:
            return False  # another unit has the key
        return not self._corrected(_wish(effect, value)).impossible


def _wish(effect: Corrected, value: Any) -> WantedValue:
    if effect.field == "trait" and value:
        value = value[:2]
    return WantedValue(effect.field, value, unit=effect.unit, agenda=effect.agenda)


def _is_sum(effect: Corrected) -> bool:
    return effect.field != "trait" and isinstance(effect.new, int | tuple | list)


def _changed_alike(effect: Corrected, now: Any) -> Any:
    """Return `now` with the change from the old to the new value of a correction; None if that is no value."""
    if not _is_sum(effect):
        return None
    if isinstance(effect.new, int):
        return int(now + effect.new - effect.old)
    return _with_cards(now, effect.old, effect.new)


def _with_cards(now: Sequence[str], old: Sequence[str], new: Sequence[str]) -> tuple[str, ...] | None:
    """Return `now` with the cards added and removed as from `old` to `new`; None if a removed one is not there."""
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if gone - Counter(now):
        return None
    left = list(now)
    for card in gone.elements():
        left.remove(card)
    return (*left, *come.elements())
