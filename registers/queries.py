"""What the pages read of the ledger."""

from __future__ import annotations

from rules.force import Force
from rules.rulebook import Rulebook

from .battles import BattleName, battle_names
from .lines import Line, falls, lines
from .models import Entry, Register
from .words import names_of


def battles_of_the_fallen(register: Register) -> dict[str, BattleName]:
    """Unit key to the battle in which it fell."""
    entries = register.entries.filter(
        effects__contains=[{"kind": "UnitFell"}], undone_by__isnull=True
    ).order_by("position")
    fell = {key: entry.battle for key, entry in falls(entries)}
    names = battle_names(fell.values())
    return {key: names[battle] for key, battle in fell.items() if battle in names}


def ledger_lines(register: Register, book: Rulebook, force: Force, **asked: str) -> list[Line]:
    """The lines of a Register's ledger, newest first; `asked` as `registers.lines.lines` has it."""
    entries = Entry.objects.filter(register=register).select_related("undoes", "actor").order_by("position")
    return lines(entries, names_of(book, force), book, **asked)
