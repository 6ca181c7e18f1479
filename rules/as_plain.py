"""The army of a Register beside the core rules: what it is as a plain army, and what makes the two differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .army import Army, BattleTerms
from .assets import SPECIAL_EQUIPMENT
from .command_hand import STANDING_ORDERS
from .force import Force
from .language import gettext
from .plain_army import PlainArmy, PlainUnit
from .rulebook import Rulebook
from .wording import unit_label


def as_plain(book: Rulebook, force: Force, army: Army, size: int, hand: tuple[str, ...] = ()) -> PlainArmy:
    """An army as the core rules see it: cards and points, nothing that happened to them.

    `size` is the points agreed on; reinforcements (R20) are none of the core rules. `hand` are the slugs of its
    Command Hand, for those who may see it; Paragon Command Cards stay out.
    """
    gear: defaultdict[str, list[str]] = defaultdict(list)
    for lent in army.lent:
        if lent.asset == SPECIAL_EQUIPMENT:
            gear[lent.bearer] += [card.slug for card in lent.upgrades]
    units = [
        PlainUnit(force.dossiers[key].card, (*upgrades, *gear[key]))
        for key, upgrades in army.fielded.items()
        if key in force.dossiers
    ]
    units += [
        PlainUnit(lent.unit.slug, (*(card.slug for card in lent.upgrades), *gear[lent.key]))
        for lent in army.lent
        if lent.unit
    ]
    return PlainArmy(
        faction=force.faction,
        battle_force=army.battle_force,
        size=size,
        title=force.name,
        units=tuple(units),
        command_cards=tuple(slug for slug in hand if slug in book.commands and slug != STANDING_ORDERS),
        battle_cards=army.battle_deck,
    )


def differences(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> Iterator[str]:
    """What a Register's army has and the plain check leaves out, a sentence each."""
    fielded = [force.dossiers[key] for key in army.fielded if key in force.dossiers]
    extra = sum(book.setbacks[slug].army_points_each for unit in fielded for slug in unit.setbacks)
    if extra:
        yield gettext("The {extra} points that Setbacks add are not counted.", extra=extra)
    if terms.reinforcements:
        yield gettext(
            "The {reinforcements} points of reinforcements are not allowed for.",
            reinforcements=terms.reinforcements,
        )
    for unit in fielded:
        for slug in unit.commendations:
            if book.commendations[slug].upgrade_slots:
                name = book.commendations[slug].name
                yield gettext(
                    "{unit}: the slot that {name} gives is not there.",
                    unit=unit_label(book, force, unit.key),
                    name=name,
                )
    if any(lent.asset == SPECIAL_EQUIPMENT and not lent.bearer for lent in army.lent):
        yield gettext("Special equipment that nobody was given yet is not counted.")
    if army.agenda:
        yield gettext("The Agenda has no place in it.")
