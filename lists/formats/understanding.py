"""The contents of a list, line by line, and the card that each line means.

Several cards may share a name. What fits decides, before what matches exactly. A unit is narrowed down by the Faction,
the rank of its section, its points and its upgrades; an upgrade by its unit (slot, restriction, Faction) and its
points; a counterpart by its unit. Then come the name that the program prints for a card, and the points of the whole
list. A criterion that would leave no card is skipped, so a wrong list keeps its candidates. `ParsedLine.because` says
which criterion decided.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, combinations_with_replacement, product
from math import comb, prod
from typing import Any

from lists.formats.cards import (
    MOST_SUGGESTIONS,
    Card,
    CardIndex,
    Counterpart,
    TourCard,
    full_name,
    is_almost,
    is_printed_as,
    name_key,
    names_of,
    words_of,
)
from lists.formats.limits import MAX_ENTRIES, Unreadable, shown, too_many
from lists.formats.parsed import NAMING, Format, LineKind, Parsed, ParsedLine
from rules.battle.army import LARGEST_RECON
from rules.core.card_types import FACTIONS, MERCENARY, BattleCard, Unit, Upgrade
from rules.core.rulebook import BattleForce
from rules.core.translation import gettext, sentences_of
from rules.core.values import Value
from rules.core.violations import Violation, retired
from rules.register.upgrade_slots import Bearer, all_slots, equip_violations, faction_name, shares_faction

MAX_UPGRADES = 20
#: Most commas in a name.
MOST_COMMAS = 3
_SEVERAL = re.compile(r"\s*[/&]\s*|\s+and\s+")


@dataclass(slots=True)
class Draft:
    """One item of a list, with everything it may mean.

    `cards` are the cards it may mean, `exact` unless they only resemble the name. `factions` are the Factions that a
    Faction line may mean. `costs` are the points that the list gives for the card itself; several if they may or may
    not include upgrades. `name` is what the list calls it, `rank` that of the section it stands in. The
    player is `asked` even for one card.
    """

    read: str
    kind: LineKind
    of: int | None = None
    number: int | None = None
    cards: tuple[Card, ...] = ()
    exact: bool = True
    factions: tuple[str, ...] = ()
    costs: tuple[int, ...] = ()
    because: str = ""
    violations: list[str] = field(default_factory=list)
    name: str = ""
    rank: str = ""
    asked: bool = False

    @property
    def card(self) -> Card | None:
        """The card it means, once only one is left."""
        return self.cards[0] if self.exact and len(self.cards) == 1 and not self.asked else None

    @property
    def faction(self) -> str:
        """The Faction it means, once only one is left."""
        return self.factions[0] if len(self.factions) == 1 else ""


class Sheet:
    """The drafts of one list in their order, and sentences about the whole."""

    def __init__(self, index: CardIndex, *, title_lost: bool = False) -> None:
        self.index = index
        self.title_lost = title_lost
        self.drafts: list[Draft] = []
        self.violations: list[str] = []
        self._upgrades: Counter[int] = Counter()
        self._names: dict[tuple[LineKind, str], list[str]] = {}

    def add(
        self, kind: LineKind, read: str, *, of: int | None = None, violation: str = "", number: int | None = None
    ) -> int:
        """Note an item. Return its place. Raises Unreadable when there are too many."""
        if len(self.drafts) >= MAX_ENTRIES:
            raise too_many()
        if kind is LineKind.UPGRADE and of is not None:
            self._upgrades[of] += 1
            check_upgrades(self._upgrades[of])
        self.drafts.append(Draft(shown(read), kind, of, number, violations=[violation] if violation else []))
        return len(self.drafts) - 1

    def named(self, kind: LineKind, read: str, name: str, *, of: int | None = None, costs: tuple[int, ...] = ()) -> int:
        """Note an item called `name`. Return its place."""
        place = self.add(kind, read, of=of)
        draft = self.drafts[place]
        found = self.index.named(card_kind(kind), name)
        draft.cards, draft.exact, draft.costs, draft.name = found.cards, found.exact, costs, name
        return place

    def faction(self, read: str, *factions: str) -> int:
        """Note the Faction; without `factions` it has to be inferred. Return its place."""
        place = self.add(LineKind.FACTION, read)
        self.drafts[place].factions = factions
        return place

    def counted(self, kind: LineKind, read: str, number: int | None, *, of: int | None = None) -> int:
        """Note a number, None for one that could not be read. Return its place."""
        violation = "" if number is not None else gettext("This must be a whole number.")
        return self.add(kind, read, of=of, number=number, violation=violation)

    def ignored(self, read: str) -> int:
        """Note text around a list. Return its place."""
        return self.add(LineKind.NOTE, read, violation=gettext("Ignored."))

    def unknown(self, read: str, violation: str, *, of: int | None = None) -> int:
        """Note an item that is not understood. Return its place."""
        return self.add(LineKind.UNKNOWN, read, of=of, violation=violation)

    def knows(self, kind: LineKind, name: str) -> bool:
        """Return whether a card of the kind has exactly this name."""
        return self.index.has(card_kind(kind), name)

    def split(self, kind: LineKind, text: str) -> list[str]:
        """Return the names in a comma-separated list. Names may contain commas: the longest known name wins."""
        if (kind, text) not in self._names:  # a reader asks several times
            self._names[kind, text] = self._split(card_kind(kind), text)
        return [*self._names[kind, text]]

    def _split(self, kind: LineKind, text: str) -> list[str]:
        parts = [part.strip() for part in re.split(r"[,;•\n]|\s/\s", text) if part.strip()]
        if len(parts) > MAX_ENTRIES:
            raise too_many()
        names: list[str] = []
        place = 0
        while place < len(parts):
            most = min(MOST_COMMAS + 1, len(parts) - place) if self.index.begins_name(kind, parts[place]) else 1
            ends = (place + length for length in range(most, 1, -1))
            end = next((end for end in ends if self._is_one_name(kind, parts[place:end])), place + 1)
            name = ", ".join(parts[place:end])
            several = _SEVERAL.split(name)  # which some names contain
            known = self.knows if "/" not in name or self.index.named(kind, name).cards else self._resembles
            names += several if len(several) > 1 and all(known(kind, each) for each in several) else [name]
            place = end
        return names

    def _resembles(self, kind: LineKind, name: str) -> bool:
        return bool(self.index.named(kind, name).cards)

    def _is_one_name(self, kind: LineKind, parts: Sequence[str]) -> bool:
        """Return whether a name with these commas exists: "E-60R B1, Battle Droid" is two upgrades."""
        text = ", ".join(parts)
        cards = self.index.named(card_kind(kind), text).cards if self.knows(kind, text) else ()  # not what resembles it
        names = (name for card in cards for name in names_of(card))
        return any(name.count(",") >= len(parts) - 1 and name_key(name) == name_key(text) for name in names)


def card_kind(kind: LineKind) -> LineKind:
    """Return the kind of card that a line means: a command card for a contingency, an upgrade for a loadout."""
    return {LineKind.CONTINGENCY: LineKind.COMMAND_CARD, LineKind.LOADOUT: LineKind.UPGRADE}.get(kind, kind)


def check_upgrades(number: int) -> None:
    """Raise Unreadable for more upgrades than a unit of any list has."""
    if number > MAX_UPGRADES:
        raise Unreadable(
            gettext("This unit has more than {max_upgrades} upgrades. Check the list.", max_upgrades=MAX_UPGRADES)
        )


#: Most cards that give slots on a unit. Finding a slot for each tries all their orders; no unit has more.
MOST_GRANTING = 4
#: Tours of Duty battles up to 800 points are Recon (R18), but Legion HQ's Escalation is a standard format.
SURELY_RECON = 600


def understood(which: Format, sheet: Sheet) -> Parsed:
    """Return the list of a sheet, as far as it can be understood; every draft becomes a line."""
    for army in _armies(sheet):
        _narrow_all(army, title_lost=sheet.title_lost)
        _find_violations(army)
    lines = _joined(sheet, [_line(draft) for draft in sheet.drafts])
    return Parsed(which, lines, tuple(sheet.violations))


def _joined(sheet: Sheet, lines: list[ParsedLine]) -> tuple[ParsedLine, ...]:
    """Return the lines, those that are open in several copies of a unit marked as copies of the first."""
    parts: dict[int, list[str]] = {}
    for line in lines:
        if line.of is not None:
            parts.setdefault(line.of, []).append(line.read)
    first: dict[tuple[object, ...], int] = {}
    occurrences: Counter[tuple[object, ...]] = Counter()
    found = []
    for place, line in enumerate(lines):
        owner = line.of if line.of is not None and sheet.drafts[line.of].kind is LineKind.UNIT else place
        if line.open and line.kind in NAMING and sheet.drafts[owner].kind is LineKind.UNIT:
            # A unit may have two open upgrades of one name: the first of a copy is like the first of another.
            occurrences[owner, line.read] += 1
            key = (lines[owner].read, *parts.get(owner, ()), line.kind, line.read, occurrences[owner, line.read])
            place_of_first = first.setdefault(key, place)
            line = replace(line, copy_of=place_of_first) if place_of_first != place else line
        found.append(line)
    return tuple(found)


class _Army(Value):
    """The drafts of one list with their places, or of one Register in a file of several."""

    index: CardIndex
    drafts: Mapping[int, Draft]
    parts: Mapping[int | None, Sequence[Draft]]

    def of_kind(self, *kinds: LineKind) -> list[Draft]:
        return [draft for draft in self.drafts.values() if draft.kind in kinds]

    def upgrades_of(self, place: int) -> list[Draft]:
        return [draft for draft in self.parts.get(place, ()) if draft.kind is LineKind.UPGRADE]

    def bearer(self, place: int, card: Unit) -> Bearer:
        """Return the unit at a place, if it were this card, as a bearer of upgrades with its Commendations' slots."""
        given = (draft.card for draft in self.parts.get(place, ()) if draft.kind is LineKind.COMMENDATION)
        slots = tuple(slot for other in given if isinstance(other, TourCard) for slot in other.upgrade_slots)
        return Bearer(card, self.faction, card.faction, card.affiliation, slots)

    def bearers(self, upgrade: Draft) -> list[Bearer]:
        """Return the cards that the unit of an upgrade may be, as bearers of upgrades."""
        of = upgrade.of if upgrade.kind is LineKind.UPGRADE else None
        cards = self.drafts[of].cards if of is not None else ()
        return [self.bearer(of or 0, card) for card in cards if isinstance(card, Unit)]

    def parent(self, draft: Draft) -> Card | None:
        """Return the unit that a counterpart comes with."""
        return self.drafts[draft.of].card if draft.of is not None else None

    @property
    def faction(self) -> str:
        """The Faction; "" for mercenaries and while it is open."""
        found = next((draft.faction for draft in self.drafts.values() if draft.kind is LineKind.FACTION), "")
        return "" if found == MERCENARY else found

    @property
    def battle_force(self) -> BattleForce | None:
        """The battle force, if there is one."""
        cards = (draft.card for draft in self.of_kind(LineKind.BATTLE_FORCE))
        return next((card for card in cards if isinstance(card, BattleForce)), None)


