"""The first sheet of an Excel workbook as rows of text. A library for this would be larger than what we need of it."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from io import BytesIO
from xml.etree import ElementTree

#: How a workbook begins, as every zip file does.
MAGIC = b"PK\x03\x04"
#: The most bytes of a part of a workbook, and the most rows and columns of a sheet.
MOST_BYTES, MOST_ROWS, MOST_COLUMNS = 8_000_000, 10_000, 200
#: The numbers of Excel's own formats for days and times.
_DAYS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_BROKEN = (
    ArithmeticError, EOFError, IndexError, KeyError, OSError, RuntimeError, TypeError, zipfile.BadZipFile, zlib.error,
    ElementTree.ParseError,
)  # fmt: skip


def sheet_rows(content: bytes) -> tuple[list[list[str]], list[str]]:
    """Return the rows of the first visible sheet, blank ones included, and the names of the other visible sheets.
    Raises ValueError for anything that is no workbook, or is too large.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return _Workbook(archive).read()
    except _BROKEN as error:
        raise ValueError("no workbook") from error


class _Workbook:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.book = self.part("xl/workbook.xml")
        self.targets = {each.get("Id"): each.get("Target", "") for each in self.part("xl/_rels/workbook.xml.rels")}
        there = archive.namelist()
        texts = self.part("xl/sharedStrings.xml") if "xl/sharedStrings.xml" in there else ()
        self.texts = [_text(item) for item in texts]
        self.days = list(_day_formats(self.part("xl/styles.xml"))) if "xl/styles.xml" in there else []
        from_1904 = any(each.get("date1904") in ("1", "true") for each in self.book.findall("{*}workbookPr"))
        self.first_day = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30)  # noqa: DTZ001  a wall clock

    def part(self, path: str) -> ElementTree.Element:
        with self.archive.open(path) as file:
            content = file.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES or b"<!DOCTYPE" in content:  # no workbook has one; entities could fill the memory
            raise ValueError("too large")
        return ElementTree.fromstring(content)  # noqa: S314

    def read(self) -> tuple[list[list[str]], list[str]]:
        shown = [each for each in self.book.iterfind("{*}sheets/{*}sheet") if each.get("state", "visible") == "visible"]
        reference = next(value for name, value in shown[0].items() if name.endswith("}id"))
        target = self.targets[reference]
        sheet = self.part(target.removeprefix("/") if target.startswith("/") else f"xl/{target}")
        rows: list[list[str]] = []
        for row in sheet.iterfind("{*}sheetData/{*}row"):
            cells = dict(self.cells(row))
            if not any(cells.values()):
                continue
            place = int(row.get("r") or len(rows) + 1)
            if not len(rows) < place <= MOST_ROWS or max(cells) >= MOST_COLUMNS:
                raise ValueError("too large")
            rows += [[] for _ in range(place - len(rows))]
            rows[-1] = [cells.get(column, "") for column in range(max(cells) + 1)]
        return rows, [each.get("name", "") for each in shown[1:]]

    def cells(self, row: ElementTree.Element) -> Iterator[tuple[int, str]]:
        column = -1
        for cell in row.iterfind("{*}c"):
            letters = re.match("[A-Z]{1,3}", cell.get("r", ""))
            column = _column(letters[0]) if letters else column + 1
            yield column, self.text(cell).strip()

    def text(self, cell: ElementTree.Element) -> str:
        value = cell.findtext("{*}v", "")
        match cell.get("t", "n"):
            case "s":
                return self.texts[int(value)]
            case "inlineStr":
                return "".join(map(_text, cell.iterfind("{*}is")))
            case "b":
                return "true" if value == "1" else "false"
            case "n" if value:
                return self.number(float(value), int(cell.get("s") or 0))
        return value

    def number(self, value: float, style: int) -> str:
        """Return a number as the spreadsheet shows it, a day as 2026-12-31."""
        if style < len(self.days) and self.days[style] and 0 <= value < 2_900_000:
            day = self.first_day + timedelta(seconds=round(value * 86_400))
            return str(day.date() if day.time() == datetime.min.time() and day.date() != date.min else day)
        return str(int(value)) if value == int(value) else f"{value:.15g}"


def _text(item: ElementTree.Element) -> str:
    """Return a text without its formats and without how it is pronounced."""
    parts = [*item.iterfind("{*}t"), *item.iterfind("{*}r/{*}t")]
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), "".join(t.text or "" for t in parts))


def _column(letters: str) -> int:
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - 64
    return place - 1


def _day_formats(styles: ElementTree.Element) -> Iterator[bool]:
    """Yield for each style of cells whether it shows a day or a time."""
    own = {each.get("numFmtId"): each.get("formatCode", "") for each in styles.iterfind("{*}numFmts/{*}numFmt")}
    for style in styles.iterfind("{*}cellXfs/{*}xf"):
        number = style.get("numFmtId", "0")
        code = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", own.get(number, ""))
        yield int(number) in _DAYS or bool(re.search("[dmyhs]", code, re.IGNORECASE))
