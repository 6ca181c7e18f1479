"""Match an army list to Dossiers of a Register: the filled-in army form, which saves nothing, and what is missing."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from lists.formats.parsed import LineKind, ParsedLine
from registers.imports.form import Pasted
from registers.imports.judging import OUT, ListDecisions
from rules.battle.command_hand import STANDING_ORDERS
from rules.core.card_types import Unit
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.register.labels import unit_hint, unit_label
from rules.register.state import Dossier, RegisterState

#: List lines that fill in fields of the army form, by field name.
FIELDS: Mapping[LineKind, str] = {
    LineKind.COMMAND_CARD: "hand",
    LineKind.BATTLE_CARD: "deck",
    LineKind.BATTLE_FORCE: "battle_force",
}


class Wanted(Value):
    """A unit of a list: its position, the cards it may be, and what each of its upgrades may be (a set of slugs)."""

    place: int
    cards: frozenset[str]
    upgrades: tuple[tuple[ParsedLine, frozenset[str]], ...]

    def taken(self, dossier: Dossier) -> tuple[str, ...]:
        """Return the upgrades of a Dossier that the list has too."""
        wanted = frozenset().union(*(slugs for _line, slugs in self.upgrades))
        return tuple(slug for slug in dossier.upgrades if slug in wanted)

    def missing(self, dossier: Dossier) -> list[str]:
        """Return the upgrades that the list has and the Dossier lacks, as they were read."""
        return [line.read for line, slugs in self.upgrades if not slugs & frozenset(dossier.upgrades)]

    def likeness(self, dossier: Dossier) -> tuple[int, int]:
        """Return how well a Dossier fits: how many upgrades both have, then minus the number that would stay behind."""
        common = len(self.taken(dossier))
        return common, common - len(dossier.upgrades)


@dataclass
class FromList:
    """A list that was read for one side, with its player's choices."""

    book: Rulebook
    state: RegisterState
    pasted: Pasted
    decisions: ListDecisions

    @cached_property
    def wanted(self) -> list[Wanted]:
        """The units of the list that may be on the Register."""
        cards = {dossier.card for dossier in self.state.dossiers.values()}
        upgrades: dict[int | None, list[tuple[ParsedLine, frozenset[str]]]] = defaultdict(list)
        for line in self.pasted.parsed.lines:
            if line.kind is LineKind.UPGRADE:
                upgrades[line.of].append((line, _meant(line)))
        return [
            Wanted(place, slugs & cards, tuple(upgrades[place]))
            for place, line in enumerate(self.pasted.parsed.lines)
            if line.kind is LineKind.UNIT and (slugs := _meant(line)) & cards
        ]

    def _fitting(self, wanted: Wanted) -> list[Dossier]:
        return [dossier for dossier in self.state.dossiers.values() if dossier.card in wanted.cards]

    @cached_property
    def alike(self) -> dict[int, str]:
        """The key of the most similar Dossier for each unit's position; each Dossier is used once."""
        pairs = [
            (wanted.likeness(dossier), -wanted.place, -int(dossier.key), wanted.place, dossier.key)
            for wanted in self.wanted
            for dossier in self._fitting(wanted)
        ]
        found: dict[int, str] = {}
        for *_likeness, place, key in sorted(pairs, reverse=True):
            if place not in found and key not in found.values():
                found[place] = key
        return found

    @cached_property
    def to_choose(self) -> dict[int, list[str]]:
        """The Dossiers that fit as well as the one found, for each unit's position; the player picks one."""
        return {
            wanted.place: [key, *others]
            for wanted in self.wanted
            if (key := self.alike.get(wanted.place)) and (others := list(self._others(wanted, key)))
        }

    def _others(self, wanted: Wanted, key: str) -> Iterator[str]:
        """Yield Dossiers that fit equally well: free ones, and those of a unit that could use this one instead."""
        holders = {held: place for place, held in self.alike.items()}
        units = {unit.place: unit for unit in self.wanted}
        own = self.state.dossiers[key]
        for dossier in self._fitting(wanted):
            if dossier.key == key or wanted.likeness(dossier) != wanted.likeness(own):
                continue
            holder = units.get(holders.get(dossier.key, -1))
            if holder is None or (
                own.card in holder.cards
                and holder.likeness(own) == holder.likeness(dossier)
                and (holder.taken(own), wanted.taken(dossier)) != (wanted.taken(own), holder.taken(dossier))
            ):
                yield dossier.key

    @cached_property
    def chosen(self) -> dict[int, str]:
        """The key of the chosen Dossier for each unit's position; undecided and left-out units are missing."""
        decided = {place: key for place, key in self.alike.items() if place not in self.to_choose}
        for place, keys in self.to_choose.items():
            if self.decisions.meant.get(place) in keys:
                decided[place] = self.decisions.meant[place]
        return decided

    @property
    def undecided(self) -> list[int]:
        """The positions without a choice, and those whose choice another unit has."""
        keys = list(self.chosen.values())
        return [
            place
            for place in self.to_choose
            if not self.decisions.left_out(place) and (place not in self.chosen or keys.count(self.chosen[place]) > 1)
        ]

    def fields(self) -> list[tuple[str, str]]:
        """Return the names and values of the army form, filled in."""
        found = []
        for wanted in self.wanted:
            if key := self.chosen.get(wanted.place):
                found.append(("unit", key))
                found += [("upgrade", f"{key}/{slug}") for slug in wanted.taken(self.state.dossiers[key])]
        for line in self.pasted.parsed.lines:
            if line.kind in FIELDS and line.card and line.card != STANDING_ORDERS:
                found.append((FIELDS[line.kind], line.card))
        return found

    def context(self) -> dict[str, Any]:
        """Return the template context."""
        paragon = self.state.paragon
        return {
            "units": [self._row(unit) for unit in self.wanted],
            "absent": [
                _unread(line)
                for place, line in enumerate(self.pasted.parsed.lines)
                if line.kind is LineKind.UNIT and place not in self.alike
            ],
            "strange": [
                _unread(line)
                for line in self.pasted.parsed.lines
                if (line.open and line.kind not in (LineKind.UNIT, LineKind.UPGRADE, LineKind.FACTION))
                or line.kind is LineKind.LOADOUT
            ],
            "staying": [
                unit_label(self.book, self.state, key)
                for key in self.state.dossiers
                if key not in self.chosen.values() and key != paragon
            ],
            "paragon": "" if paragon in self.chosen.values() else unit_label(self.book, self.state, paragon),
            "undecided": len(self.undecided),
            "choices": bool(self.to_choose),
            "fields": self.fields(),
            "hand": self._names(LineKind.COMMAND_CARD),
            "deck": self._names(LineKind.BATTLE_CARD),
            "text": self.pasted.text,
            "digest": self.pasted.digest,
            "format": str(self.pasted.parsed.format),
        }

    def _names(self, kind: LineKind) -> list[str]:
        return [line.read for line in self.pasted.parsed.lines if line.kind is kind and line.card]

    def _row(self, wanted: Wanted) -> dict[str, Any]:
        line = self.pasted.parsed.lines[wanted.place]
        key = self.chosen.get(wanted.place, "")
        dossier = self.state.dossiers.get(key)
        card: Unit = self.book.units[dossier.card if dossier else min(wanted.cards)]
        taken = wanted.taken(dossier) if dossier else ()
        behind = [slug for slug in dossier.upgrades if slug not in taken] if dossier else []
        meant = self.decisions.meant.get(wanted.place)
        return {
            "place": wanted.place,
            "read": line.read,
            "icon": card.rank,
            "name": unit_label(self.book, self.state, key) if dossier else "",
            "card": card.full_name,
            "taken": [self.book.upgrades[slug].full_name for slug in taken],
            "behind": [self.book.upgrades[slug].full_name for slug in behind],
            "missing": wanted.missing(dossier) if dossier else [],
            "options": [
                {"value": other, "label": self._label(other), "chosen": meant == other}
                for other in self.to_choose.get(wanted.place, ())
            ],
            "twice": bool(key) and list(self.chosen.values()).count(key) > 1,
            "left_out": self.decisions.left_out(wanted.place),
            "out": OUT,
        }

    def _label(self, key: str) -> str:
        dossier = self.state.dossiers[key]
        upgrades = ", ".join(self.book.upgrades[slug].full_name for slug in dossier.upgrades)
        hint = "; ".join(filter(None, (unit_hint(self.book, dossier), upgrades or _("no upgrades"))))
        return f"{unit_label(self.book, self.state, key)} ({hint})"


def _unread(line: ParsedLine) -> dict[str, Any]:
    return {"read": line.read, "why": [{"sentence": sentence} for sentence in line.violations]}


def _meant(line: ParsedLine) -> frozenset[str]:
    """Return all cards that a line may mean."""
    return frozenset((line.card,) if line.card else line.candidates)
