"""Putting a Register right by hand: wished values → effects, and what is wrong with them.

What no row could hold is `impossible`; what only the rules of the game forbid is `against_rules`, and whoever
organises may let it stand. What was so before is no hindrance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .building import commendation_slots_left
from .cards import FACTIONS, MERCENARY, Upgrade
from .correction_problems import against_rules
from .effects import Corrected
from .equipment import all_slots, bearer, fits
from .force import PLACES, Dossier, Force, everyone, evolve, value_of
from .joining import LONGEST_NAME
from .language import gettext
from .refusal import Problem, Refusal, refuse
from .rulebook import Rulebook
from .taking_over import LARGEST
from .veterans import HIGHEST, THRESHOLDS

LONGEST_KEYWORD = 120
#: More than anybody is owed, and more Story Arcs than anybody ends.
MANY = 99


@dataclass(frozen=True, slots=True)
class Wish:
    """A value that shall be so: of the Register, of a unit (by its key) or of an Agenda (by its slug), in plain values.

    `field` is one of REGISTER or UNIT. For a new Dossier `field` is "dossier", `unit` a word of one's own for it, and
    `new` its values; to strike one, `new` is None.
    """

    field: str
    new: Any
    unit: str = ""
    agenda: str = ""

    @property
    def about(self) -> str:
        """What its problems are about: "supply_points", "3.experience", "agenda.keep-them-in-line"."""
        if self.agenda:
            return f"agenda.{self.agenda}"
        return f"{self.unit}.{self.field}" if self.unit else self.field


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a correction comes to: its effects (none if all is so already), the Register after it, and all problems.

    With something impossible there are no effects.
    """

    effects: tuple[Corrected, ...] = ()
    after: Force
    impossible: tuple[Problem, ...] = ()
    against_rules: tuple[Problem, ...] = ()


def corrected(book: Rulebook, force: Force, wishes: Iterable[Wish], *, complete: bool = True) -> Correction:
    """What it takes to make the values of a Register those that are wished for.

    What was not wished for stays, but a slot that a Commendation gave is told from others anew (R8), and another
    Story Arc begins without progress (R49). `complete`: whether the Register has to be whole after it (R6, R10); not
    where further wishes follow.
    """
    making = _Making(book, force)
    for wish in _in_order(wishes):
        making.take(wish)
    if complete and not making.impossible:
        making.impossible += _incomplete(book, making.after)
    if making.impossible:
        return Correction(after=force, impossible=tuple(making.impossible))
    return Correction(
        effects=tuple(making.effects),
        after=making.after,
        against_rules=tuple(against_rules(book, force, making.after)),
    )


def is_corrected(effects: Sequence[Any], wishes: Iterable[Wish], book: Rulebook, before: Force) -> bool:
    """Whether `effects` are what these wishes would have come to on the Register as it was."""
    wanted = corrected(book, before, wishes).effects
    return bool(wanted) and [each for each in effects if isinstance(each, Corrected)] == list(wanted)


def corrected_values(effect: Corrected) -> Iterator[tuple[str, Any, Any]]:
    """Field, old and new value: of a whole Dossier each of its fields that one of the two has."""
    if effect.field != "dossier":
        yield effect.field, effect.old, effect.new
        return
    old, new = effect.old or {}, effect.new or {}
    for name in {**old, **new}:
        yield name, old.get(name), new.get(name)


def _in_order(wishes: Iterable[Wish]) -> list[Wish]:
    """New Dossiers first, since one may be the Paragon; those that are struck last, and nothing else of them."""
    known = list(wishes)
    struck = {wish.unit for wish in known if wish.field == "dossier" and wish.new is None}
    kept = [wish for wish in known if wish.unit not in struck or wish.field == "dossier"]
    return sorted(kept, key=lambda wish: (wish.unit in struck, wish.field != "dossier"))


