"""A copy of the catalogue's files that a test may spoil."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rules.catalogue.loader import read_catalogue


def edit_rows(folder: Path, file: str, edit: Callable[[list[dict[str, str]]], None]) -> None:
    """Let `edit` change the rows of a CSV file; columns follow the first row."""
    path = folder / file
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    edit(rows)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def set_cell(folder: Path, file: str, slug: str, /, **cells: str) -> None:
    """Set cells of the rows with this slug."""

    def edit(rows: list[dict[str, str]]) -> None:
        for row in rows:
            if row["slug"] == slug:
                row.update(cells)

    edit_rows(folder, file, edit)


def drop_row(folder: Path, file: str, slug: str) -> None:
    """Take the rows with this slug out."""

    def edit(rows: list[dict[str, str]]) -> None:
        rows[:] = [row for row in rows if row["slug"] != slug]

    edit_rows(folder, file, edit)


def edit_json(folder: Path, file: str, edit: Callable[[Any], None]) -> None:
    """Let `edit` change what a JSON file holds."""
    path = folder / file
    data = json.loads(path.read_text(encoding="utf-8"))
    edit(data)
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def cards_with(folder: Path, kind: str, slug: str, **values: Any) -> dict[str, Any]:
    """The cards of the files, with some values of one of them changed."""
    cards = read_catalogue(folder).cards
    return {**cards, kind: [card | values if card["slug"] == slug else card for card in cards[kind]]}
