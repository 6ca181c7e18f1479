"""What a unit joins with: upgrades besides the compulsory ones, and a name (R7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .cards import Unit, Upgrade
from .equipment import beyond_compulsory, spoken
from .language import gettext
from .refusal import Problem, refuse

LONGEST_NAME = 80


def joining_allowance(unit: Unit) -> str:
    """With how many upgrades a unit may join, in words; empty for a unit whose bar has no slot for any (R7)."""
    if unit.rank in ("commander", "operative"):
        what = gettext("2 upgrades") if unit.upgrade_slots else ""
    else:
        what = _one_of_each(slot for slot in _allowed_types(unit) if slot in unit.upgrade_slots)
    return gettext("At most {what} besides compulsory ones.", what=what) if what else ""


def allowance_problems(unit: Unit, cards: Sequence[Upgrade]) -> Iterator[Problem]:
    """What is wrong with the number and the types of `cards` that a unit joins with (R7); compulsory ones are free."""
    chosen = beyond_compulsory(unit, cards)
    if unit.rank in ("commander", "operative"):
        yield from _bar_problems(unit, chosen, cards)
        if len(chosen) > 2:
            yield Problem(
                "R7",
                gettext("{unit} joins with at most 2 upgrades besides compulsory ones.", unit=unit.name),
                unit.slug,
            )
        return
    allowed = _allowed_types(unit)
    for card in chosen:
        if card.type not in allowed:
            words = _one_of_each(allowed)
            yield Problem(
                "R7",
                gettext(
                    "{unit} joins with {words} upgrade, not with {card}.",
                    unit=unit.name,
                    words=words,
                    card=card.full_name,
                ),
                card.slug,
            )
    if unit.unit_class == "vehicle":
        yield from _bar_problems(unit, [card for card in chosen if card.type in allowed], cards)
    for slot in allowed:
        if sum(card.type == slot for card in chosen) > 1:
            yield Problem(
                "R7",
                gettext("{unit} joins with at most 1 {slot} upgrade.", unit=unit.name, slot=spoken(slot)),
                unit.slug,
            )


def _bar_problems(unit: Unit, chosen: Iterable[Upgrade], cards: Sequence[Upgrade]) -> Iterator[Problem]:
    """Cards of a type that the bar has not, nor any of the other cards gives (R7)."""
    for card in chosen:
        if card.type not in unit.upgrade_slots and not any(card.type in each.grants_slots for each in cards):
            yield Problem(
                "R7",
                gettext("The bar of {unit} has no {slot} slot.", unit=unit.name, slot=spoken(card.type)),
                card.slug,
            )


def _allowed_types(unit: Unit) -> tuple[str, ...]:
    """The types of which a unit that is neither commander nor operative may join with one each (R7)."""
    return ("heavy-weapon", "personnel") if unit.unit_class == "trooper" else ("hardpoint",)


def _one_of_each(types: Iterable[str]) -> str:
    return gettext(" and ").join(gettext("1 {slot}", slot=spoken(slot)) for slot in types)


def joining_name_problems(card: Unit, name: str) -> Iterator[Problem]:
    """What is wrong with the name that a unit joins with; commanders and operatives need one (R7)."""
    if card.rank in ("commander", "operative") and not name.strip():
        yield Problem(
            "R7",
            gettext("{card} needs a name, as every {rank} does.", card=card.name, rank=spoken(card.rank)),
            "name",
        )
    yield from long_name_problems(name)


def long_name_problems(name: str) -> Iterator[Problem]:
    """A name that is too long, or that nobody could read (R7)."""
    if len(name.strip()) > LONGEST_NAME or not name.strip().isprintable():
        yield Problem(
            "R7", gettext("A name has at most {longest_name} letters.", longest_name=LONGEST_NAME), "name"
        )


def checked_name(name: str, rule: str, empty: str, about: str) -> str:
    """A name without blanks around it. Refuses an empty one, in the words of `empty`, and one that is overlong."""
    name = name.strip()
    if not name:
        raise refuse(rule, empty, about)
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise refuse(
            rule, gettext("A name has at most {longest_name} letters.", longest_name=LONGEST_NAME), about
        )
    return name
