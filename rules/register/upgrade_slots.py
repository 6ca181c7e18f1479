"""Which upgrade cards a unit may have: slots, restrictions, compulsory upgrades (R5, R7, R8)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from rules.core.card_types import (
    BANNED_UNIQUE_TYPES,
    FORCE_SIDE,
    MERCENARY,
    UPGRADE_TYPES,
    CommandCard,
    Restriction,
    Term,
    Unit,
    Upgrade,
)
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext
from rules.core.values import Value
from rules.core.violations import POINTS_UNPUBLISHED, Violation, retired
from rules.register.state import Dossier, RegisterState


class Bearer(Value):
    """A unit as a bearer of upgrades: its card, the values it took from the Paragon, its added slots."""

    card: Unit
    army_faction: str
    faction: str
    affiliation: str
    added_slots: tuple[str, ...] = ()


def bearer(book: Rulebook, state: RegisterState, dossier: Dossier) -> Bearer:
    """Return the unit of a Dossier as a bearer of upgrades, with slots from Commendations (R8)."""
    card = book.units[dossier.card]
    faction = dossier.faction or card.faction
    return Bearer(
        card=card,
        army_faction=state.faction or (faction if faction != MERCENARY else ""),
        faction=faction,
        affiliation=dossier.affiliation if dossier.faction else card.affiliation,
        added_slots=commended_slots(book, dossier),
    )


def commended_slots(book: Rulebook, dossier: Dossier) -> tuple[str, ...]:
    """Return the slots that Commendations gave a unit, by the type of upgrade that they hold (R8)."""
    return tuple(slot for slug in dossier.commendations for slot in book.commendations[slug].upgrade_slots)


def lent_bearer(state: RegisterState, card: Unit) -> Bearer:
    """Return a unit lent by an asset as a bearer of upgrades (R21)."""
    return Bearer(card, state.faction, card.faction, card.affiliation)


def card_ban_violations(book: Rulebook, card: Unit | Upgrade) -> Iterator[Violation]:
    """Yield why a card may never enter a Register (R5)."""
    if isinstance(card, Unit) and card.unique:
        text = gettext("{card} is unique. Unique units cannot join a Register.", card=card.full_name)
        yield Violation("R5", text, card.slug)
    if isinstance(card, Upgrade) and card.unique and card.type in BANNED_UNIQUE_TYPES:
        text = gettext(
            "{card} is a unique {type} upgrade. A Register cannot have those.",
            card=card.full_name,
            type=spoken(card.type),
        )
        yield Violation("R5", text, card.slug)
    yield from availability_violations(book, card)


def availability_violations(book: Rulebook, card: Unit | Upgrade | CommandCard) -> Iterator[Violation]:
    """Yield why this campaign cannot use a card at all: unreleased, or no longer printed (R5)."""
    if not (book.is_released(card) or book.campaign_rules.unreleased):
        if card.release <= book.today:
            yield POINTS_UNPUBLISHED(card.slug, card=card.full_name)
        else:
            text = gettext("{card} is not released yet ({unreleased}).", card=card.full_name, unreleased=card.release)
            yield Violation("R5", text, card.slug)
    if card.retired:
        yield retired("R5", card.full_name, card.slug)


def equip_violations(
    unit: Bearer, have: Sequence[Upgrade], new: Sequence[Upgrade], *, before: Sequence[Upgrade] | None = None
) -> Iterator[Violation]:
    """Yield why `unit`, which has the cards `have`, cannot equip the cards `new` as well (R8). A card that changes the
    unit's affiliation may not break the restriction of a card in `have`. Give `before`, the cards that the unit had
    when it met that restriction, if they differ from `have`.
    """
    cards = (*have, *new)
    fitted = [card for card in have if meets_restrictions(unit, card, have if before is None else before)]
    for card in new:
        if sum(other.slug == card.slug for other in cards) > 1:
            text = gettext("{unit} already has {card}.", unit=unit.card.name, card=card.full_name)
            yield Violation("R8", text, card.slug)
        if not meets_restrictions(unit, card, cards):
            yield _not_for(unit, card)
    for card in fitted:
        if not meets_restrictions(unit, card, cards):
            changing = next((other for other in new if other.changes_affiliation_to), None)
            # Without one, the card that made it fit this unit is gone.
            yield _no_longer_for(unit, card, changing) if changing else _not_for(unit, card)
    if not fits(all_slots(unit), cards):
        types = ", ".join(sorted({spoken(card.type) for card in new}))
        text = gettext("{unit} has no free slot for this ({types}).", unit=unit.card.name, types=types)
        yield Violation("R8", text, unit.card.slug)


def _not_for(unit: Bearer, card: Upgrade) -> Violation:
    text = gettext("{unit} cannot take {card}.", card=card.full_name, unit=unit.card.full_name)
    return Violation("R8", text, card.slug)


def _no_longer_for(unit: Bearer, card: Upgrade, changing: Upgrade) -> Violation:
    text = gettext(
        "With {card}, {unit} could not keep {other}.",
        card=changing.full_name,
        unit=unit.card.full_name,
        other=card.full_name,
    )
    return Violation("R8", text, changing.slug)


def may_equip(unit: Bearer, cards: Sequence[Upgrade]) -> bool:
    """Return whether `unit`, which has none, can equip these cards together: `equip_violations` without texts (R8)."""
    return (
        len({card.slug for card in cards}) == len(cards)
        and all(meets_restrictions(unit, card, cards) for card in cards)
        and fits(all_slots(unit), cards)
    )


def all_slots(unit: Bearer) -> Counter[str]:
    """Return printed slots and those from Commendations; slots from upgrades come with the cards (R8)."""
    return Counter([*unit.card.upgrade_slots, *unit.added_slots])


def fits(slots: Counter[str], cards: Sequence[Upgrade]) -> bool:
    """Return whether every card finds a slot; slots that a card gives count only once it has a slot itself (R8)."""
    plain = Counter(card.type for card in cards if not card.grants_slots)
    return _fits(slots, tuple(card for card in cards if card.grants_slots), plain)


def _fits(slots: Counter[str], granting: tuple[Upgrade, ...], plain: Counter[str]) -> bool:
    if not granting:
        return plain <= slots
    for place, card in enumerate(granting):
        if slots[card.type] > 0:
            after = slots + Counter(card.grants_slots)
            after[card.type] -= 1
            if _fits(after, granting[:place] + granting[place + 1 :], plain):
                return True
    return False


def meets_restrictions(unit: Bearer, card: Upgrade, cards: Sequence[Upgrade]) -> bool:
    """Return whether a card's Faction and restrictions allow it on `unit` with the upgrades `cards` (R8)."""
    if card.faction and card.faction not in (unit.faction, unit.army_faction):
        return False
    if card.hireable_by and unit.army_faction and unit.army_faction not in card.hireable_by:
        return False
    return not card.restrictions or meets(unit, card.restrictions, cards)


