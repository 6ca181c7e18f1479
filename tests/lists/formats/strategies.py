"""Random armies that are legal as far as cards go: units that may serve, upgrades that may be equipped."""

from functools import cache

from hypothesis import strategies as st

from lists.formats.cards import card_index
from rules.battle.command_hand import STANDING_ORDERS
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.catalogue.loader import read_catalogue
from rules.core.card_types import FACTIONS, MERCENARY, Upgrade
from rules.register.upgrade_slots import Bearer, equip_violations, shares_faction
from tests.cards import CARDS

#: Every card of the project's own catalogue.
INDEX = card_index(read_catalogue(CARDS).cards)

SIZES = (600, 800, 1000, 1600)
#: Signs alone are a line between two parts.
TITLES = (
    st.text("Aé „–'/()1 x•:\"&", max_size=20)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: not text or any(map(str.isalnum, text)))
)


@st.composite
def armies(draw) -> PlainArmy:
    """An army of any Faction, with a battle force or without; mercenaries and Mandalorians always have one."""
    faction = draw(st.sampled_from((*FACTIONS, MERCENARY)))
    own = [battle_force.slug for battle_force in INDEX.battle_forces.values() if battle_force.faction == faction]
    none = [] if faction in (MERCENARY, "mandalorian") else [""]
    battle_force = draw(st.sampled_from([*none, *own]))
    size = draw(st.sampled_from(SIZES))
    scenario = draw(st.sampled_from(["recon", "standard"])) if size == 800 else "recon" if size < 800 else "standard"
    deck = [card.slug for card in INDEX.battle_cards.values() if card.format == scenario]
    hand = [slug for slug in INDEX.command_cards if slug != STANDING_ORDERS]
    return PlainArmy(
        faction=faction,
        battle_force=battle_force,
        size=size,
        title=draw(TITLES),
        units=tuple(draw(st.lists(units(faction, battle_force), min_size=1, max_size=6))),
        command_cards=tuple(draw(st.lists(st.sampled_from(hand), unique=True, max_size=6))),
        battle_cards=tuple(draw(st.lists(st.sampled_from(deck), unique=True, max_size=9))),
    )


@st.composite
def units(draw, faction: str, battle_force: str) -> PlainUnit:
    """A unit with some of the upgrades that its slots and their restrictions allow, in any order."""
    slug = draw(st.sampled_from(_serving(faction, battle_force)))
    coming = [card for card in INDEX.counterparts.values() if slug in card.parent_unit_slugs]
    counterpart = draw(st.sampled_from([None, *coming]))
    slots = counterpart.upgrade_slots if counterpart else ()
    own = [card.slug for card in INDEX.upgrades.values() if card.type in slots and not card.restrictions]
    return PlainUnit(
        slug,
        _equipped(slug, faction, draw(st.lists(st.sampled_from(_possible(slug, faction) or [None]), max_size=6))),
        counterpart.slug if counterpart else "",
        tuple(draw(st.lists(st.sampled_from(own), max_size=1))) if own else (),
    )


@cache
def _serving(faction: str, battle_force: str) -> list[str]:
    return [
        unit.slug
        for unit in INDEX.units.values()
        if (unit.slug in INDEX.battle_forces[battle_force].units if battle_force else shares_faction(unit, faction))
    ]


def _bearer(unit: str, faction: str) -> Bearer:
    card = INDEX.units[unit]
    return Bearer(card, "" if faction == MERCENARY else faction, card.faction, card.affiliation)


@cache
def _possible(unit: str, faction: str) -> list[Upgrade]:
    """The upgrades that a unit may have, could it have the slots."""
    types = {*INDEX.units[unit].upgrade_slots, *(slot for c in INDEX.upgrades.values() for slot in c.grants_slots)}
    return [
        card
        for card in INDEX.upgrades.values()
        if card.type in types
        and not any(violation.about == card.slug for violation in equip_violations(_bearer(unit, faction), [], [card]))
    ]


def _equipped(unit: str, faction: str, wanted: list[Upgrade | None]) -> tuple[str, ...]:
    """Those of the upgrades that the unit can have together, by slug; the last one comes first."""
    have: list[Upgrade] = []
    for card in wanted:
        if card and not [*equip_violations(_bearer(unit, faction), have, [card])]:
            have.append(card)
    return tuple(card.slug for card in reversed(have))
