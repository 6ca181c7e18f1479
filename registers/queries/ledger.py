"""Queries of the ledger pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import groupby
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from registers.campaign_side import BattleName, battle_names
from registers.ledger.filters import LedgerFilter
from registers.ledger.lines import LedgerLine, Sums, balances, falls, is_undone, lines, lines_of, who_of
from registers.ledger.session import effects_of_entry, rulebook_for
from registers.ledger.summary import summary_of
from registers.ledger.text import names_of
from registers.models import Dossier, DossierUpgrade, EntryType, LedgerEntry, Register, UnitStatus
from registers.options.context import next_arcs
from rules.core.rulebook import Rulebook
from rules.register.building import MINIMUM_CORPS, must_add_corps
from rules.register.state import Dossier as Unit
from rules.register.state import RegisterState


def battles_of_the_fallen(register: Register) -> dict[str, BattleName]:
    """Return the battle in which each unit fell, by unit key."""
    entries = register.entries.filter(effects__contains=[{"kind": "UnitFell"}], undone_by__isnull=True).order_by(
        "place", "position"
    )
    fell = {key: entry.battle for key, entry in falls(entries)}
    names = battle_names(fell.values())
    return {key: names[battle] for key, battle in fell.items() if battle in names}


def entries_of(register: Register) -> QuerySet[LedgerEntry]:
    """Return the entries of a Register, with actors and owners they acted for, and the entries they undo."""
    return register.entries.select_related("actor", "on_behalf_of", "undoes", "undone_by")


def ledger_lines(register: Register, book: Rulebook, state: RegisterState, **asked: str) -> list[LedgerLine]:
    """Return lines of a Register's ledger, newest first. `asked` are the filters of `registers.ledger.lines.lines`."""
    return lines(entries_about(register, **asked), names_of(book, state), book, **asked)


def entries_about(register: Register, **asked: str) -> list[LedgerEntry]:
    """Return the entries of a Register that match, oldest first, with the users who undid them."""
    who = ("undone_by__actor", "undone_by__on_behalf_of")
    return list(LedgerFilter(**asked).among(entries_of(register).select_related(*who)).order_by("position"))


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """An entry with its lines and its battle's name."""

    entry: LedgerEntry
    lines: list[LedgerLine]
    battle: BattleName | None

    @property
    def who(self) -> str:
        """Who acted, and for whom."""
        return who_of(self.entry)

    @property
    def undone_by(self) -> str:
        """Who undid or replaced the entry, and for whom."""
        return who_of(self.entry.undone_by) if self.undone else ""

    @property
    def undone(self) -> bool:
        """Whether the entry was undone or replaced."""
        return is_undone(self.entry)


def history_entries(
    entries: Iterable[LedgerEntry],
    names: Mapping[str, str],
    book: Rulebook,
    asked: LedgerFilter,
    sums: Sums,
    battles: Mapping[str, BattleName] | None = None,
) -> list[HistoryEntry]:
    """Return entries (newest first) in words, with the amounts that `asked` filters for. Two queries at most."""
    page = list(entries)
    battles = battle_names({entry.battle for entry in page}) if battles is None else battles
    history = []
    for entry in page:
        entry_lines = lines_of(entry, names, book, sums=sums, **asked.of_effects)
        if asked.of:
            entry_lines.reverse()  # balances run down from the newest; otherwise the first line is what happened first
        history.append(HistoryEntry(entry=entry, lines=entry_lines, battle=battles.get(entry.battle)))
    return history


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryGroup:
    """Entries of one battle, or between battles, that follow each other. `summary` is what they came to.

    `open` if it is shown unfolded; `builds` if the Register was started in it.
    """

    battle: BattleName | None
    entries: list[HistoryEntry]
    summary: list[dict[str, str]]
    builds: bool
    open: bool

    @property
    def began(self) -> datetime:
        """When the first of the entries was made."""
        return self.entries[-1].entry.created_at