def _armies(sheet: Sheet) -> list[_Army]:
    roots: list[int | None] = []
    parts: dict[int | None, list[Draft]] = {}
    armies: dict[int | None, dict[int, Draft]] = {}
    for place, draft in enumerate(sheet.drafts):
        root = place if draft.kind is LineKind.REGISTER else roots[draft.of] if draft.of is not None else None
        roots.append(root)
        parts.setdefault(draft.of, []).append(draft)
        armies.setdefault(root, {})[place] = draft
    return [_Army(sheet.index, drafts, parts) for drafts in armies.values()]


def _line(draft: Draft) -> ParsedLine:
    card = draft.card
    slug = card.slug if card else draft.faction
    several = (*(card.slug for card in draft.cards), *draft.factions) if not slug else ()
    if not draft.exact:
        several = several[:MOST_SUGGESTIONS]
    return ParsedLine(
        read=draft.read,
        kind=draft.kind,
        card=slug,
        candidates=several,
        because=draft.because if slug else "",
        number=draft.number,
        of=draft.of,
        violations=tuple(dict.fromkeys(draft.violations)),
    )


def _narrow(draft: Draft, because: str, keep: Callable[[Any], bool]) -> None:
    """Keep only the cards that `keep` allows, unless one card is left already or none would be."""
    if len(draft.cards) < 2:
        return
    kept = tuple(card for card in draft.cards if keep(card))
    if kept and len(kept) < len(draft.cards):
        draft.cards, draft.because = kept, because


