"""Every card of the catalogue, found by its names in other programs: two-letter ids, names, names with titles."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from lists.formats.parsed import LineKind
from rules.catalogue.loader import make_rulebook
from rules.core.card_types import BattleCard, CommandCard, Unit, Upgrade
from rules.core.rulebook import BattleForce
from rules.core.values import Value

Row = Mapping[str, Any]

MOST_SUGGESTIONS = 8
#: How alike a misspelled name and that of a card are at least, from 0 to 1 (`difflib`).
NEAR = 0.8
_NUMERALS = {"i": "1", "ii": "2", "iii": "3", "iv": "4"}
#: A genitive, and "Master" in other languages: "Maître Yoda".
_LEFT_OUT = frozenset({"s", "maitre", "meister", "maestro", "mistrz"})
#: Longer than the name of any card.
LONGEST_NAME = 120


class Counterpart(Value):
    """A counterpart card, with the units it comes with."""

    slug: str
    name: str
    title: str
    faction: str
    points: int
    upgrade_slots: tuple[str, ...]
    parent_unit_slugs: tuple[str, ...]
    retired: bool = False
    short_name: str = ""
    tts_name: str = ""


class TourCard(Value):
    """A card of Tours of Duty: its name, and the slots that a Commendation gives."""

    slug: str
    name: str
    upgrade_slots: tuple[str, ...] = ()
    retired: bool = False


Card = Unit | Upgrade | Counterpart | CommandCard | BattleCard | BattleForce | TourCard
Printed = TypeVar("Printed")

_TOURS = (LineKind.STORY_ARC, LineKind.AGENDA, LineKind.ASSET, LineKind.SETBACK, LineKind.COMMENDATION)


class Found(Value):
    """The cards that a name may mean. If not `exact`, no card has that name and these resemble it."""

    cards: tuple[Card, ...]
    exact: bool = True


@dataclass(frozen=True, repr=False)
class CardIndex:
    """All cards by kind and slug, with their names in other programs. Built by `card_index`."""

    units: Mapping[str, Unit]
    upgrades: Mapping[str, Upgrade]
    counterparts: Mapping[str, Counterpart]
    command_cards: Mapping[str, CommandCard]
    battle_cards: Mapping[str, BattleCard]
    battle_forces: Mapping[str, BattleForce]
    _by_kind: Mapping[LineKind, Mapping[str, Card]]
    _by_letters: Mapping[str, tuple[Card, ...]]
    _letters: Mapping[tuple[str, str], str]
    _by_name: Mapping[tuple[LineKind, str], tuple[Card, ...]]
    _by_word: Mapping[tuple[LineKind, str], tuple[Card, ...]]
    _before_commas: Mapping[tuple[LineKind, str], tuple[Card, ...]]

    def of_kind(self, kind: LineKind) -> Mapping[str, Card]:
        """Return the cards of a kind; nothing for a kind of line without cards."""
        return self._by_kind.get(kind, {})

    def lettered(self, letters: str) -> Card | None:
        """Return the card with this Legion HQ id (two letters, case-sensitive); a live card before a retired one."""
        found = sorted(self._by_letters.get(letters, ()), key=lambda card: card.retired)
        return found[0] if found else None

    def letters(self, kind: LineKind, slug: str) -> str:
        """Return the Legion HQ id of a card or battle force (two letters). Raises KeyError for an unknown one."""
        return self._letters[kind, slug]

    def has(self, kind: LineKind, text: str) -> bool:
        """Return whether a card of a kind has exactly this name."""
        key = name_key(text) if len(text) <= LONGEST_NAME else ""
        names = (name for card in self._by_name.get((kind, key), ()) for name in names_of(card))
        return any(
            text.count(",") <= name.count(",") for name in names if name_key(name) == key
        )  # "Han, Chewie" are two

    def begins_name(self, kind: LineKind, text: str) -> bool:
        """Return whether a card of a kind has a name of which this is the part before a comma."""
        return (kind, name_key(text)) in self._before_commas

    def named(self, kind: LineKind, text: str) -> Found:
        """Return the cards of a kind that have a text among their names; else those that have all of its words in a
        name, of them those whose name has no more.
        """
        key = name_key(text) if len(text) <= LONGEST_NAME else ""
        if found := self._by_name.get((kind, key)):
            return Found(found)
        similar = self.resembling(kind, text) or self.resembling(kind, "".join(text.split()))  # "Magna Guard"
        same = tuple(card for card in similar if words_of(text) in map(words_of, names_of(card)))
        return Found(same or similar, exact=False)

    def resembling(self, kind: LineKind, text: str) -> tuple[Card, ...]:
        """Return the cards whose names contain all words of a text, in singular or plural."""
        words = words_of(text) if len(text) <= LONGEST_NAME and re.search(r"[^\W\d_]", text) else frozenset()
        rarest = min((self._by_word.get((kind, word), ()) for word in words), key=len, default=())
        return tuple(card for card in rarest if any(words <= words_of(name) for name in names_of(card)))

    def misspelled(self, kind: LineKind, text: str, most: int) -> tuple[Card, ...]:
        """Return the cards of a kind with the numbers and almost the letters of a text in their names, `most` of them,
        nearest first, then those whose name it shortens.
        """
        key = name_key(text) if len(text) <= LONGEST_NAME else ""
        numbers = re.findall(r"\d+", key)
        names = [name for of, name in self._by_name if of is kind and re.findall(r"\d+", name) == numbers]
        near = [card for name in get_close_matches(key, names, most, NEAR) for card in self._by_name[kind, name]]
        short = [
            card for card in self.of_kind(kind).values() if key and any(_shortens(text, n) for n in names_of(card))
        ]
        found = (*near, *sorted(short, key=lambda card: len(card.name)))
        return tuple({card.slug: card for card in found if not card.retired}.values())


def full_name(card: Card) -> str:
    """Return the name with its title, if it has one."""
    title = getattr(card, "title", "")
    return f"{card.name}, {title}" if title else card.name


@lru_cache(maxsize=4096)  # a reader asks for each part of a line many times
def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", re.sub("['’‘ʼ´`]", "", text)).casefold()
    return re.findall(r"[^\W\d_]+|\d+", "".join(sign for sign in plain if not unicodedata.combining(sign)))


def name_key(text: str) -> str:
    """Return a name without the details that differ between programs and people: case, accents, signs, blanks."""
    return "".join(_words(text))


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a name, in singular, and with figures for numerals: "B1s", "Phase 2", "DLT19"."""
    words = (_NUMERALS.get(word, word) for word in _words(text))
    return frozenset(word.removesuffix("s") if len(word) > 3 else word for word in words) - _LEFT_OUT