@dataclass(slots=True)
class _Making:
    """Effects as they gather, and the Register with them."""

    book: Rulebook
    after: Force
    effects: list[Corrected] = field(default_factory=list)
    impossible: list[Problem] = field(default_factory=list)

    def take(self, wish: Wish) -> None:
        try:
            self._take(wish)
        except Refusal as refusal:
            self.impossible += [Problem(each.rule, each.text, wish.about) for each in refusal.problems]

    def _take(self, wish: Wish) -> None:
        if wish.agenda:
            if wish.agenda not in self.book.agendas:
                raise refuse("R25", gettext("There is no such Agenda."))
            self._become(
                wish.field, _number("R25", MANY)(self.book, self.after, wish.new), agenda=wish.agenda
            )
        elif wish.field == "dossier":
            self._enter(wish) if wish.new is not None else self._strike(wish)
        elif not wish.unit:
            self._become(wish.field, _known(REGISTER, wish.field)(self.book, self.after, wish.new))
            if wish.field == "story_arc":
                self._begin_anew()
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
            self.after = evolve(self.after, effect)

    def _begin_anew(self) -> None:
        """Agendas of another Story Arc have no progress (R49)."""
        for slug in list(self.after.agendas):
            if self.book.agendas[slug].story_arc != self.after.story_arc:
                self._become("progress", 0, agenda=slug)

    def _follow(self, unit: str) -> None:
        """Slots that Commendations gave (R8), and what the first unit of its kind settles (R3, R6)."""
        dossier = everyone(self.after)[unit]
        card = self.book.units[dossier.card]
        self._become("by_commendation", _by_commendation(self.book, self.after, dossier), unit=unit)
        if not self.after.faction and card.faction != MERCENARY:
            self._become("faction", card.faction)
        if not self.after.paragon and card.rank == "commander" and unit in self.after.dossiers:
            self._become("paragon", unit)

    def _enter(self, wish: Wish) -> None:
        values: dict[str, Any] = {"place": "serving"}
        for name, value in {"card": "", **wish.new}.items():
            try:
                values[name] = _known(UNIT, name)(self.book, self.after, value)
            except Refusal as refusal:
                about = f"{wish.unit}.{name}"
                self.impossible += [Problem(each.rule, each.text, about) for each in refusal.problems]
        if self.impossible:
            return
        key = str(self.after.next_key)
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        self._become("dossier", {name: value for name, value in plain.items() if value}, unit=key)
        self._follow(key)

    def _strike(self, wish: Wish) -> None:
        _check_known(self.after, wish.unit)
        self._become("dossier", None, unit=wish.unit)


def _by_commendation(book: Rulebook, force: Force, dossier: Dossier) -> tuple[str, ...]:
    """The upgrades in slots that Commendations gave: those that were, and new ones that have no printed slot (R8)."""
    given: list[str] = []
    printed = all_slots(bearer(book, force, replace(dossier, commendations=())))
    seated: list[Upgrade] = []
    for slug in dossier.upgrades:
        card = book.upgrades[slug]
        left = commendation_slots_left(book, replace(dossier, by_commendation=tuple(given)))
        if left[card.type] and (slug in dossier.by_commendation or not fits(printed, [*seated, card])):
            given.append(slug)
        else:
            seated.append(card)
    return tuple(given)


def _incomplete(book: Rulebook, force: Force) -> Iterator[Problem]:
    """What a commissioned Register always has, and a Paragon that serves on it where there is a commander (R6, R10)."""
    if force.commissioned:
        for name in ("name", "faction", "story_arc", "paragon"):
            if not getattr(force, name):
                yield Problem("R10", gettext("A commissioned Register needs it."), name)
    commanders = [key for key, each in force.dossiers.items() if book.units[each.card].rank == "commander"]
    if force.paragon not in (force.dossiers if force.paragon or commanders else ("",)):
        yield Problem("R6", gettext("The Paragon is a unit that serves on the Register."), "paragon")


# --- What a row can hold, a function for each kind of value -------------------------------------------------------

Check = Callable[[Rulebook, Force, Any], Any]


def _known(checks: Mapping[str, Check], name: str) -> Check:
    if name not in checks:
        raise refuse("", gettext("There is no such value."))
    return checks[name]


def _check_known(force: Force, unit: str) -> None:
    if value_of(force, "dossier", unit=unit) is None:
        raise refuse("R19", gettext("This unit is not on the Register."))


