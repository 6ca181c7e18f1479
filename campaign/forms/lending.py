"""What one asset brings into an army (R21): a unique unit with its upgrades, a unique upgrade, an exemption."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import QueryDict

from rules.army import (
    EXTRAORDINARY_USE,
    HEROIC_INTERVENTION,
    REQUEST_ASSISTANCE,
    SPECIAL_EQUIPMENT,
    Army,
    Lent,
)
from rules.cards import RANKS, Unit, Upgrade
from rules.equipment import (
    Bearer,
    availability_problems,
    bearer,
    equip_problems,
    lent_bearer,
    shares_faction,
    spoken,
)
from rules.force import Force
from rules.rulebook import Rulebook

BRINGS_A_UNIT = (REQUEST_ASSISTANCE, HEROIC_INTERVENTION)
BRINGS = (*BRINGS_A_UNIT, SPECIAL_EQUIPMENT, EXTRAORDINARY_USE)


@dataclass(frozen=True, slots=True)
class LendingForm:
    """The part of the form for one asset in use. `token` tells it from another of its kind, `key` is that of the
    unit it lends, `kept` what was mustered with it.
    """

    book: Rulebook
    force: Force
    token: str
    key: str
    asset: str
    said: QueryDict | None
    kept: Lent | None = None

    @property
    def brings_something(self) -> bool:
        """Whether there is something to choose."""
        return self.asset in BRINGS

    @property
    def unit(self) -> Unit | None:
        """The unit chosen."""
        if self.asset not in BRINGS_A_UNIT:
            return None
        slug = self._one("unit", self.kept.unit.slug if self.kept and self.kept.unit else "")
        return self.book.units.get(slug)

    @property
    def upgrades(self) -> tuple[Upgrade, ...]:
        """The upgrades chosen. Those of a unit that was chosen before and cannot be had by this one fall away."""
        kept = [card.slug for card in self.kept.upgrades] if self.kept else []
        slugs = self.said.getlist(f"lent-{self.token}-upgrade") if self.said is not None else kept
        cards = [self.book.upgrades[slug] for slug in slugs if slug in self.book.upgrades]
        if (unit := self.unit) and self._one("for", unit.slug) != unit.slug:
            return ()
        return tuple(cards)

    @property
    def bearer(self) -> str:
        """The unit of the army that bears the special equipment, or is exempted."""
        return self._one("bearer", self.kept.bearer if self.kept else "")

    @property
    def lent(self) -> Lent | None:
        """What the asset brings; nothing where nothing was chosen yet or it brings nothing."""
        if self.asset in BRINGS_A_UNIT:
            return Lent(self.asset, self.key, self.unit, self.upgrades) if self.unit else None
        if self.asset == SPECIAL_EQUIPMENT and self.upgrades:
            return Lent(self.asset, upgrades=self.upgrades, bearer=self.bearer)
        if self.asset == EXTRAORDINARY_USE and self.bearer:
            return Lent(self.asset, bearer=self.bearer)
        return None

    def _one(self, word: str, kept: str) -> str:
        return kept if self.said is None else self.said.get(f"lent-{self.token}-{word}", "")

    # --- What is shown ---------------------------------------------------------------------------------------

    def context(self, army: Army, units: list[tuple[str, str]]) -> dict[str, Any] | None:
        """What the template takes, or nothing for an asset that brings nothing."""
        if not self.brings_something:
            return None
        shown: dict[str, Any] = {"token": self.token}
        if self.asset in BRINGS_A_UNIT:
            shown["units"] = _grouped(self._units(), self.unit)
            shown["unit"] = self.unit
            shown["slots"] = list(self._slots()) if self.unit else []
        else:
            bearers = [pair for pair in units if pair[0] != self.key]
            shown["bearers"] = [
                {"value": k, "label": name, "chosen": k == self.bearer} for k, name in bearers
            ]
        if self.asset == SPECIAL_EQUIPMENT:
            chosen = next(iter(self.upgrades), None)
            shown["equipment"] = _grouped(self._equipment(army), chosen)
        return shown

    def _units(self) -> Iterator[Unit]:
        wants_commander = self.asset == HEROIC_INTERVENTION
        for unit in self.book.units.values():
            if unit.unique and (unit.rank == "commander") is wants_commander and self._serves(unit):
                yield unit

    def _serves(self, unit: Unit) -> bool:
        return shares_faction(unit, self.force.faction) and not [*availability_problems(self.book, unit)]

    def _slots(self) -> Iterator[dict[str, Any]]:
        """One choice for each slot the unit has, those that its chosen upgrades give included."""
        unit = self.unit
        if unit is None:
            return
        chosen = list(self.upgrades)
        slots = sorted([*unit.upgrade_slots, *(slot for card in chosen for slot in card.grants_slots)])
        mine = lent_bearer(self.force, unit)
        for slot in slots:
            here = next((card for card in chosen if card.type == slot), None)
            if here:
                chosen.remove(here)
            yield {
                "type": slot,
                "name": spoken(slot),
                "options": _options(self._equippable(mine, slot), here),
            }

    def _equippable(self, unit: Bearer, slot: str) -> list[Upgrade]:
        cards = (card for card in self.book.upgrades.values() if card.type == slot)
        roomy = Bearer(unit.card, unit.army_faction, unit.faction, unit.affiliation, (slot,))
        return [card for card in cards if self._fits(roomy, card)]

    def _equipment(self, army: Army) -> Iterator[Upgrade]:
        """Unique upgrades that the bearer can equip; all that any unit might, where none is named yet."""
        mine = self._bearer(army)
        for card in self.book.upgrades.values():
            if (
                card.unique
                and not [*availability_problems(self.book, card)]
                and (mine is None or self._fits(mine, card))
            ):
                yield card

    def _bearer(self, army: Army) -> Bearer | None:
        if self.bearer in self.force.dossiers:
            return bearer(self.book, self.force, self.force.dossiers[self.bearer])
        lent = next((lent for lent in army.lent if lent.unit and lent.key == self.bearer), None)
        return lent_bearer(self.force, lent.unit) if lent and lent.unit else None

    def _fits(self, unit: Bearer, card: Upgrade) -> bool:
        return not [*equip_problems(unit, [], [card]), *availability_problems(self.book, card)]


def _options(cards: Iterable[Unit | Upgrade], chosen: Unit | Upgrade | None) -> list[dict[str, Any]]:
    slug = chosen.slug if chosen else ""
    return [
        {"value": card.slug, "label": f"{card.full_name}, {card.points}", "chosen": card.slug == slug}
        for card in sorted(cards, key=lambda card: card.full_name)
    ]


def _grouped(cards: Iterable[Unit | Upgrade], chosen: Unit | Upgrade | None) -> list[dict[str, Any]]:
    """Options by rank or upgrade type, in the order of the printed tables."""

    def kind(card: Unit | Upgrade) -> str:
        return card.rank if isinstance(card, Unit) else card.type

    def order(card: Unit | Upgrade) -> tuple[int, str]:
        return (RANKS.index(card.rank) if isinstance(card, Unit) else 0, kind(card))

    groups = groupby(sorted(cards, key=order), kind)
    return [{"name": spoken(name).capitalize(), "options": _options(found, chosen)} for name, found in groups]