def _narrow_all(army: _Army, *, title_lost: bool) -> None:
    for draft in army.drafts.values():
        _narrow(draft, gettext("the current catalogue"), lambda card: not card.retired)
    for _ in range(2):  # what is known of one card may tell another
        _narrow_by_fit(army)
    for draft in army.drafts.values():
        _narrow(draft, gettext("its exact name"), partial(is_printed_as, text=draft.name, title_lost=title_lost))
    _narrow_by_fit(army)
    _narrow_battle_cards(army)
    _narrow_pairs(army)
    taken = Counter(draft.card for draft in army.of_kind(LineKind.UPGRADE))
    for draft in army.of_kind(LineKind.UPGRADE):
        _narrow(draft, gettext("its army"), lambda card: taken[card] < (card.army_limit or MAX_ENTRIES))
    _narrow_by_total(army)
    for place, draft in army.drafts.items():
        _accept_similar(army, place, draft)
    _settle_faction(army)
    _offer_misspelled(army)


def _offer_misspelled(army: _Army) -> None:
    """Offer the cards spelled almost like names that no card has, of units those that the army could have. One with a
    wrong letter is read if it is the only one, and said. Otherwise the player decides, also where there is only one.
    """
    named = {place: each for place, each in army.drafts.items() if each.kind in NAMING and each.name}
    near: dict[tuple[LineKind, str], tuple[Card, ...]] = {}
    serves = partial(_serves, army.index, army.faction, army.battle_force)
    for place, draft in [pair for pair in named.items() if not (pair[1].exact and pair[1].cards)]:
        key = card_kind(draft.kind), draft.name
        if key not in near and len(near) < MOST_MISSPELLED:
            near[key] = army.index.misspelled(*key, MOST_SUGGESTIONS)
        draft.cards = tuple({card.slug: card for card in (*draft.cards, *near.get(key, ()))}.values())
        draft.exact = not draft.cards
        if draft.kind is LineKind.UNIT:
            _narrow(draft, "", serves)
            _narrow(draft, "", partial(_costs, draft.costs))
        _narrow(draft, "", partial(_suits_any, army.bearers(draft)))
        if len(draft.cards) == 1 and any(is_almost(draft.name, name) for name in names_of(draft.cards[0])):
            bearers = army.bearers(draft)
            if draft.kind is not LineKind.UPGRADE or (len(bearers) == 1 and _suits_any(bearers, draft.cards[0])):
                _take(draft)
                _narrow_equipment(army, place, draft)
    _settle_faction(army)


