"""The Command Hand (R24): seven cards, kept secret until the battle is closed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .army import Army
from .cards import CommandCard, ParagonCommandCard, Upgrade
from .equipment import Bearer, availability_problems, bearer, lent_bearer, meets
from .force import Force
from .refusal import Problem, refuse_any
from .rulebook import Rulebook

#: How many cards of each number of pips a hand holds: seven in all.
PIPS = {1: 2, 2: 2, 3: 2, 4: 1}


@dataclass(frozen=True, slots=True)
class _Fielded:
    """A unit of the army with the upgrades it took along."""

    bearer: Bearer
    upgrades: tuple[Upgrade, ...] = ()


def check_hand(book: Rulebook, force: Force, army: Army, hand: Sequence[str]) -> None:
    """Refuse a hand that breaks R24, naming everything that is wrong."""
    refuse_any(hand_problems(book, force, army, hand))


def hand_problems(book: Rulebook, force: Force, army: Army, hand: Sequence[str]) -> Iterator[Problem]:
    """Everything that makes a Command Hand (slugs of cards) illegal; empty for a legal one (R24).

    Exactly two cards each of 1, 2 and 3 pips and Standing Orders, no card twice. Paragon Command Cards that are
    unlocked count by their pips; the one of 4 pips may take the place of Standing Orders [reading].
    """
    for slug, times in Counter(hand).items():
        if times > 1:
            yield Problem("R24", f"{_name(book, slug)} is in the hand {times} times.", slug)
    yield from _pips_problems(book, hand)
    units = list(_fielded(book, force, army))
    for slug in dict.fromkeys(hand):
        if slug in book.command_cards:
            if slug not in force.command_cards:
                yield Problem("R24", f"{_name(book, slug)} is not unlocked by the Paragon.", slug)
        elif slug in book.commands:
            yield from _card_problems(book, force, units, book.commands[slug])
        else:
            yield Problem("R24", "There is no such Command Card.", slug)


def playable(book: Rulebook, force: Force, army: Army) -> list[CommandCard | ParagonCommandCard]:
    """The cards from which this army may make its hand, those of the Paragon first."""
    units = list(_fielded(book, force, army))
    own = [book.command_cards[slug] for slug in force.command_cards if slug in book.command_cards]
    return own + [
        card for card in book.commands.values() if not list(_card_problems(book, force, units, card))
    ]


def _pips_problems(book: Rulebook, hand: Sequence[str]) -> Iterator[Problem]:
    known = [card for slug in hand if (card := book.commands.get(slug) or book.command_cards.get(slug))]
    number = Counter(card.pips for card in known)
    for pips, wanted in PIPS.items():
        if number[pips] != wanted:
            cards = f"{wanted} cards of {pips} pip{'s' * (pips > 1)}" if pips < 4 else "Standing Orders"
            yield Problem("R24", f"A Command Hand holds {cards}, this one {number[pips]}.")


def _card_problems(
    book: Rulebook, force: Force, units: Sequence[_Fielded], card: CommandCard
) -> Iterator[Problem]:
    yield from availability_problems(book, card)
    fitting = [unit for unit in units if _fits(card, unit)]
    if card.battle_force:
        yield Problem("R24", f"{card.name} is only for the battle force {card.battle_force}.", card.slug)
    elif card.faction not in ("", force.faction, *(unit.bearer.faction for unit in fitting)):
        yield Problem("R24", f"{card.name} is not for this army: its Faction is {card.faction}.", card.slug)
    if not _has_units(card, fitting):
        words = " and " if card.required_mode == "all" else " or "
        names = words.join(card.required_units) or "a unit of another kind"
        yield Problem("R24", f"{card.name} needs {names} in the army.", card.slug)


def _fits(card: CommandCard, unit: _Fielded) -> bool:
    """Whether `unit` is one that the card speaks of."""
    if card.required_units and unit.bearer.card.name not in card.required_units:
        return False
    return not card.extra_requirements or meets(unit.bearer, card.extra_requirements, unit.upgrades)


def _has_units(card: CommandCard, fitting: Iterable[_Fielded]) -> bool:
    there = {unit.bearer.card.name for unit in fitting}
    if card.required_mode == "all":
        return there >= set(card.required_units)
    return bool(there) or not (card.required_units or card.extra_requirements)


def _fielded(book: Rulebook, force: Force, army: Army) -> Iterator[_Fielded]:
    for key, upgrades in army.fielded.items():
        if key in force.dossiers:
            cards = tuple(book.upgrades[slug] for slug in upgrades if slug in book.upgrades)
            yield _Fielded(bearer(book, force, force.dossiers[key]), cards)
    for lent in army.lent:
        if lent.unit:
            yield _Fielded(lent_bearer(force, lent.unit), lent.upgrades)


def _name(book: Rulebook, slug: str) -> str:
    card = book.commands.get(slug) or book.command_cards.get(slug)
    return card.name if card else slug
