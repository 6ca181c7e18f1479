"""Entries of a ledger and their lines."""

from django.db.models import QuerySet

from registers.campaign_side import BattleName, battle_names
from registers.ledger.filters import LedgerFilter
from registers.ledger.lines import LedgerLine, Sums, balances, falls, lines
from registers.ledger.text import names_of
from registers.models import LedgerEntry, Register
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState

#: Entries read to find the last deed: more than a unit has in one Post-Battle Sequence.
ENTRIES_READ = 12


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


def asked_entries(register: Register, asked: LedgerFilter) -> tuple[list[LedgerEntry], Sums]:
    """Return matching entries (newest first) and sums, if `asked` is for a number, unit or Agenda. One query."""
    # Sums include entries that the other filters exclude. A correction shows only in its values which number it
    # changes, so entries without a sum are left out afterwards.
    entries = list(LedgerFilter(**asked.of_effects).among(entries_of(register)).order_by("position"))
    sums = balances(entries, **asked.of_effects)
    fitting = [entry for entry in entries if asked.fits(entry) and sums.get(entry.pk)]
    return fitting[::-1], sums


def battle_entries_about(register: Register, unit: str) -> list[LedgerEntry]:
    """Return the last entries of battles that name a unit (its key) and count, newest first. One query."""
    about = register.entries.filter(effects__contains=[{"unit": unit}], undone_by__isnull=True)
    return list(about.exclude(battle="").order_by("-position")[:ENTRIES_READ])