def _shortens(text: str, name: str) -> bool:
    """Return whether people may say a text for a name: "Snows" for "Snowtroopers", "Chewie" for "Chewbacca"."""
    stems = [(re.sub("(?<=..[a-z])(?:ie|y)$", "", word), word) for word in words_of(text)]
    written = _words(text)
    return all(
        any(
            word == stem or (word.startswith(stem) and (len(stem) > 3 or (len(stem) == 3 and f"{whole}s" in written)))
            for word in words_of(name)
        )
        for stem, whole in stems
    )


def names_of(card: Card) -> tuple[str, ...]:
    """Return every name of a card: with and without its title, in Legion HQ's texts, in Tabletop Simulator."""
    others = (getattr(card, "short_name", ""), getattr(card, "tts_name", ""))
    return tuple(dict.fromkeys(filter(None, (card.name, full_name(card), *others))))


def is_almost(text: str, name: str, alike: float = 0.9) -> bool:
    """Return whether a text is a name with a letter or two wrong, all its figures right."""
    key, wanted = name_key(text), name_key(name)
    return re.findall(r"\d+", key) == re.findall(r"\d+", wanted) and bool(get_close_matches(key, [wanted], 1, alike))


def is_printed_as(card: Card, text: str, *, title_lost: bool) -> bool:
    """Return whether a program prints a card by this name: Legion HQ's texts by its short name or name
    (`title_lost`), the others by its name in Tabletop Simulator or by name and title.
    """
    short = getattr(card, "short_name", "") or card.name
    names = (full_name(card), short if title_lost else getattr(card, "tts_name", ""))
    return any(name_key(text) == name_key(name) or words_of(text) == words_of(name) for name in names if name)


