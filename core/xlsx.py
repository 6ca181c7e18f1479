"""A sheet of an Excel workbook as rows of text."""

import re
import warnings
import zipfile
from datetime import datetime, time
from io import BytesIO
from itertools import islice
from typing import Any

#: How a workbook begins, as every zip file does.
MAGIC = b"PK\x03\x04"
#: The most bytes of an unpacked workbook, and the most rows, columns and letters of a sheet.
MOST_BYTES, MOST_ROWS, MOST_COLUMNS, MOST_LETTERS = 24_000_000, 10_000, 200, 1_000_000
_MOST_NAMED = 5


def sheet_rows(content: bytes) -> tuple[list[list[str]], list[str], list[str]]:
    """Return the rows of the first visible sheet past a cover, blank ones included, the names of the other visible
    sheets, and the first cells whose formulas nobody computed. A cell with an error is empty. Raises ValueError for
    anything that is no workbook, or is too large.
    """
    from openpyxl import load_workbook  # lazy: rare
    from openpyxl.cell.cell import ERROR_CODES  # lazy: rare

    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if sum(part.file_size for part in archive.infolist()) > MOST_BYTES:
                raise ValueError("too large")
        with warnings.catch_warnings(action="ignore"):  # about styles and rules that it does not know
            book = load_workbook(BytesIO(content), read_only=True, data_only=True)
            sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            for sheet in sheets:
                sheet.reset_dimensions()  # which some programs write wrong
            first = next((sheet for sheet in sheets if len(sheets) > 1 and _has_rows(sheet)), sheets[0])
            found = _rows_of(first)
            _fill_merged(first, found)
            lost = _uncomputed(content, first.title, found)
    except Exception as error:  # a damaged workbook raises anything
        raise ValueError("no workbook") from error
    rows = [["" if value in ERROR_CODES else _shown(value) for value in row] for row in found]
    if len(rows) > MOST_ROWS:
        raise ValueError("too large")
    while rows and not any(rows[-1]):
        rows.pop()
    return rows, [sheet.title for sheet in sheets if sheet is not first], lost[:_MOST_NAMED]


def _rows_of(sheet: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a sheet. Few bytes can say that each has 16,384 cells, or the same text in all of them."""
    found, letters = [], 0
    for row in islice(sheet.iter_rows(values_only=True), MOST_ROWS + 1):
        letters += sum(len(value) for value in row if isinstance(value, str))
        if len(row) > MOST_COLUMNS:
            raise ValueError("too large")
        found.append(row)
        if letters > MOST_LETTERS:  # more than the text of any table, which `text_of_file` refuses
            break
    return found


def _has_rows(sheet: Any) -> bool:
    """Return whether a sheet has more than the one line of a cover."""
    rows = sheet.iter_rows(max_row=20, max_col=MOST_COLUMNS, values_only=True)
    return sum(any(value is not None for value in row) for row in rows) > 1


def _fill_merged(sheet: Any, found: list[tuple[Any, ...]]) -> None:
    """Write what the top one of merged cells says to those below it, for which it stands, too."""
    from openpyxl.utils import column_index_from_string  # lazy: rare

    with sheet._get_source() as source:  # a sheet that is only read knows no merged cells
        ranges = re.findall(rb'<mergeCell ref="([A-Z]{1,3})([0-9]{1,6}):\1([0-9]{1,6})"', source.read())
    cells = ((letters, int(top), row) for letters, top, end in ranges for row in range(int(top), int(end)))
    for letters, top, row in islice(cells, MOST_ROWS):
        column = column_index_from_string(letters.decode()) - 1
        if row < len(found) and column < min(len(found[top - 1]), len(found[row])):
            found[row] = (*found[row][:column], found[top - 1][column], *found[row][column + 1 :])


def _uncomputed(content: bytes, title: str, found: list[tuple[Any, ...]]) -> list[str]:
    """Return the cells whose formulas nobody computed."""
    from openpyxl import load_workbook  # lazy: rare

    if not any(value is None for row in found for value in row):
        return []
    again = load_workbook(BytesIO(content), read_only=True)[title]
    again.reset_dimensions()
    formulas = [
        (cell.coordinate, value)
        for cells, row in zip(again.iter_rows(), found, strict=False)
        for cell, value in zip(cells, row, strict=False)
        if cell.data_type == "f"
    ]
    computed = any(value is not None for _, value in formulas)  # then an empty one is an empty text
    return [at for at, _ in formulas if not computed]


def _shown(value: object) -> str:
    """Return the value of a cell as the spreadsheet shows it, a day as 2026-12-31."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case datetime() if value.time() == time.min:
            return str(value.date())
        case float():
            return f"{value:.15g}"
    return str(value).strip()
