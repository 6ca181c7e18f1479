"""The history of a Register: its entries in words, in groups by battle with what they came to, and in pages."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby, islice

from django.utils.translation import gettext, gettext_noop, ngettext_lazy

from registers.campaign_side import BattleName, battle_names
from registers.ledger.filters import LedgerFilter
from registers.ledger.lines import LedgerLine, Sums, is_undone, lines_of, who_of
from registers.ledger.session import effects_of_entry
from registers.ledger.text import names_of
from registers.models import EntryType, LedgerEntry, Register
from registers.queries.ledger import entries_of
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.register import effects as e
from rules.register.state import RegisterState

#: Most runs and most entries on a page. A longer run goes on on the next page.
RUNS_A_PAGE, ENTRIES_A_PAGE = 16, 80


class HistoryEntry(KeywordValue):
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


class HistoryGroup(KeywordValue):
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


def summary_of(effects: Iterable[e.Effect], names: Mapping[str, str]) -> list[dict[str, str]]:
    """Return what the effects of a battle come to, as short texts with a tone ("good", "bad" or nothing).

    `names` are the units' names by key (`registers.ledger.text.names_of`). The most important comes first.
    """
    fell: list[str] = []
    promoted: dict[str, int] = {}
    sums: Counter[str] = Counter()
    for effect in effects:
        match effect:
            case e.UnitFell():
                fell.append(names.get(effect.unit, effect.unit))
            case e.VeteranRankReached():
                promoted[names.get(effect.unit, effect.unit)] = effect.veteran_rank
            case e.SupplyPointsGained() | e.SupplyPointsSpent():
                sums["gained" if isinstance(effect, e.SupplyPointsGained) else "spent"] += effect.amount
            case e.ReputationGained():
                sums["reputation"] += effect.amount
            case e.AgendaProgressed():
                sums["agendas"] += effect.amount
            case e.ExperienceGained():
                sums["experience"] += effect.amount
            case _:
                sums[type(effect).__name__] += 1
    return [
        *({"text": gettext("%(unit)s fell") % {"unit": unit}, "tone": "bad"} for unit in fell),
        *(
            {"text": gettext("%(unit)s: VR %(rank)s") % {"unit": unit, "rank": rank}, "tone": "good"}
            for unit, rank in promoted.items()
        ),
        *({"text": text, "tone": ""} for text in _sums(sums)),
    ]


#: What is counted of a battle, by kind of effect.
_COUNTED = {
    "UnitAdded": ngettext_lazy("%(number)s new unit", "%(number)s new units", "number"),
    "UpgradeAdded": ngettext_lazy("%(number)s upgrade", "%(number)s upgrades", "number"),
    "CommendationAwarded": ngettext_lazy("%(number)s Commendation", "%(number)s Commendations", "number"),
    "SetbackGained": ngettext_lazy("%(number)s Setback", "%(number)s Setbacks", "number"),
    "Corrected": ngettext_lazy("%(number)s correction", "%(number)s corrections", "number"),
}


def _sums(sums: Counter[str]) -> list[str]:
    amounts = [
        (gettext_noop("%(change)s Reputation"), sums["reputation"]),
        (gettext_noop("%(change)s SP"), sums["gained"]),
        (gettext_noop("%(change)s SP"), -sums["spent"]),
        (gettext_noop("%(change)s XP"), sums["experience"]),
        (gettext_noop("%(change)s Agenda progress"), sums["agendas"]),
    ]
    return [
        *(gettext(text) % {"change": f"{amount:+d}".replace("-", "−")} for text, amount in amounts if amount),
        *(text % {"number": sums[kind]} for kind, text in _COUNTED.items() if sums[kind]),
    ]


class Run(KeywordValue):
    """Entries of one battle (its id; empty between battles) that follow each other: their highest and lowest position,
    and how many there are.
    """

    battle: str
    newest: int
    oldest: int
    count: int


def runs_of(rows: Iterable[tuple[int, str]]) -> list[Run]:
    """Return the runs for the position and battle of each entry, newest first; none has over ENTRIES_A_PAGE entries."""
    runs = []
    for battle, same in groupby(rows, key=lambda row: row[1]):
        positions = (position for position, _battle in same)
        while part := list(islice(positions, ENTRIES_A_PAGE)):
            runs.append(Run(battle=battle, newest=part[0], oldest=part[-1], count=len(part)))
    return runs


def pages_of(runs: Iterable[Run]) -> list[list[Run]]:
    """Return the runs in pages, each as full as the limits allow."""
    pages: list[list[Run]] = []
    entries = 0
    for run in runs:
        if not pages or len(pages[-1]) == RUNS_A_PAGE or entries + run.count > ENTRIES_A_PAGE:
            pages.append([])
            entries = 0
        pages[-1].append(run)
        entries += run.count
    return pages


def page_with(pages: Iterable[list[Run]], position: int) -> int:
    """Return the number of the page, from 1, that has the entry at this position; 1 if none has."""
    for number, page in enumerate(pages, 1):
        if page[-1].oldest <= position:
            return number
    return 1
