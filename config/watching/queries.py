"""What a request asks the database, and how long that takes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from typing import Any

#: So many statements of a slow request are named.
NAMED = 3
#: Letters of each.
LONGEST = 400
COLUMNS = re.compile(r"^SELECT (?:(?!\(SELECT ).){60,}? FROM ", re.DOTALL)
TEXTS = re.compile(r"'(?:[^']|'')*'")
SAVEPOINTS = re.compile(r'"s\d+_x\d+"')
#: What begins, ends or shapes a transaction, and neither reads nor writes a row: it is no query.
FRAMES = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET TRANSACTION")


class Queries:
    """Stands around each query of a request (`connection.execute_wrapper`), and remembers it without its values."""

    def __init__(self) -> None:
        self.asked: list[tuple[float, Any]] = []

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        """Ask, and write down for how many seconds."""
        begun = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            self.asked.append((perf_counter() - begun, sql))

    def __len__(self) -> int:
        return sum(not str(sql).startswith(FRAMES) for _, sql in self.asked)

    @property
    def milliseconds(self) -> float:
        """How long the database took for all of them."""
        return round(1000 * sum(seconds for seconds, _ in self.asked), 1)

    def named(self) -> list[dict[str, Any]]:
        """The statements that took longest, all times that each was asked together; and the one asked most often."""
        times: dict[str, list[float]] = defaultdict(list)
        for seconds, sql in self.asked:
            times[shown(str(sql))].append(seconds)
        worst = sorted(times, key=lambda sql: -sum(times[sql]))[:NAMED]
        if times and (often := max(times, key=lambda sql: len(times[sql]))) not in worst:
            worst.append(often)
        return [
            {"sql": sql, "times": len(times[sql]), "ms": round(1000 * sum(times[sql]), 1)} for sql in worst
        ]


def shown(sql: str) -> str:
    """A statement as a line names it: without its columns, the names of savepoints, and any text in it."""
    short = COLUMNS.sub("SELECT … FROM ", SAVEPOINTS.sub("…", TEXTS.sub("'…'", sql)))
    return short if len(short) <= LONGEST else f"{short[:LONGEST]}…"
