"""The Command Hand (R24): seven cards, kept secret until the battle is closed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules.battle.army import Army
from rules.battle.battle_deck import of_another_faction
from rules.core.card_types import CommandCard, ParagonCommandCard, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, ngettext
from rules.core.values import KeywordValue, Value
from rules.core.violations import Violation
from rules.register.state import RegisterState
from rules.register.upgrade_slots import Bearer, availability_violations, bearer, lent_bearer, meets

STANDING_ORDERS = "standing-orders"
PIPS_OF_STANDING_ORDERS = 4
#: How many cards of each number of pips a hand has: seven in all.
PIPS = {1: 2, 2: 2, 3: 2, PIPS_OF_STANDING_ORDERS: 1}


class Fielded(Value):
    """A unit of the army with the upgrades it uses in the battle."""

    bearer: Bearer
    upgrades: tuple[Upgrade, ...] = ()


class Commanded(KeywordValue):
    """An army for its hand: Faction, units, battle force's name, `unlocked` Paragon Command Cards (R16)."""

    faction: str
    units: tuple[Fielded, ...]
    battle_force: str = ""
    unlocked: tuple[str, ...] = ()


def commanded(book: Rulebook, state: RegisterState, army: Army) -> Commanded:
    """Return the army of a Register as the cards of its Command Hand need it."""
    named = book.battle_forces.get(army.battle_force)
    return Commanded(
        faction=state.faction,
        units=tuple(_fielded(book, state, army)),
        battle_force=named.name if named else "",
        unlocked=state.command_cards,
    )


def hand_violations(book: Rulebook, army: Commanded, hand: Sequence[str]) -> Iterator[Violation]:
    """Yield every violation of a Command Hand (slugs of cards): PIPS, no card twice, units it needs (R24). Unlocked
    Paragon Command Cards count by their pips; one of 4 may replace Standing Orders (`standing_orders`).
    """
    for slug, times in Counter(hand).items():
        if times > 1:
            text = gettext("{card} is in the hand more than once. Choose another card.", card=_name(book, slug))
            yield Violation("R24", text, slug)
    yield from _pips_violations(book, hand)
    for slug in dict.fromkeys(hand):
        if slug in book.command_cards:
            if slug not in army.unlocked:
                text = gettext("The Paragon has not unlocked {card}.", card=_name(book, slug))
                yield Violation("R24", text, slug)
            if not _has_place(book, book.command_cards[slug]):
                text = gettext("{card} cannot replace Standing Orders in this campaign.", card=_name(book, slug))
                yield Violation("R24", text, slug)
        elif slug in book.commands:
            yield from _card_violations(book, army, book.commands[slug])
        else:
            yield Violation("R24", gettext("This Command Card does not exist. Choose another one."), slug)


def playable(book: Rulebook, army: Commanded) -> list[CommandCard | ParagonCommandCard]:
    """Return the cards from which this army may choose its hand, those of the Paragon first."""
    own = [book.command_cards[slug] for slug in army.unlocked if slug in book.command_cards]
    return [card for card in own if _has_place(book, card)] + [
        card for card in book.commands.values() if not list(_card_violations(book, army, card))
    ]


def needs(card: CommandCard) -> str:
    """Return the units that a Command Card requires, in words; empty for none."""
    return (gettext(" and ") if card.required_mode == "all" else gettext(" or ")).join(card.required_units)


def _has_place(book: Rulebook, card: ParagonCommandCard) -> bool:
    """Return whether a hand has a place for a card with so many pips (R24, `standing_orders`)."""
    return card.pips < PIPS_OF_STANDING_ORDERS or book.house.standing_orders == "paragon_card_too"


def _pips_violations(book: Rulebook, hand: Sequence[str]) -> Iterator[Violation]:
    known = [card for slug in hand if (card := book.commands.get(slug) or book.command_cards.get(slug))]
    number = Counter(card.pips for card in known)
    for pips, wanted in PIPS.items():
        if number[pips] != wanted:
            cards = (
                ngettext("{wanted} cards of {number} pip", "{wanted} cards of {number} pips", pips, wanted=wanted)
                if pips < PIPS_OF_STANDING_ORDERS
                else gettext("Standing Orders")
            )
            text = gettext("A Command Hand has {cards}. This one has {number}.", cards=cards, number=number[pips])
            yield Violation("R24", text, f"pips-{pips}")


def _card_violations(book: Rulebook, army: Commanded, card: CommandCard) -> Iterator[Violation]:
    yield from availability_violations(book, card)
    fitting = [unit for unit in army.units if _fits(card, unit)]
    if card.battle_force not in ("", army.battle_force):
        text = gettext(
            "{card} is only for the battle force {battle_force}.", card=card.name, battle_force=card.battle_force
        )
        yield Violation("R24", text, card.slug)
    elif card.faction not in ("", army.faction, *(unit.bearer.faction for unit in fitting)):
        yield of_another_faction("R24", card)
    if not _has_units(card, fitting):
        names = needs(card) or gettext("a unit of another kind")
        text = gettext("{card} needs {names} in the army.", card=card.name, names=names)
        yield Violation("R24", text, card.slug)


def _fits(card: CommandCard, unit: Fielded) -> bool:
    if card.required_units and unit.bearer.card.name not in card.required_units:
        return False
    return not card.extra_requirements or meets(unit.bearer, card.extra_requirements, unit.upgrades)


def _has_units(card: CommandCard, fitting: Iterable[Fielded]) -> bool:
    there = {unit.bearer.card.name for unit in fitting}
    if card.required_mode == "all":
        return there >= set(card.required_units)
    return bool(there) or not (card.required_units or card.extra_requirements)


def _fielded(book: Rulebook, state: RegisterState, army: Army) -> Iterator[Fielded]:
    for key, upgrades in army.fielded.items():
        if key in state.dossiers:
            cards = tuple(book.upgrades[slug] for slug in upgrades if slug in book.upgrades)
            yield Fielded(bearer(book, state, state.dossiers[key]), cards)
    for lent in army.lent:
        if lent.unit:
            yield Fielded(lent_bearer(state, lent.unit), lent.upgrades)


def _name(book: Rulebook, slug: str) -> str:
    card = book.commands.get(slug) or book.command_cards.get(slug)
    return card.name if card else slug