def _narrow_by_fit(army: _Army) -> None:
    _settle_faction(army)
    serves = partial(_serves, army.index, army.faction, army.battle_force)
    for unit in army.of_kind(LineKind.UNIT):
        _narrow(unit, gettext("the Faction"), serves)
        if unit.rank:
            _narrow(unit, gettext("its rank"), partial(_has_rank, unit.rank))
        if unit.costs:
            _narrow(unit, gettext("its points"), partial(_costs, unit.costs))
    for counterpart in army.of_kind(LineKind.COUNTERPART):
        if parent := army.parent(counterpart):
            _narrow(counterpart, gettext("its unit"), partial(_comes_with, parent.slug))
    for place, draft in army.drafts.items():
        if draft.kind is LineKind.UNIT:
            _narrow_equipment(army, place, draft)


#: Most names of a list for which near ones are looked for: each takes milliseconds.
MOST_MISSPELLED = 20
#: Most combinations of open cards of which the total is tried.
MOST_COMBINATIONS = 256


def _narrow_pairs(army: _Army) -> None:
    """Give as many upgrades of one name as there are cards one card each: no unit has a card twice."""
    groups: dict[tuple[int | None, tuple[Card, ...]], list[Draft]] = {}
    for draft in army.of_kind(LineKind.UPGRADE):
        groups.setdefault((draft.of, draft.cards), []).append(draft)
    for (_unit, cards), drafts in groups.items():
        if 1 < len(cards) == len(drafts) and drafts[0].exact:
            for draft, card in zip(drafts, cards, strict=True):
                draft.cards, draft.because = (card,), gettext("its unit")


