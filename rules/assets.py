"""Strategic Assets in an army, and what they lend to it (R21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .army import Army, BattleTerms
from .equipment import (
    availability_problems,
    bearer,
    equip_problems,
    faction_name,
    lent_bearer,
    shares_faction,
)
from .force import Force
from .language import gettext
from .refusal import Problem
from .report import Lent
from .rulebook import Rulebook

REQUEST_ASSISTANCE = "request-assistance"
HEROIC_INTERVENTION = "heroic-intervention"
BRING_UNITS = (REQUEST_ASSISTANCE, HEROIC_INTERVENTION)
SPECIAL_EQUIPMENT = "requisition-special-equipment"
EXTRAORDINARY_USE = "authorized-extraordinary-use"


def asset_problems(book: Rulebook, force: Force, army: Army, terms: BattleTerms) -> Iterator[Problem]:
    """Assets that the Register does not have, or not for this battle, and more lent than they bring (R21)."""
    for slug in Counter(army.assets) - Counter(force.assets):
        name = book.assets[slug].name if slug in book.assets else slug
        yield Problem("R21", gettext("{name} is not on the Register.", name=name), slug)
    for slug in dict.fromkeys(army.assets):
        if terms.own_turning_point and slug in book.assets and book.assets[slug].not_in_own_turning_point:
            yield Problem(
                "R21",
                gettext("{asset} stays out of your own Turning Point Mission.", asset=book.assets[slug].name),
                slug,
            )
    for slug in Counter(lent.asset for lent in army.lent) - Counter(army.assets):
        text = gettext("More is lent by {slug} than the assets in use allow.", slug=slug)
        yield Problem("R21", text, slug)


def lent_problems(book: Rulebook, force: Force, army: Army, lent: Lent) -> Iterator[Problem]:
    """What is wrong with a unit or an upgrade that an asset brings into the army (R21)."""
    if lent.asset in BRING_UNITS:
        yield from _lent_unit_problems(book, force, lent)
    elif lent.asset == SPECIAL_EQUIPMENT:
        yield from _equipment_problems(book, force, army, lent)
    elif lent.asset != EXTRAORDINARY_USE:
        yield Problem("R21", gettext("{asset} brings nothing into an army.", asset=lent.asset), lent.asset)
    elif lent.bearer not in _army_keys(army) or lent.unit or lent.upgrades:
        yield Problem(
            "R21", gettext("Authorized Extraordinary Use exempts one unit of the army."), lent.asset
        )


def _lent_unit_problems(book: Rulebook, force: Force, lent: Lent) -> Iterator[Problem]:
    unit, commander = lent.unit, lent.asset == HEROIC_INTERVENTION
    if unit is None:
        yield Problem("R21", gettext("Name the unit that the asset brings."), lent.asset)
        return
    if not unit.unique or (unit.rank == "commander") is not commander:
        wanted = gettext("a unique commander") if commander else gettext("a unique unit that is no commander")
        yield Problem(
            "R21",
            gettext("This asset brings {wanted}, which {unit} is not.", wanted=wanted, unit=unit.full_name),
            lent.asset,
        )
    if not shares_faction(unit, force.faction):
        yield Problem(
            "R21",
            gettext(
                "{unit} cannot serve in this army: its Faction is {faction}.",
                unit=unit.full_name,
                faction=faction_name(force.faction),
            ),
            lent.asset,
        )
    yield from availability_problems(book, unit)
    for card in lent.upgrades:
        yield from availability_problems(book, card)
    if lent.upgrades:
        yield from equip_problems(lent_bearer(force, unit), [], lent.upgrades)


def _equipment_problems(book: Rulebook, force: Force, army: Army, lent: Lent) -> Iterator[Problem]:
    if lent.unit or len(lent.upgrades) != 1 or not lent.upgrades[0].unique:
        yield Problem("R21", gettext("Requisition Special Equipment brings one unique upgrade."), lent.asset)
        return
    [card] = lent.upgrades
    yield from availability_problems(book, card)
    if not lent.bearer:
        return
    more = [
        upgrade
        for other in army.lent
        if other is not lent and other.asset == SPECIAL_EQUIPMENT and other.bearer == lent.bearer
        for upgrade in other.upgrades
    ]
    if lent.bearer in army.fielded and lent.bearer in force.dossiers:
        have = [book.upgrades[slug] for slug in army.fielded[lent.bearer] if slug in book.upgrades]
        yield from equip_problems(bearer(book, force, force.dossiers[lent.bearer]), [*have, *more], [card])
        return
    other = next((other for other in army.lent if other.unit and other.key == lent.bearer), None)
    if other and other.unit:
        yield from equip_problems(lent_bearer(force, other.unit), [*other.upgrades, *more], [card])
    else:
        yield Problem("R21", gettext("{card} goes to a unit of the army.", card=card.full_name), lent.asset)


def _army_keys(army: Army) -> set[str]:
    return {*army.fielded, *(lent.key for lent in army.lent if lent.unit)}
