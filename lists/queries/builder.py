"""The choices on the page of an army list: units by rank, upgrades by slot, command and battle cards."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from django.utils.translation import gettext

from lists.queries.sheets import CardNames
from rules.battle.army import army_rank
from rules.battle.battle_deck import OF_EACH, TYPES, plural
from rules.battle.command_hand import PIPS, PIPS_OF_STANDING_ORDERS, needs, playable
from rules.battle.plain_army import PlainArmy, PlainUnit, faction_of, fielded, rank_limits
from rules.core.card_types import RANKS, CommandCard, Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.upgrade_slots import Bearer, may_equip, shares_faction, spoken


def _tick(slug: str, label: str, note: str, *, checked: bool) -> dict[str, Any]:
    """Return an upgrade or a counterpart to choose."""
    return {"value": slug, "label": label, "note": note, "checked": checked}


def shelves(
    book: Rulebook, army: PlainArmy, names: CardNames, *, query: str = "", rank: str = ""
) -> list[dict[str, Any]]:
    """Return the units that the army can have, by rank, each with the `number` that the army has and its `limits`, if
    the game sets any. `query` are words of a name; `rank` is the open shelf.
    """
    faction, listed = faction_of(book, army), book.battle_forces.get(army.battle_force)
    have = Counter(unit.card for unit in army.units)
    ranks = Counter(
        army_rank(book, book.units[unit.card], army.battle_force) for unit in army.units if unit.card in book.units
    )
    limits = rank_limits(book, army)
    words = query.casefold().split()
    found: dict[str, list[dict[str, Any]]] = {}
    for slug, card in book.units.items():
        allowed = slug in listed.units if listed else not faction or shares_faction(card, faction)
        if card.retired or not allowed or not all(word in card.full_name.casefold() for word in words):
            continue
        offer = {"slug": slug, "name": names.full(card), "points": card.points, "note": _release(book, card)}
        found.setdefault(army_rank(book, card, army.battle_force), []).append({**offer, "number": have[slug]})
    return [
        {
            "rank": each, "name": spoken(each).capitalize(), "number": ranks[each],
            "limits": _span(*limits.limits[each]) if limits and each in limits.limits else "",
            "offers": sorted(found.get(each, ()), key=itemgetter("name")),
            "is_open": bool(words and found.get(each)) or rank == each,
        }
        for each in RANKS
    ]  # fmt: skip


def upgrade_groups(
    book: Rulebook, army: PlainArmy, card: Unit, chosen: Sequence[str], names: CardNames
) -> list[dict[str, Any]]:
    """Return the upgrades that a unit or a counterpart of the army can have, by type, each with the `number` of slots
    that the unit has with the chosen cards. Chosen ones are among them, even those that it cannot have.
    """
    bearer = Bearer(card, faction_of(book, army), card.faction, card.affiliation)
    have = [book.upgrades[slug] for slug in chosen if slug in book.upgrades]
    slots = Counter([*card.upgrade_slots, *(slot for each in have for slot in each.grants_slots)])
    barred = book.battle_forces[army.battle_force].barred if army.battle_force in book.battle_forces else frozenset()
    kinds = dict.fromkeys([*card.upgrade_slots, *slots, *(each.type for each in have)])
    groups = []
    for kind in kinds:
        ticks = [
            _tick(slug, names.full(upgrade), _price(book, upgrade), checked=slug in chosen)
            for slug, upgrade in book.upgrades.items()
            if upgrade.type == kind
            and (slug in chosen or (not upgrade.retired and slug not in barred and _may_have(bearer, upgrade, have)))
        ]
        ticks.sort(key=itemgetter("label"))
        groups.append({"type": kind, "name": spoken(kind).capitalize(), "number": slots[kind], "ticks": ticks})
    return groups


def _may_have(bearer: Bearer, upgrade: Upgrade, have: Sequence[Upgrade]) -> bool:
    """Return whether a unit can have an upgrade, with its other cards or alone in place of one of its type."""
    granting = [each for each in have if each.grants_slots or each.changes_affiliation_to]
    return may_equip(bearer, [upgrade]) or may_equip(bearer, [*granting, upgrade])


def counterparts(book: Rulebook, unit: PlainUnit) -> list[dict[str, Any]]:
    """Return the counterparts of a unit."""
    return [
        _tick(slug, each.card.full_name, str(each.card.points), checked=slug == unit.counterpart)
        for slug, each in book.counterparts.items()
        if unit.card in each.parents and (not each.card.retired or slug == unit.counterpart)
    ]


def hand_groups(book: Rulebook, army: PlainArmy) -> list[dict[str, Any]]:
    """Return the fields of the Command Hand: two each of 1, 2 and 3 pips. Standing Orders are in every hand."""
    cards = [card for card in playable(book, fielded(book, army)) if isinstance(card, CommandCard)]
    known = {slug: book.commands[slug] for slug in army.command_cards if slug in book.commands}
    groups = []
    for pips, number in PIPS.items():
        if pips == PIPS_OF_STANDING_ORDERS:
            continue
        chosen = [slug for slug in army.command_cards if slug in known and known[slug].pips == pips]
        offered = {card.slug: card for card in cards if card.pips == pips} | {slug: known[slug] for slug in chosen}
        wanted = {slug: needs(card) for slug, card in offered.items()}
        labels = sorted(
            (f"{card.name} ({wanted[slug]})" if wanted[slug] else card.name, slug) for slug, card in offered.items()
        )
        groups.append({"name": "•" * pips, "fields": _fields(f"hand-{pips}", [("", labels)], chosen, number)})
    return groups


def deck_groups(book: Rulebook, army: PlainArmy) -> list[dict[str, Any]]:
    """Return the fields of the Battle Deck: three of each type."""
    faction = faction_of(book, army)
    groups = []
    for kind in TYPES:
        chosen = [
            slug for slug in army.battle_cards if slug in book.battle_cards and book.battle_cards[slug].type == kind
        ]
        by_format: dict[str, list[tuple[str, str]]] = {"standard": [], "recon": []}
        for slug, card in book.battle_cards.items():
            fits = not card.retired and card.faction in ("", faction)
            if card.type == kind and (fits or slug in chosen):
                by_format.setdefault(card.format, []).append((card.name, slug))
        options = [(gettext(form).capitalize(), sorted(labels)) for form, labels in by_format.items() if labels]
        fields = _fields(f"deck-{kind}", options, chosen, OF_EACH)
        groups.append({"name": plural(kind).capitalize(), "fields": fields})
    return groups


def by_unit(violations: Iterable[Violation], number: int) -> tuple[list[Violation], list[list[Violation]]]:
    """Return the violations of an army of `number` units: those of no unit, and those of each unit."""
    general, units = [], [[] for _ in range(number)]  # type: ignore[var-annotated]
    for violation in violations:
        place = int(violation.about) if violation.about.isdecimal() else number
        (units[place] if place < number else general).append(violation)
    return general, units


def _fields(
    id_: str, groups: Sequence[tuple[str, Sequence[tuple[str, str]]]], chosen: Sequence[str], number: int
) -> list[dict[str, Any]]:
    """Return fields for one card each: groups of options, by their names (empty for the only group)."""
    return [
        {"id": f"id_{id_}-{place}", "chosen": chosen[place] if place < len(chosen) else "", "groups": groups}
        for place in range(max(number, len(chosen)))
    ]


def _release(book: Rulebook, card: Unit | Upgrade) -> str:
    if book.is_released(card):
        return ""
    if card.release <= book.today:
        return gettext("points not published")
    return gettext("expected %(release)s") % {"release": card.release}


def _price(book: Rulebook, card: Upgrade) -> str:
    return " · ".join(filter(None, (_release(book, card), str(card.points))))


def _span(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"