def meets(unit: Bearer, restriction: Restriction, cards: Iterable[Upgrade] = ()) -> bool:
    """Return whether a unit with the upgrades `cards` meets one of the alternatives of `restriction`."""
    changed = (card.changes_affiliation_to for card in cards if card.changes_affiliation_to)
    affiliation = next(changed, unit.affiliation)
    return any(all(_holds(term, unit, affiliation) for term in terms) for terms in restriction)


def _holds(term: Term, unit: Bearer, affiliation: str) -> bool:
    card = unit.card
    printed: dict[str, tuple[str, ...] | frozenset[str]] = {
        "faction": (unit.faction,),
        "affiliation": (affiliation,),
        "force_side": (FORCE_SIDE.get(unit.faction, ""),),
        "rank": (card.rank,),
        "unit": (card.name,),
        "unit_title": (card.title,),
        "unit_type": (card.unit_type,),
        "keyword": card.keyword_names if term.key == "keyword" else (),
        "has_slot": card.upgrade_slots,
        "defense_die": (card.defense_die,),
    }
    return (term.value in printed[term.key]) is not term.negated


def compulsory(unit: Unit) -> tuple[str, ...]:
    """Return the upgrades that Equip and Programmed require: types or card names, one entry each (R7)."""
    wanted: list[str] = []
    for keyword in unit.keywords:
        if keyword == "Programmed":
            wanted.append("programming")
        elif keyword.startswith("Equip:"):
            wanted += [_type_or_name(part.strip()) for part in keyword.removeprefix("Equip:").split(",")]
    return tuple(wanted)