def history_groups(
    entries: Iterable[HistoryEntry], names: Mapping[str, str], *, position: int | None = None, unfold: bool = False
) -> list[HistoryGroup]:
    """Return entries (newest first) in groups by battle. The group with `position` is open, or all if `unfold`."""
    groups = []
    for _battle, same in groupby(entries, key=lambda item: item.entry.battle):
        items = list(same)
        counting = (effect for item in items if not item.undone for effect in effects_of_entry(item.entry))
        groups.append(
            HistoryGroup(
                battle=items[0].battle,
                entries=items,
                summary=summary_of(counting, names),
                builds=any(item.entry.act == EntryType.OPEN for item in items),
                open=unfold or any(item.entry.position == position for item in items),
            )
        )
    return groups


def asked_entries(register: Register, asked: LedgerFilter) -> tuple[list[LedgerEntry], Sums]:
    """Return matching entries (newest first) and sums, if `asked` is for a number, unit or Agenda. One query."""
    # Sums include entries that the other filters exclude. A correction shows only in its values which number it
    # changes, so entries without a sum are left out afterwards.
    entries = list(LedgerFilter(**asked.of_effects).among(entries_of(register)).order_by("position"))
    sums = balances(entries, **asked.of_effects)
    fitting = [entry for entry in entries if asked.fits(entry) and sums.get(entry.pk)]
    return fitting[::-1], sums


def corrections_of(register: Register, book: Rulebook, state: RegisterState) -> list[HistoryEntry]:
    """Return the corrections of a Register, newest first, with the entries that undid them and undid those."""
    who = [f"undone_by__{name}" for name in ("actor", "on_behalf_of", "undone_by")]
    corrections = entries_of(register).filter(act=EntryType.CORRECT).select_related(*who)
    return history_entries(corrections.order_by("-position"), names_of(book, state), book, LedgerFilter(), {})


def last_entries(register: Register, book: Rulebook, state: RegisterState, number: int) -> list[HistoryEntry]:
    """Return the last entries of a Register, newest first."""
    last = entries_of(register).filter(position__gt=register.position - number)
    last = last.select_related("undone_by__undone_by")
    return history_entries(last.order_by("-position"), names_of(book, state), book, LedgerFilter(), {})


class Lacking(Enum):
    """Things that a Register lacks and its player has to choose."""

    COMMISSION = "commission"
    STORY_ARC = "story arc"
    CORPS = "corps"


def perhaps_unready(user: int) -> QuerySet[Register]:
    """Return a player's Registers (by key) that may not be ready for a battle, with `units` for `lacking_of`.

    Read on every page: not commissioned yet, a complete campaign that may continue (R49), or corps units due (R4, R11).
    """
    corps = Q(dossiers__status=UnitStatus.SERVING, dossiers__unit__rank="corps")
    registers = Register.objects.filter(owner=user, discarded=False)
    short = Q(in_field_battle="", corps__lt=MINIMUM_CORPS)
    unready = registers.annotate(corps=Count("dossiers", filter=corps)).filter(
        Q(commissioned=False) | Q(saga_complete=True) | short
    )
    # Django drops a model's default ordering from an annotated query that groups.
    return unready.annotate(units=_units()).order_by("name", "created_at")


def lacking_of(register: Register, units: Iterable[Mapping[str, Any]]) -> Lacking | None:
    """Return what a Register of `perhaps_unready` lacks; None if it lacks nothing."""
    if not register.commissioned:
        return Lacking.COMMISSION
    book, state = rulebook_for(register), _outline(register, units)
    if next_arcs(book, state):
        return Lacking.STORY_ARC
    return Lacking.CORPS if not register.in_field_battle and must_add_corps(book, state) else None


def _units() -> ArraySubquery:
    upgrades = DossierUpgrade.objects.filter(dossier=OuterRef("pk")).values("upgrade_id")
    units = Dossier.objects.filter(register=OuterRef("pk"), status=UnitStatus.SERVING).order_by("order")
    return ArraySubquery(
        units.values(json=JSONObject(key="key", card="unit_id", faction="faction", upgrades=ArraySubquery(upgrades)))
    )


def _outline(register: Register, units: Iterable[Mapping[str, Any]]) -> RegisterState:
    return RegisterState(
        faction=register.faction,
        commissioned=register.commissioned,
        combat_potential=register.combat_potential,
        arcs_ended=register.arcs_ended,
        saga_complete=register.saga_complete,
        dossiers={unit["key"]: Unit(**unit) for unit in units},
    )