def _narrow_by_total(army: _Army) -> None:
    """Decide open cards by the points of the whole list, if only one choice among them adds up."""
    claimed = {draft.number for draft in army.of_kind(LineKind.POINTS)}
    drafts = army.of_kind(LineKind.UNIT, LineKind.UPGRADE, LineKind.COUNTERPART)
    groups: dict[tuple[Card, ...], list[Draft]] = {}
    for draft in drafts:
        if len(draft.cards) > 1:
            groups.setdefault(draft.cards, []).append(draft)
    if len(claimed) != 1 or not groups or not all(draft.cards and draft.exact for draft in drafts):
        return
    # Two of one name may be two cards.
    sizes = {cards: len(copies) for cards, copies in groups.items()}
    if prod(comb(len(cards) + size - 1, size) for cards, size in sizes.items()) > MOST_COMBINATIONS:
        return
    rest = sum(points_of(draft.cards[0]) for draft in drafts if len(draft.cards) == 1)
    fitting = [
        each
        for each in product(*(combinations_with_replacement(cards, size) for cards, size in sizes.items()))
        if rest + sum(map(points_of, chain(*each))) in claimed
    ]
    for cards, copies in zip(fitting[0], groups.values(), strict=True) if len(fitting) == 1 else ():
        for draft in copies if len({*cards}) == 1 else ():
            draft.cards, draft.because = cards[:1], gettext("the points of the list")


def points_of(card: Card) -> int:
    """Return what a card costs; 0 for one without points."""
    return card.points if isinstance(card, Unit | Upgrade | Counterpart) else 0


def _accept_similar(army: _Army, place: int, draft: Draft) -> None:
    """Take the only card that resembles a name and fits, and say so unless the words are the same. A unit of which
    nothing else tells needs the player's word.
    """
    if draft.exact or len(draft.cards) != 1:
        return
    [card] = draft.cards
    same = any(words_of(draft.name) == words_of(name) for name in names_of(card))
    priced = bool(draft.costs) and isinstance(card, Unit | Upgrade | Counterpart) and _costs(draft.costs, card)
    fits = False
    if bearers := army.bearers(draft):
        others = [other for other in army.upgrades_of(draft.of or 0) if other is not draft]
        if not (fits := any(suits(bearer, others, card) for bearer in bearers)):
            return
    tells = draft.because and (draft.kind is not LineKind.UNIT or draft.because != gettext("the Faction"))
    if same:
        draft.exact, draft.because = True, gettext("a similar name")
    elif priced or fits or tells:
        _take(draft)


def _take(draft: Draft) -> None:
    """Take the only card that a name resembles, and say so."""
    draft.exact, draft.because = True, gettext("a similar name")
    draft.violations.append(gettext("Read as {card}.", card=full_name(draft.cards[0])))


def _has_rank(rank: str, unit: Unit) -> bool:
    return unit.rank == rank


def _costs(points: tuple[int, ...], card: Unit | Upgrade | Counterpart) -> bool:
    return card.points in points


def _comes_with(unit: str, counterpart: Counterpart) -> bool:
    return unit in counterpart.parent_unit_slugs


def _serves(index: CardIndex, faction: str, battle_force: BattleForce | None, unit: Unit) -> bool:
    """Return whether an army may include a unit, also through any battle force of the Faction."""
    return unit.slug in battle_force.units if battle_force else not faction or _hired(index, faction, unit)


def _hired(index: CardIndex, faction: str, unit: Unit) -> bool:
    battle_forces = (battle_force for battle_force in index.battle_forces.values() if battle_force.faction == faction)
    return shares_faction(unit, faction) or any(unit.slug in battle_force.units for battle_force in battle_forces)