HEAVY_WEAPON = "heavy-weapon"
FLEXIBLE_RESPONSE = "flexible-response"


def flexible_response(book: Rulebook, dossier: Dossier) -> int:
    """Return how many heavy weapon upgrades Flexible Response makes compulsory when the unit is fielded (R53).

    The keyword prints its number. The Commendation gives that of the unit's heavy weapon slots, its own included.
    """
    card = book.units[dossier.card]
    printed = [
        int(value) for name, _, value in (each.rpartition(" ") for each in card.keywords) if name == "Flexible Response"
    ]
    slots = (*card.upgrade_slots, *commended_slots(book, dossier)) if FLEXIBLE_RESPONSE in dossier.commendations else ()
    return max([*printed, slots.count(HEAVY_WEAPON)])


def _type_or_name(text: str) -> str:
    as_type = text.lower().replace(" ", "-")
    return as_type if as_type in UPGRADE_TYPES else text


def beyond_compulsory(unit: Unit, cards: Sequence[Upgrade]) -> tuple[Upgrade, ...]:
    """Return the cards that are left when each compulsory entry has taken one that meets it (R7)."""
    return _compulsory_taken(unit, cards)[1]


def missing_compulsory(unit: Unit, cards: Sequence[Upgrade]) -> tuple[str, ...]:
    """Return missing compulsory upgrades; without them the unit cannot legally join a battle (R7)."""
    return _compulsory_taken(unit, cards)[0]


def compulsory_name(wanted: str) -> str:
    """Return a compulsory upgrade in words: "a Doctrine upgrade" for a type, or the name of a card (R7)."""
    if wanted != wanted.lower():
        return wanted
    return gettext("a {type} upgrade", type=spoken(wanted).capitalize())


def _compulsory_taken(unit: Unit, cards: Sequence[Upgrade]) -> tuple[tuple[str, ...], tuple[Upgrade, ...]]:
    """Return the compulsory entries without a card, and the cards without an entry: each meets one at most."""
    rest = list(cards)
    missing: list[str] = []
    for wanted in compulsory(unit):
        taken = next((card for card in rest if wanted in (card.type, card.name)), None)
        if taken:
            rest.remove(taken)
        else:
            missing.append(wanted)
    return tuple(missing), tuple(rest)


def shares_faction(unit: Unit, faction: str) -> bool:
    """Return whether a unit may serve in a Register of `faction`: its own, or one that may hire it (R3)."""
    return unit.faction == faction or (unit.faction == MERCENARY and faction in unit.hireable_by)


def wrong_faction(unit: Unit, faction: str, about: str = "") -> Violation:
    """Return the violation of a unit that may not serve in a Register of `faction`, empty if not set yet (R3)."""
    text = gettext(
        "{unit} cannot join this Register. Its Faction is {faction}.",
        unit=unit.full_name,
        faction=faction_name(faction) if faction else gettext("not chosen yet"),
    )
    return Violation("R3", text, about)


def faction_name(faction: str) -> str:
    """Return a Faction as a name, in the current language: "empire" is "Empire"."""
    return spoken(faction).capitalize()


def spoken(slug: str) -> str:
    """Return a slug as words, in the current language: "heavy-weapon" is "heavy weapon"."""
    return gettext(slug.replace("-", " ").replace("_", " "))