def _number(rule: str, most: int) -> Check:
    def check(book: Rulebook, force: Force, value: Any) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise refuse(rule, gettext("A whole number from 0 to {most}.", most=most))
        return value

    return check


def _text(rule: str, longest: int) -> Check:
    def check(book: Rulebook, force: Force, value: Any) -> str:
        text = value.strip() if isinstance(value, str) else "\0"
        if len(text) > longest or not text.isprintable():
            raise refuse(rule, gettext("A name has at most {longest_name} letters.", longest_name=longest))
        return text

    return check


def _slug(rule: str, cards: str) -> Check:
    def check(book: Rulebook, force: Force, value: Any) -> str:
        if not isinstance(value, str) or value not in getattr(book, cards):
            raise refuse(rule, gettext("There is no card “{name}”.", name=value))
        return value

    return check


def _slugs(rule: str, cards: str, *, once: bool = False) -> Check:
    one = _slug(rule, cards)

    def check(book: Rulebook, force: Force, value: Any) -> tuple[str, ...]:
        found = tuple(one(book, force, each) for each in _listed(rule, value))
        if once and (twice := [each for each in found if found.count(each) > 1]):
            name = getattr(book, cards)[twice[0]].name
            raise refuse(rule, gettext("{name} stands there twice.", name=name))
        return found

    return check


def _keywords(book: Rulebook, force: Force, value: Any) -> tuple[str, ...]:
    one = _text("R15", LONGEST_KEYWORD)
    return tuple(filter(None, (one(book, force, each) for each in _listed("R15", value))))


def _listed(rule: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise refuse(rule, gettext("There is no such value."))
    return value


def _one_of(rule: str, choice: Iterable[str]) -> Check:
    options = tuple(choice)

    def check(book: Rulebook, force: Force, value: Any) -> str:
        if value not in options:
            raise refuse(rule, gettext("Choose one of these: {names}.", names=", ".join(options)))
        return str(value)

    return check


def _paragon(book: Rulebook, force: Force, value: Any) -> str:
    if value and value not in force.dossiers:
        raise refuse("R6", gettext("The Paragon is a unit that serves on the Register."))
    return str(value or "")


def _trait(book: Rulebook, force: Force, value: Any) -> tuple[str, int, bool] | None:
    """A Trait as [slug, games left]; whether it is fresh stays as it is (R37)."""
    if not value:
        return None
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise refuse("R37", gettext("There is no such value."))
    slug = _slug("R37", "defining_traits")(book, force, value[0])
    games = _number("R37", MANY)(book, force, value[1])
    if not games:
        raise refuse("R37", gettext("A Defining Trait lasts 1 game at least."))
    return slug, games, bool(force.trait and force.trait.slug == slug and force.trait.fresh)


#: The values of a Register that can be put right.
REGISTER: Mapping[str, Check] = {
    "name": _text("R10", LONGEST_NAME),
    "faction": _one_of("R3", FACTIONS),
    "combat_potential": _number("R1", LARGEST),
    "supply_points": _number("R1", LARGEST),
    "reputation": _number("R1", LARGEST),
    "story_arc": _slug("R49", "story_arcs"),
    "arcs_ended": _number("R49", MANY),
    "assets": _slugs("R43", "assets"),
    "paragon": _paragon,
    "trait": _trait,
    "command_cards": _slugs("R16", "command_cards", once=True),
    "command_cards_owed": _number("R16", MANY),
}

#: The values of a Dossier that can be put right.
UNIT: Mapping[str, Check] = {
    "place": _one_of("R35", PLACES),
    "card": _slug("R5", "units"),
    "name": _text("R9", LONGEST_NAME),
    "experience": _number("R12", THRESHOLDS[HIGHEST]),
    "veteran_rank": _number("R12", HIGHEST),
    "training": _number("R44", HIGHEST),
    "owed": _number("R15", MANY),
    "upgrades": _slugs("R8", "upgrades", once=True),
    "setbacks": _slugs("R36", "setbacks"),
    "commendations": _slugs("R15", "commendations", once=True),
    "keywords": _keywords,
}