def _settle_faction(army: _Army) -> None:
    """Infer a Faction that the list does not name from its battle force, else from its units.

    A Faction that the list names but the catalogue lacks stays open.
    """
    for draft in army.of_kind(LineKind.FACTION):
        if draft.faction or draft.read:
            continue
        if army.battle_force:
            draft.factions, draft.because = (army.battle_force.faction,), gettext("the battle force")
            continue
        named = army.of_kind(LineKind.UNIT)
        named = [unit for unit in named if unit.exact] or [unit for unit in named if unit.cards]
        units = [[card for card in unit.cards if isinstance(card, Unit)] for unit in named]
        # Units of several Factions may share a name (AT-RT): only a Faction that all cards of the name have counts.
        printed = [{card.faction for card in cards} for cards in units]
        own = {min(factions) for factions in printed if len(factions) == 1} - {MERCENARY}
        draft.factions = tuple(sorted(own)) or tuple(
            faction
            for faction in (*FACTIONS, MERCENARY)
            if units and all(any(_hired(army.index, faction, card) for card in cards) for cards in units)
        )
        forces = [each for each in army.index.battle_forces.values() if each.faction == MERCENARY and not each.retired]
        if MERCENARY in draft.factions and not any(
            all(any(card.slug in force.units for card in cards) for cards in units) for force in forces
        ):
            draft.factions = tuple(faction for faction in draft.factions if faction != MERCENARY)
        elif MERCENARY in draft.factions and all(printed == {MERCENARY} for printed in printed):
            draft.factions = (MERCENARY,)  # a Faction hires few mercenaries: an army of nothing else is their own
        draft.because = gettext("its units")


def _narrow_equipment(army: _Army, place: int, unit: Draft) -> None:
    """Narrow down a unit by the upgrades that it must be able to have, and its upgrades by the unit."""
    upgrades = army.upgrades_of(place)

    def may_have_all(card: Unit) -> bool:
        bearer = army.bearer(place, card)
        return all(
            any(suits(bearer, [other for other in upgrades if other is not draft], upgrade) for upgrade in draft.cards)
            for draft in upgrades
            if draft.cards and draft.exact
        )

    _narrow(unit, gettext("its upgrades"), may_have_all)
    bearers = [army.bearer(place, card) for card in unit.cards if isinstance(card, Unit)]
    for draft in upgrades:
        others = [other for other in upgrades if other is not draft]

        def fits(card: Card, others: list[Draft] = others) -> bool:
            return any(suits(bearer, others, card) for bearer in bearers)

        if draft.exact and isinstance(unit.card, Unit) and not any(map(fits, draft.cards)):
            # Never against the unit: a card that only resembles the name may fit.
            similar = tuple(filter(fits, army.index.resembling(LineKind.UPGRADE, draft.name)))
            draft.cards, draft.exact = (similar, False) if similar else (draft.cards, True)
        _narrow(draft, gettext("its unit"), fits)
        if draft.costs:
            _narrow(draft, gettext("its points"), partial(_costs, draft.costs))


def suits(bearer: Bearer, others: Sequence[Draft], card: Card) -> bool:
    """Return whether restrictions and slot types allow a card on a unit, whichever cards the others are."""
    if not isinstance(card, Upgrade):
        return False
    have = [other.card for other in others if isinstance(other.card, Upgrade) and other.card is not card]
    may = [upgrade for other in others for upgrade in other.cards if isinstance(upgrade, Upgrade)]
    slots = {*all_slots(bearer), *(slot for upgrade in may for slot in upgrade.grants_slots)}
    return card.type in slots and not any(
        violation.about == card.slug for violation in _equip_violations(bearer, have, [card])
    )


def _suits_any(bearers: Sequence[Bearer], card: Card) -> bool:
    return any(suits(bearer, (), card) for bearer in bearers)


def _equip_violations(bearer: Bearer, have: Sequence[Upgrade], new: Sequence[Upgrade]) -> Iterator[Violation]:
    """Yield the violations of `rules.register.upgrade_slots`, unless too many cards give slots for it to check."""
    if sum(bool(card.grants_slots) for card in (*have, *new)) <= MOST_GRANTING:
        yield from equip_violations(bearer, have, new)


