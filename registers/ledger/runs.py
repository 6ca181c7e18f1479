"""The ledger in runs of entries of the same battle, and these in pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby, islice

#: Most runs and most entries on a page. A longer run goes on on the next page.
RUNS_A_PAGE, ENTRIES_A_PAGE = 16, 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
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
