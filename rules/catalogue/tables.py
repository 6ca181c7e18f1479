"""The files of a catalogue as rows of plain values, as the database stores them."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rules.catalogue import file_schemas
from rules.catalogue.csv_fields import CsvColumns
from rules.core.json_text import load_json
from rules.core.values import Value


class CatalogueError(Value):
    """An error in a file: its place (a row or a named entry) and a sentence."""

    file: str
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}, {self.place}: {self.text}" if self.place else f"{self.file}: {self.text}"


class CatalogueErrors(Exception):
    """A catalogue that cannot be used; `errors` has everything that is wrong with it."""

    def __init__(self, errors: Iterable[CatalogueError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in self.errors))


class TableRow(Value):
    """The values of one card, and their place in the file."""

    file: str
    place: str
    values: Mapping[str, Any]

    def error(self, text: str) -> CatalogueError:
        """Return an error at this place."""
        return CatalogueError(self.file, self.place, text)


class Tables(Value):
    """All rows of a catalogue by kind of card, and the tables that must agree with constants of the rules."""

    edition: str
    rows: Mapping[str, tuple[TableRow, ...]]
    constants: Mapping[str, Any]
    #: Rows with errors, as far as they could be read: other rows may still name them.
    faulty: Mapping[str, tuple[TableRow, ...]]
    #: Whether a whole file could not be read.
    unreadable: bool


def read_tables(folder: Path) -> tuple[Tables, list[CatalogueError]]:
    """Return every readable row of the files in `folder`, and everything that is wrong with the others."""
    reader = _Reader(folder)
    for kind, (file, columns) in file_schemas.CSV_FILES.items():
        reader.read_csv(kind, file, columns)
    edition, constants = reader.read_tables_file()
    reader.read_story_arcs()
    rows, faulty = ({kind: tuple(rows) for kind, rows in found.items()} for found in (reader.rows, reader.faulty))
    return Tables(edition, rows, constants, faulty, reader.unreadable), reader.errors


class _Reader:
    """Collects rows and errors, so that one bad row does not hide the next."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.errors: list[CatalogueError] = []
        self.rows: dict[str, list[TableRow]] = {kind: [] for kind in file_schemas.KINDS}
        self.faulty: dict[str, list[TableRow]] = {kind: [] for kind in file_schemas.KINDS}
        self.unreadable = False

    def fail(self, file: str, place: str, text: str) -> None:
        self.errors.append(CatalogueError(file, place, text))

    def fail_file(self, file: str, place: str, text: str) -> None:
        self.fail(file, place, text)
        self.unreadable = True

    def text_of(self, file: str) -> str | None:
        try:
            return (self.folder / file).read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            self.fail_file(file, "", "the file is missing")
        except (OSError, UnicodeDecodeError) as fault:
            self.fail_file(file, "", f"cannot be read: {fault}")
        return None

    def read_csv(self, kind: str, file: str, columns: CsvColumns) -> None:
        if (text := self.text_of(file)) is None:
            return
        lines = csv.reader(io.StringIO(text, newline=""))
        header = next(lines, [])
        if sorted(header) != sorted(columns.required):
            _, faults = columns.read(dict.fromkeys(header, ""))
            wrong = [fault for fault in faults if fault.startswith(("missing", "unknown '"))]
            self.fail_file(file, "row 1", "the columns differ: " + ("; ".join(wrong) or "one is there twice"))
            return
        for cells in lines:
            place = f"row {lines.line_num}"
            if len(cells) != len(header):
                self.fail(file, place, f"has {len(cells)} values for {len(header)} columns")
            else:
                self.add(kind, file, place, columns, dict(zip(header, cells, strict=True)))

    def add(self, kind: str, file: str, place: str, columns: CsvColumns, data: Any, **more: Any) -> None:
        row, faults = columns.read(data)
        self.errors.extend(CatalogueError(file, place, fault) for fault in faults)
        (self.faulty if faults else self.rows)[kind].append(TableRow(file, place, row | more))

    def read_json(self, file: str, columns: CsvColumns) -> dict[str, Any]:
        if (text := self.text_of(file)) is None:
            return {}
        try:
            data = load_json(text)
        except json.JSONDecodeError as fault:
            self.fail_file(file, f"line {fault.lineno}", f"is not JSON: {fault.msg}")
            return {}
        row, faults = columns.read(data)
        for wrong in faults:
            self.fail_file(file, "", wrong)
        return row

    def read_tables_file(self) -> tuple[str, dict[str, Any]]:
        data = self.read_json(file_schemas.TABLES_FILE, file_schemas.TABLES_FORM)
        for section, (kind, columns) in file_schemas.SECTIONS.items():
            for index, entry in enumerate(data.get(section, ())):
                place = _place(section, index, entry)
                if kind in file_schemas.ARC_ROWS and isinstance(entry, dict) and "from_story_arc" in entry:
                    self.add(file_schemas.ARC_ROWS[kind], file_schemas.TABLES_FILE, place, file_schemas.ARC_ROW, entry)
                else:
                    more = {"story_arc": ""} if kind in file_schemas.ARC_PARTS else {}
                    self.add(kind, file_schemas.TABLES_FILE, place, columns, entry, **more)
        return data.get("edition", ""), {name: data[name] for name in file_schemas.CONSTANTS if name in data}

    def read_story_arcs(self) -> None:
        data = self.read_json(file_schemas.STORY_ARC_FILE, file_schemas.STORY_ARCS_FORM)
        for index, arc in enumerate(data.get("arcs", ())):
            place = _place("arcs", index, arc)
            self.add("story_arc", file_schemas.STORY_ARC_FILE, place, file_schemas.STORY_ARC_FORM, arc)
            if isinstance(arc, dict):
                self.read_arc_parts(arc, place)

    def read_arc_parts(self, arc: dict[str, Any], place: str) -> None:
        for part, (kind, columns) in file_schemas.ARC_PARTS.items():
            if part not in arc:
                continue
            entries = arc[part] if part == "agendas" and isinstance(arc[part], list) else [arc[part]]
            for index, entry in enumerate(entries):
                where = f"{place}.{_place(part, index, entry)}" if part == "agendas" else f"{place}.{part}"
                self.add(kind, file_schemas.STORY_ARC_FILE, where, columns, entry, story_arc=arc.get("slug", ""))


def _place(section: str, index: int, entry: Any) -> str:
    name = entry.get("slug") or entry.get("name") if isinstance(entry, dict) else None
    return f"{section}[{index}] {name}" if name else f"{section}[{index}]"
