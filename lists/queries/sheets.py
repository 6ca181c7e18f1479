"""Army lists as pages and printed sheets show them: every card by its full name, with its points (E8, E11)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from rules.battle.army import army_rank
from rules.battle.battle_deck import TYPES, plural
from rules.battle.command_hand import PIPS_OF_STANDING_ORDERS, STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit, faction_of, loadout_points, points
from rules.core.card_types import Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue, Value
from rules.register.upgrade_slots import faction_name, spoken
from rules.tournaments.army_lists import typed_names


class CardLine(Value):
    """A card on a sheet. `icon` is its type; `points` are 0 for a card without points."""

    slug: str
    name: str
    icon: str = ""
    points: int = 0
    pips: int = 0


class UnitSheet(KeywordValue):
    """A unit or a counterpart. `own_points` are those of its card alone."""

    place: int
    slug: str
    name: str
    rank: str
    own_points: int
    upgrades: tuple[CardLine, ...] = ()
    loadout: tuple[CardLine, ...] = ()
    counterpart: "UnitSheet | None" = None

    @property
    def points(self) -> int:
        """The points of its card and upgrades. Its loadout costs nothing (E8)."""
        return self.own_points + sum(line.points for line in self.upgrades)


class ArmySheet(KeywordValue):
    """An army. `deck` are the battle cards by their type, in words."""

    title: str
    faction: str
    battle_force: str
    size: int
    points: int
    loadout_points: int
    units: tuple[UnitSheet, ...]
    hand: tuple[CardLine, ...] = ()
    deck: tuple[tuple[str, tuple[CardLine, ...]], ...] = ()

    @property
    def faction_name(self) -> str:
        """The Faction in words."""
        return faction_name(self.faction) if self.faction else ""

    @property
    def activations(self) -> int:
        """The number of units."""
        return len(self.units)

    @property
    def lines(self) -> int:
        """About how many lines the sheet takes."""
        cards = [card for unit in self.units for card in (unit, unit.counterpart) if card]
        units = sum(1 + len(card.upgrades) + len(card.loadout) for card in cards)
        return units + len(self.hand) + sum(1 + len(cards) for _, cards in self.deck)


@dataclass
class CardNames:
    """Names of cards that no other card of the catalogue has (E11). Make one for a page and use it for all its cards.

    A unit or an upgrade is called by its name and title. Where others have the same name, what tells them apart follows
    in brackets: the rank or type, then the Faction, then the points.
    """

    book: Rulebook
    _alike: Mapping[tuple[type, str], list[Unit | Upgrade]] = field(init=False)

    def __post_init__(self) -> None:
        alike: dict[tuple[type, str], list[Unit | Upgrade]] = defaultdict(list)
        for card in (*self.book.units.values(), *self.book.upgrades.values()):
            alike[type(card), card.name].append(card)
        self._alike = alike

    def full(self, card: Unit | Upgrade) -> str:
        """Return the name of a card in full."""
        others = [other for other in self._alike.get((type(card), card.name), ()) if other.slug != card.slug]
        if not others:
            return card.full_name
        details = []
        for words in (_kind, _faction, _points):
            own = words(card)
            apart = [other for other in others if words(other) != own]
            # The rank is printed wherever it differs; other details only if the name is not clear without them.
            if apart and own and (words is _kind or any(card.full_name == other.full_name for other in others)):
                details.append(own)
                others = [other for other in others if words(other) == own]
        return f"{card.full_name} ({', '.join(details)})" if details else card.full_name


def _kind(card: Unit | Upgrade) -> str:
    return spoken(card.rank if isinstance(card, Unit) else card.type)


def _faction(card: Unit | Upgrade) -> str:
    return faction_name(card.faction) if card.faction else ""


def _points(card: Unit | Upgrade) -> str:
    return gettext("%(points)s points") % {"points": card.points}


def army_sheet(book: Rulebook, army: PlainArmy, names: CardNames | None = None) -> ArmySheet:
    """Return the sheet of an army with current points. Cards that the catalogue lacks are shown by their slugs.

    It shows all cards of `army`: leave out what the reader may not see before.
    """
    names = names or CardNames(book)
    hand = _hand(book, army.command_cards)
    return ArmySheet(
        title=army.title,
        faction=faction_of(book, army),
        battle_force=book.battle_forces[army.battle_force].name if army.battle_force in book.battle_forces else "",
        size=army.size,
        points=points(book, army),
        loadout_points=loadout_points(book, army),
        units=tuple(_unit(book, army, names, place, unit) for place, unit in enumerate(army.units)),
        hand=hand,
        deck=(*_deck(book, army.battle_cards), *_typed_deck(army)),
    )


def _unit(book: Rulebook, army: PlainArmy, names: CardNames, place: int, unit: PlainUnit) -> UnitSheet:
    card = book.units.get(unit.card)
    return UnitSheet(
        place=place,
        slug=unit.card,
        name=names.full(card) if card else unit.card,
        rank=army_rank(book, card, army.battle_force) if card else "",
        own_points=card.points if card else 0,
        upgrades=_upgrades(book, names, unit.upgrades),
        loadout=_upgrades(book, names, unit.loadout),
        counterpart=_counterpart(book, names, place, unit) if unit.counterpart else None,
    )


def _counterpart(book: Rulebook, names: CardNames, place: int, unit: PlainUnit) -> UnitSheet:
    found = book.counterparts.get(unit.counterpart)
    return UnitSheet(
        place=place,
        slug=unit.counterpart,
        name=found.card.full_name if found else unit.counterpart,
        rank="",
        own_points=found.card.points if found else 0,
        upgrades=_upgrades(book, names, unit.counterpart_upgrades),
    )


def _upgrades(book: Rulebook, names: CardNames, slugs: Iterable[str]) -> tuple[CardLine, ...]:
    lines = []
    for slug in slugs:
        card = book.upgrades.get(slug)
        lines.append(CardLine(slug, names.full(card), card.type, card.points) if card else CardLine(slug, slug))
    return tuple(lines)


def _hand(book: Rulebook, slugs: tuple[str, ...]) -> tuple[CardLine, ...]:
    """Return a Command Hand by its pips, with Standing Orders; nothing for an army without one."""
    if not slugs:
        return ()
    cards = [(slug, book.commands.get(slug)) for slug in (*slugs, STANDING_ORDERS)]
    lines = [
        CardLine(slug, card.name if card else slug, pips=card.pips if card else PIPS_OF_STANDING_ORDERS)
        for slug, card in cards
    ]
    return tuple(sorted(lines, key=lambda line: (line.pips, line.name)))


def _typed_deck(army: PlainArmy) -> Iterable[tuple[str, tuple[CardLine, ...]]]:
    for kind, cards in zip(typed_names(), army.typed_deck, strict=False):
        if cards:
            yield kind, tuple(CardLine("", name) for name in cards)


def _deck(book: Rulebook, slugs: tuple[str, ...]) -> Iterable[tuple[str, tuple[CardLine, ...]]]:
    for kind in TYPES:
        cards = (book.battle_cards[slug] for slug in slugs if slug in book.battle_cards)
        lines = tuple(CardLine(card.slug, card.name) for card in cards if card.type == kind)
        if lines:
            yield plural(kind), lines