def card_index(rows_by_kind: Mapping[str, Iterable[Row]]) -> CardIndex:
    """Return the index of these cards.

    `rows_by_kind` has all kinds, as `rules.catalogue.loader.read_catalogue` or the database gives them.
    """
    rows = {kind: tuple(found) for kind, found in rows_by_kind.items()}
    book = make_rulebook("", rows)
    counterparts = _cards_of_kind(Counterpart, rows[LineKind.COUNTERPART])
    cards: dict[LineKind, Mapping[str, Card]] = {
        LineKind.UNIT: book.units,
        LineKind.UPGRADE: book.upgrades,
        LineKind.COUNTERPART: counterparts,
        LineKind.COMMAND_CARD: book.commands,
        LineKind.BATTLE_CARD: book.battle_cards,
        LineKind.BATTLE_FORCE: book.battle_forces,
        **{kind: _cards_of_kind(TourCard, rows[kind]) for kind in _TOURS},
    }
    letters: dict[tuple[str, str], str] = {
        (kind, row["slug"]): row["source_id"] for kind in cards for row in rows[kind] if row.get("source_id")
    }
    forces = {(LineKind.BATTLE_FORCE, row["slug"]): row["link_id"] for row in rows[LineKind.BATTLE_FORCE]}
    return CardIndex(
        units=book.units,
        upgrades=book.upgrades,
        counterparts=MappingProxyType(counterparts),
        command_cards=book.commands,
        battle_cards=book.battle_cards,
        battle_forces=book.battle_forces,
        _by_kind=MappingProxyType(cards),
        _by_letters=_grouped((pair, cards[LineKind(kind)][slug]) for (kind, slug), pair in letters.items()),
        _letters=MappingProxyType(letters | forces),
        _by_name=_keyed(cards, lambda card: {name_key(name): None for name in names_of(card)}),
        _by_word=_keyed(cards, lambda card: {word: None for name in names_of(card) for word in words_of(name)}),
        _before_commas=_keyed(
            cards, lambda card: {name_key(name.partition(",")[0]): None for name in names_of(card) if "," in name}
        ),
    )


def _cards_of_kind(kind: type[Printed], rows: Iterable[Row]) -> dict[str, Printed]:
    """Return cards by slug: the values of each row that the dataclass has, lists as tuples."""
    wanted = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return {
        row["slug"]: kind(**{
            name: tuple(row[name]) if isinstance(row[name], list) else row[name] for name in wanted if name in row
        })
        for row in rows
    }  # fmt: skip


def _keyed(
    cards: Mapping[LineKind, Mapping[str, Card]], keys: Callable[[Card], Iterable[str]]
) -> Mapping[tuple[LineKind, str], tuple[Card, ...]]:
    return _grouped(
        ((kind, key), card) for kind, by_slug in cards.items() for card in by_slug.values() for key in keys(card)
    )


Key = TypeVar("Key")


def _grouped(pairs: Iterable[tuple[Key, Card]]) -> Mapping[Key, tuple[Card, ...]]:
    lists: dict[Key, list[Card]] = {}
    for key, card in pairs:
        lists.setdefault(key, []).append(card)
    return MappingProxyType({key: tuple(found) for key, found in lists.items()})