def _narrow_battle_cards(army: _Army) -> None:
    """Narrow down a Battle Deck, which is all recon or all standard: one certain card decides for the others."""
    deck = army.of_kind(LineKind.BATTLE_CARD)
    values = {draft.read for draft in army.of_kind(LineKind.SCENARIO)}
    for size in army.of_kind(LineKind.SIZE):
        if size.number is not None and not SURELY_RECON < size.number <= LARGEST_RECON:
            values.add("recon" if size.number <= SURELY_RECON else "standard")
    values = values or {draft.card.format for draft in deck if isinstance(draft.card, BattleCard)}
    if len(values) == 1:
        for draft in deck:
            _narrow(draft, gettext("recon or standard"), lambda card: card.format in values)


def _find_violations(army: _Army) -> None:
    faction, battle_force = army.faction, army.battle_force
    for place, draft in army.drafts.items():
        if not draft.violations:
            draft.violations += _naming_violations(draft)
        if draft.kind is LineKind.LOADOUT:
            draft.violations.append(gettext("Loadouts are no longer part of the game."))
        draft.violations += _cost_violations(draft)
        card = draft.card
        if draft.kind is LineKind.UNIT and isinstance(card, Unit):
            if not _serves(army.index, faction, battle_force, card):
                where = (
                    battle_force.name if battle_force else gettext("a {faction} army", faction=faction_name(faction))
                )
                draft.violations.append(gettext("{card} cannot be part of {where}.", card=card.full_name, where=where))
            _find_equipment_violations(army, place, draft, card)
        if isinstance(card, Counterpart):
            parent = army.parent(draft)
            if draft.of is None or (parent and not _comes_with(parent.slug, card)):
                draft.violations.append(gettext("{card} cannot be added to this unit.", card=full_name(card)))
            elif draft is not next(part for part in army.parts[draft.of] if part.kind is LineKind.COUNTERPART):
                draft.violations.append(gettext("A unit can have one counterpart. This one is left out."))
    _check_total(army)


_NOUNS = sentences_of(__file__)["nouns"]


def _naming_violations(draft: Draft) -> Iterator[str]:
    if draft.card:
        if draft.card.retired:
            yield retired("", full_name(draft.card)).text
    elif draft.kind in NAMING and not draft.faction:
        noun = gettext(_NOUNS[draft.kind])
        if draft.exact and (draft.cards or draft.factions):
            yield gettext("More than one {noun} matches. Choose one.", noun=noun)
        elif draft.cards:
            yield gettext("No {noun} has this name. Choose one of the similar names.", noun=noun)
        else:
            yield (
                gettext("No {noun} has this name.", noun=noun)
                if draft.read
                else gettext("The list does not say its {noun}.", noun=noun)
            )


def _cost_violations(draft: Draft) -> Iterator[str]:
    card = draft.card
    if draft.costs and isinstance(card, Unit | Upgrade | Counterpart) and card.points not in draft.costs:
        yield gettext(
            "{card} costs {points} points now, but {costs} in the list.",
            costs=draft.costs[0],
            card=full_name(card),
            points=card.points,
        )


def _find_equipment_violations(army: _Army, place: int, draft: Draft, unit: Unit) -> None:
    upgrades = army.upgrades_of(place)
    cards = [upgrade.card for upgrade in upgrades if isinstance(upgrade.card, Upgrade)]
    if sum(bool(card.grants_slots) for card in cards) > MOST_GRANTING:
        draft.violations.append(gettext("{unit} has too many upgrades that give slots.", unit=unit.full_name))
    for violation in _equip_violations(army.bearer(place, unit), [], cards):
        about = [upgrade for upgrade in upgrades if upgrade.card and upgrade.card.slug == violation.about]
        # An open upgrade may be the one that gives the slot.
        if about or len(cards) == len(upgrades):
            for target in about or [draft]:
                target.violations.append(violation.text)


def _check_total(army: _Army) -> None:
    """Compare the points that the list claims with those of its cards, once all of them are known."""
    cards = [draft.card for draft in army.of_kind(LineKind.UNIT, LineKind.UPGRADE, LineKind.COUNTERPART)]
    total = sum(card.points for card in cards if isinstance(card, Unit | Upgrade | Counterpart))
    for draft in army.of_kind(LineKind.POINTS):
        if None not in cards and draft.number is not None and draft.number != total:
            draft.violations.append(
                gettext(
                    "The cards cost {total} points now, but {number} in the list.", number=draft.number, total=total
                )
            )
