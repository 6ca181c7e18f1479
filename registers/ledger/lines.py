"""The ledger as lines of text, with amounts and balances."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext as _

from registers.ledger.session import effects_of_entry
from registers.ledger.text import sentence, who_did
from registers.ledger.typed_dice import typed_in
from registers.models import EntryType, LedgerEntry
from rules.adjustments.corrections import corrected_values
from rules.core.rulebook import Rulebook
from rules.core.translation import sentences_of, translated
from rules.register import effects as e


@dataclass(slots=True)
class LedgerLine:
    """One effect of an entry as a line of text.

    `amount` is the change of the number filtered for, `balance` its value afterwards, `why` the reason without the
    effect.
    """

    entry: LedgerEntry
    text: str
    why: str = ""
    rule: str = ""
    dice: list[dict[str, str]] = field(default_factory=list)
    by_hand: bool = False
    amount: int | None = None
    balance: int | None = None
    undone: bool = False

    @property
    def signed(self) -> str:
        """The amount with its sign."""
        return f"{self.amount:+d}".replace("-", "−") if self.amount is not None else ""


def who_of(entry: LedgerEntry) -> str:
    """Return who acted and for whom ("olga for ben"), or that a step was automatic."""
    if not (who := who_did(entry.actor, entry.on_behalf_of)):
        return _("automatic") if entry.act == EntryType.STEP else ""
    return _("%(who)s (own Register)") % {"who": who} if corrects_own(entry) else who


def corrects_own(entry: LedgerEntry) -> bool:
    """Return whether a user corrected, or undid a correction of, their own Register. `undoes` must be loaded."""
    corrects = entry.act == EntryType.CORRECT or (
        entry.act == EntryType.UNDO and entry.undoes is not None and entry.undoes.act == EntryType.CORRECT
    )
    return corrects and entry.actor_id is not None and entry.on_behalf_of_id is None


Amount = Callable[[Any], int | None]
#: Amount and balance of each line, by primary key of the entry.
Sums = dict[int, list[tuple[int, int]]]


def _one(effect: Any) -> int:
    return 1


def _less(effect: Any) -> int:
    return -1


def _gained(effect: Any) -> int:
    return int(effect.amount)


def _corrected(*names: str) -> dict[type[e.Effect], Amount]:
    """Return how to compute what a correction adds to these fields (amount or count); None for other fields."""

    def amount(effect: e.Corrected) -> int | None:
        found = [_count(new) - _count(old) for name, old, new in corrected_values(effect) if name in names]
        return sum(found) if found else None

    return {e.Corrected: amount}


def _count(value: Any) -> int:
    if value is None or isinstance(value, int):
        return value or 0
    return int(value == "serving") if isinstance(value, str) else len(value)


#: Numbers that the ledger can be filtered by, and what each kind of effect adds to the number.
OF: Mapping[str, Mapping[type[e.Effect], Amount]] = {
    "supply_points": {
        e.RegisterOpened: lambda effect: int(effect.supply_points),
        e.SupplyPointsGained: _gained,
        e.SupplyPointsSpent: lambda effect: -int(effect.amount),
        **_corrected("supply_points"),
    },
    "combat_potential": {
        e.RegisterOpened: lambda effect: int(effect.combat_potential),
        e.CombatPotentialRaised: _gained,
        **_corrected("combat_potential"),
    },
    "reputation": {
        e.RegisterOpened: lambda effect: int(effect.reputation),
        e.ReputationGained: _gained,
        **_corrected("reputation"),
    },
    "experience": {e.ExperienceGained: _gained, **_corrected("experience")},
    "veteran_rank": {e.VeteranRankReached: _one, **_corrected("veteran_rank")},
    "agendas": {e.AgendaProgressed: _gained, **_corrected("progress")},
    "assets": {e.AssetGained: _one, e.AssetUsedUp: _less, **_corrected("assets")},
    "command_cards": {e.CommandCardUnlocked: _one, **_corrected("command_cards")},
    "setbacks": {e.SetbackGained: _one, e.SetbackRemoved: _less, **_corrected("setbacks")},
    "commendations": {e.CommendationAwarded: _one, **_corrected("commendations")},
    "upgrades": {e.UpgradeAdded: _one, **_corrected("upgrades")},
    "units": {e.UnitAdded: _one, e.UnitFell: _less, e.UnitReassigned: _less, **_corrected("place")},
}
#: The headings of these numbers.
HEADINGS: Mapping[str, str] = sentences_of(__file__)["headings"]


def lines(entries: Iterable[LedgerEntry], names: Mapping[str, str], book: Rulebook, **asked: str) -> list[LedgerLine]:
    """Return the lines of a ledger, newest first: all, or those that change `of`, a `unit` or an `agenda` (`asked`).

    `entries` come oldest first, with `undoes` and `undone_by` loaded. Undone entries are shown and add nothing.
    """
    entries = list(entries)
    sums = balances(entries, **asked)
    found = [line for entry in entries for line in lines_of(entry, names, book, sums=sums, **asked)]
    return found[::-1]


def lines_of(
    entry: LedgerEntry, names: Mapping[str, str], book: Rulebook, *, sums: Sums, **asked: str
) -> list[LedgerLine]:
    """Return the lines of one entry in the order in which they happened. `sums` come from `balances`."""
    undone, effects = is_undone(entry), effects_of_entry(entry)
    about = list(_asked(effects, **asked))
    found = [_line(entry, effect, names, book, undone) for effect in about]
    by_hand = {id(effects[place]) for place in typed_in(entry.answers, entry.rolled_by_hand, effects)}
    for line, effect in zip(found, about, strict=True):
        line.by_hand = id(effect) in by_hand
    for line, (amount, balance) in zip(found, sums.get(entry.pk, ()), strict=False):
        line.amount, line.balance = amount, balance
    if entry.act == EntryType.UNDO and not any(asked.values()):
        undo, act = entry.undoes, entry.undoes.get_act_display()
        text = gettext("Entry %(position)s (%(act)s) undone") % {"position": undo.position, "act": act}
        found.append(LedgerLine(entry, text, undone=undone))
    return found


def is_undone(entry: LedgerEntry) -> bool:
    """Return whether an entry was undone or replaced. `undone_by` must be loaded."""
    return hasattr(entry, "undone_by")


def balances(entries: Iterable[LedgerEntry], *, of: str = "", **asked: str) -> Sums:
    """Return the amounts and balances of `of`, by entry primary key. `entries` come oldest first, with `undone_by`."""
    sums: Sums = {}
    balance = 0
    for entry in entries if of else ():
        sums[entry.pk] = []
        for effect in _asked(effects_of_entry(entry), of, **asked):
            amount = _amount(effect, of) or 0
            balance += 0 if is_undone(entry) else amount
            sums[entry.pk].append((amount, balance))
    return sums


def _asked(effects: Iterable[e.Effect], of: str = "", unit: str = "", agenda: str = "") -> Iterator[e.Effect]:
    for effect in effects:
        if unit and getattr(effect, "unit", "") != unit:
            continue
        if agenda and getattr(effect, "agenda", "") != agenda:
            continue
        if not of or _amount(effect, of) is not None:
            yield effect


def _amount(effect: e.Effect, of: str) -> int | None:
    kinds = OF[of]
    return kinds[type(effect)](effect) if type(effect) in kinds else None


def _line(entry: LedgerEntry, effect: e.Effect, names: Mapping[str, str], book: Rulebook, undone: bool) -> LedgerLine:
    line = LedgerLine(entry, sentence(effect, names, book), translated(effect.why), effect.rule, undone=undone)
    if isinstance(effect, e.DiceRolled):
        line.dice = [{"face": face, "die": effect.die} for face in effect.faces]
    return line


def falls(entries: Iterable[LedgerEntry]) -> Iterator[tuple[str, LedgerEntry]]:
    """Yield each unit that fell, by key, with the entry in which it fell. `entries` are those that count."""
    for entry in entries:
        for effect in effects_of_entry(entry):
            if isinstance(effect, e.UnitFell):
                yield effect.unit, entry
