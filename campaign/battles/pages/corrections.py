"""Corrections, awards and amendments as rows of a table: who changed what on which Registers, and why."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any
from uuid import UUID

from campaign.battles.models import Amendment, LedgerCorrection
from campaign.battles.queries.corrections import CorrectionKind, entries_of_acts
from core.names import name_order
from registers.ledger.lines import is_undone
from registers.ledger.past import past_of
from registers.ledger.session import effects_of_entry, rulebook_for
from registers.ledger.text import Names, corrected_value, gift_sentences, names_of, sentence
from registers.models import LedgerEntry, Register
from registers.pages.comparison import compare_states
from registers.projection import states_of
from rules.adjustments.awards import Gift
from rules.core.values import KeywordValue
from rules.register.effects import Corrected
from rules.register.state import RegisterState

#: So many Registers of an act are compared: each replays its whole ledger twice.
MOST_COMPARED = 16


class CorrectionRow(KeywordValue):
    """One act. `changes` are its values, each with the value before and after; both are empty if a sentence says it."""

    pk: int
    kind: CorrectionKind
    entries: list[LedgerCorrection]
    changes: list[tuple[str, str, str]]

    @property
    def first(self) -> LedgerCorrection:
        """The entry of the first Register."""
        return self.entries[0]

    @property
    def registers(self) -> list[Register]:
        """The Registers, by name."""
        found = {entry.register_id: entry.register for entry in self.entries}.values()
        return sorted(found, key=lambda each: name_order(each.name))

    @property
    def players(self) -> list[str]:
        """The names of their players."""
        return list(dict.fromkeys(str(each.owner) for each in self.registers if each.owner))

    @property
    def campaign(self) -> str:
        """The name of the campaign, if they are in one."""
        enlistment = getattr(self.first.register, "enlistment", None)
        return str(enlistment.campaign) if enlistment else ""

    @property
    def undone(self) -> bool:
        """Whether all of it was undone."""
        return all(map(is_undone, self.entries))

    @property
    def change_texts(self) -> list[str]:
        """The changes as short texts."""
        return [f"{what}: {before} → {after}" if before else what for what, before, after in self.changes]


def correction_rows(found: Iterable[Any]) -> list[CorrectionRow]:
    """Return the acts of these entries of `correction_entries`, in their order. Four queries."""
    found = list(found)
    acts: dict[str, list[LedgerCorrection]] = {}
    for entry in entries_of_acts([each.together for each in found]):
        acts.setdefault(entry.together, []).append(entry)
    amendments = Amendment.objects.select_related("battle").in_bulk(
        [each.amendment for each in found if each.amendment]
    )
    states = states_of([entries[0].register for entries in acts.values()])
    return [
        CorrectionRow(
            pk=each.pk,
            kind=CorrectionKind(each.kind),
            entries=(entries := acts[each.together]),
            changes=list(_changes(each.kind, entries[0], states[entries[0].register_id], amendments)),
        )
        for each in found
    ]


def _changes(
    kind: str, entry: Any, state: RegisterState, amendments: Mapping[UUID, Amendment]
) -> Iterator[tuple[str, str, str]]:
    book = rulebook_for(entry.register)
    if kind == CorrectionKind.AMENDMENT:
        yield str(amendments[entry.amendment]), "", ""
    elif kind == CorrectionKind.AWARD:
        yield from ((text, "", "") for text in gift_sentences(Gift.from_data(entry.answers[0]), book))
    else:
        names = names_of(book, state)
        for effect in effects_of_entry(entry):
            is_value = isinstance(effect, Corrected)
            yield corrected_value(effect, Names(names, book)) if is_value else (sentence(effect, names, book), "", "")


def compared(row: CorrectionRow) -> Iterator[tuple[Register, list[dict[str, Any]]]]:
    """Yield the first Registers of an act, at most MOST_COMPARED, with all that differs after it. One query."""
    ledgers: dict[UUID, list[LedgerEntry]] = {register.pk: [] for register in row.registers[:MOST_COMPARED]}
    for entry in LedgerEntry.objects.filter(register__in=ledgers).defer("answers").order_by("position"):
        ledgers[entry.register_id].append(entry)
    shown = [entry for entry in row.entries if entry.register_id in ledgers]
    for register, same in groupby(shown, key=lambda entry: entry.register):
        positions = [entry.position for entry in same]
        before, after = (past_of(ledgers[register.pk], at).state for at in (positions[0] - 1, positions[-1]))
        yield register, compare_states(rulebook_for(register), before, after)
