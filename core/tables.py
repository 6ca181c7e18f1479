"""Tables that people upload, as a spreadsheet saves them, and tables that they download into one."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from html import unescape
from io import StringIO
from itertools import chain, pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from core.names import folded
from core.xlsx import MAGIC, sheet_rows
from rules.core.encodings import text_of
from rules.core.values import Value
from rules.core.violations import RuleViolation, refuse

#: What separates cells; of two that fit equally well, the first.
DELIMITERS = "\t;|,"
#: The most letters of a table, and the most bytes of its file.
LONGEST, MOST_BYTES = 200_000, 1_000_000
MOST_ROWS, MOST_COLUMNS = 2_000, 60
#: How text begins that is no table: PDF, RTF, XML and JSON.
_OTHER = re.compile(r"\s*(?:%PDF|\{\\rtf|<\?xml|[\[{]\s*[\"{\[])")
#: Before every name of a list, but not its heading.
_NUMBERED = re.compile(r"(?:\(?#?[0-9]{1,3}(?:[.)]|\s+[-–])?|[-•*–]|\[[ xX✓]?\])\s+(?=[^\W\d])")
#: One of a list that waits for a name.
_EMPTY_NUMBER = re.compile(r"\(?#?[0-9]{1,3}[.)]")
#: The same in a chat: 1️⃣, 🔟.
_KEYCAPS = re.compile("((?:[0-9]\ufe0f?\u20e3)+|\U0001f51f) *")
#: A line "Doe, Jane", and a name with an address as mail programs write it.
_LAST_FIRST = re.compile(r"[^\s,\d]{2,}, [^\W\d][^,@]*")
_MAILED = re.compile(
    r"(?!mailto:)((?:[^@<;|\t]*[^\s@‹:;,|–-])?)(?:\s*[<(]|:?\s+(?:[–-]\s+)?)(?:mailto:)?"
    r"([^\s<>()@:;,|]+@[^\s<>()@;,|]+)[>)]?"
)
#: What stands before a heading, and says only whose it is: "Attendee first name".
_WHOSE = re.compile(r"(?:attendee|participant|player|teilnehmer)(?:['’]s)?\s+(?=\S)", re.IGNORECASE)
#: The most words of a name.
MOST_WORDS = 5
#: The most words of a question in which a heading is looked for.
_LONGEST_QUESTION = 12
#: In how many rows headings are looked for.
_FIRST_ROWS = 10
#: Words in English, German, French, Spanish, Italian and Polish, without case, accents and blanks: headings by field
#: ("other" are those of no field), what stands for yes, no and an empty cell, and what spreadsheets take for dates.
WORDS: dict[str, Any] = json.loads((Path(__file__).parent / "table_words.json").read_text())
NONE = frozenset(WORDS["none"].split()) | {""}
YES, NO = frozenset(WORDS["yes"].split()), frozenset(WORDS["no"].split()) | NONE
_YOURS = frozenset(WORDS["yours"].split())
#: The fields of headings. "Name", "Nom", "Nombre" and "Nome" may mean half a name; see `guess`.
HEADINGS: Mapping[str, str] = {word: field for field, words in WORDS["headings"].items() for word in words.split()}


class Row(NamedTuple):
    """A row of a table with the number that the spreadsheet shows."""

    number: int
    cells: list[str]


class Fields(Value):
    """What the columns of a table may hold. `labels` are the names of the fields; `in_order` are those of the columns
    of a table without headings; `needed` are those of which one must be there; `headings` are more than `HEADINGS`.
    """

    labels: Mapping[str, str | Promise]
    in_order: tuple[str, ...]
    needed: tuple[str, ...]
    headings: Mapping[str, str] = field(default_factory=dict)


#: The fields of a person's name, in one column or two.
NAMES = {
    "name": gettext_lazy("Name"), "first_name": gettext_lazy("First name"), "last_name": gettext_lazy("Last name"),
}  # fmt: skip


def text_of_file(content: bytes) -> tuple[str, list[str]]:
    """Return a CSV file or an Excel workbook as the text of a table, and the names of the sheets that are left out.
    Refuses any other file, and one that is too large.
    """
    if content.startswith(MAGIC):
        try:
            rows, others, lost = sheet_rows(content)
        except ValueError as error:
            raise _no_table() from error
        if lost:
            words = _("These cells have a formula that nobody computed: %(cells)s. Open the file in Excel or "
                      "LibreOffice, save it there, and send it again.")  # fmt: skip
            raise refuse("", words % {"cells": ", ".join(lost)}, "file")
        text: str | None = "\n".join("\t".join(map(_quoted, row)) for row in rows)
    else:
        text, others = text_of(content), []
    if text is None or _OTHER.match(text):
        raise _no_table()
    if len(text) > LONGEST:
        raise refuse("", _("The table is too long. Send it in parts."), "file")
    return text, others


def _no_table() -> RuleViolation:
    return refuse("", _("This file is no table. Save it as CSV (UTF-8) or XLSX, or paste the table."), "file")


def _quoted(cell: str) -> str:
    return '"{}"'.format(cell.replace('"', '""')) if re.search(rf'["\r\n{DELIMITERS}]', cell) else cell


def rows_of(text: str) -> list[Row]:
    """Return the rows of a table that are not empty. Refuses a text that is too long, or has too many columns."""
    if len(text) > LONGEST:
        raise refuse("", _("The table is too long. Send it in parts."), "text")
    text = _without_tags(re.sub("[\0\u00ad\u200b\u2060\ufeff]", "", _KEYCAPS.sub(_keycap_number, text)))
    text = text if '"' in text else re.sub("[“”„‟]", '"', text)
    if text.count('"') % 2:  # one that nobody closed joins rows
        text = re.sub(rf'(^ *|[{DELIMITERS}] *)"(?![^"\r\n]*")', r"\1", text, flags=re.MULTILINE)
    if declared := re.match(r'"?sep=(.)"?\r?\n', text):  # Excel's own first line, which it does not show
        text = text[declared.end() :]
    delimiter = declared[1] if declared else _delimiter_of(text)
    try:
        read = list(csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True))
    except (csv.Error, ValueError) as error:  # of a separator that no table has, from Python 3.13 on
        raise _no_table() from error
    rows = [Row(number, [_unguarded(cell.strip()) for cell in row]) for number, row in enumerate(read, 1)]
    rows = [row for row in rows if any(cell.strip(":-") for cell in row.cells)]  # Markdown has a row of lines
    numbered = sum(bool(_NUMBERED.match(row.cells[0])) for row in rows)
    is_list = all(len(row.cells) == 1 for row in rows)  # which may have several headings
    rows = [row for row in rows if not (is_list and numbered and _EMPTY_NUMBER.fullmatch(row.cells[0]))]
    if numbered > 1 and numbered * 2 > len(rows) if is_list else numbered >= max(len(rows) - (len(rows) > 2), 2):
        rows = [Row(number, [_NUMBERED.sub("", cells[0], count=1), *cells[1:]]) for number, cells in rows]
    if len(rows) > MOST_ROWS or max((len(row.cells) for row in rows), default=0) > MOST_COLUMNS:
        text = _("A table can have up to %(rows)s rows and %(columns)s columns. Send it in parts.")
        raise refuse("", text % {"rows": MOST_ROWS, "columns": MOST_COLUMNS}, "text")
    return rows


def _keycap_number(found: re.Match[str]) -> str:
    return (re.sub(r"\D", "", found[0]) or "10") + ". "


def _without_tags(text: str) -> str:
    """Return a table of a web page, and one whose columns blanks align, with tabs between its cells."""
    rows = re.findall(r"<tr\b.*?(?=<tr\b|</table|$)", text, re.DOTALL | re.IGNORECASE)
    cells = [re.findall(r"<t[dh]\b[^<>]*>(.*?)(?=<t[dh]\b|</t|$)", row, re.DOTALL | re.IGNORECASE) for row in rows]
    if any(cells):
        plain = ([" ".join(unescape(re.sub("<[^<>]*>", " ", cell)).split()) for cell in row] for row in cells)
        return "\n".join("\t".join(map(_quoted, row)) for row in plain)
    aligned = text if {*text} & {*DELIMITERS} else re.sub(r"(?<=\S) {2,}(?=\S)", "\t", text)
    return aligned if "\t" in aligned.strip().partition("\n")[0] else text


def _delimiter_of(text: str) -> str:
    """Return what stands outside quotes equally often in the most lines. csv.Sniffer takes letters for it, too."""
    bare = re.sub(rf'(^|[{DELIMITERS}]) *"(?:[^"]|"")*"', r"\1", text, flags=re.MULTILINE)
    lines = [line for line in bare.splitlines() if line.strip()]
    if lines and _meaning(lines[0].strip(), HEADINGS) and not {*lines[0]} & {*DELIMITERS}:
        return "\t"  # a table of one column, whose cells may hold anything
    if all(line.count("@") == 1 and _MAILED.fullmatch(line.strip()) and line.count(",") < 2 for line in lines):
        return "\t"  # "Doe, Jane <jane@example.org>"
    if all(_LAST_FIRST.fullmatch(line.strip()) and not _meaning(line.partition(",")[0], HEADINGS) for line in lines):
        return "\t"

    def fit(delimiter: str) -> int:
        return max(Counter(line.count(delimiter) for line in lines if delimiter in line).values(), default=0)

    return max(DELIMITERS, key=fit)


def _meaning(heading: str, known: Mapping[str, str]) -> str:
    """Return the field that a heading names, or an empty text. Of "Name / Nom (as printed)*" each part counts."""
    whole = re.sub(r"\([^)]*\)|\[[^\]]*\]", "", heading)
    words = whole.split()
    is_asked = heading.endswith("?") or any(heading_key(word) in _YOURS for word in words)
    ends = range(len(words) * (is_asked and len(words) <= _LONGEST_QUESTION), 0, -1)
    asked = (" ".join(words[start:end]) for end in ends for start in range(end))  # "What is your full name?"
    parts = chain((whole, _WHOSE.sub("", whole, count=1), *re.split(r"[/|\n]|\s(?:or|oder|ou|o|lub)\s", whole)), asked)
    named = next((known[key] for part in parts if (key := heading_key(part)) in known), "")
    is_paid = not named and bool(words) and known.get(heading_key(words[-1])) == "paid"  # "Entry fee paid"
    return "paid" if is_paid else named


def heading_key(heading: str) -> str:
    """Return a heading in the form in which headings are compared."""
    return "".join(letter for letter in folded(heading) if letter.isalnum())


def is_total(row: Row) -> bool:
    """Return whether a row sums up those above it: a word for that, and numbers."""
    first, *others = [cell for cell in row.cells if cell] or [""]
    word = heading_key(re.sub(r"[\d.,]+", "", first))
    has_number = bool(re.search(r"\d", first + "".join(others)))
    words = WORDS["totals"].split() + WORDS["counted"].split()
    return has_number and word in words and all(re.fullmatch(r"\D{0,4}\d[\d.,\s]*\D{0,4}", cell) for cell in others)


def is_remark(rows: list[Row], place: int) -> bool:
    """Return whether a row below a table is a remark: one cell behind a star, or a sentence behind an empty row."""
    row, before = rows[place], rows[place - 1] if place else None
    filled = [cell for cell in row.cells if cell]
    is_apart = bool(before and row.number > before.number + 1 and len(before.cells) > 1)
    is_sentence = len(filled) == 1 and (len(filled[0].split()) > MOST_WORDS or bool(re.search(r"\d", filled[0])))
    return len(filled) == 1 and ((is_apart and is_sentence) or (len(row.cells) > 1 and filled[0].startswith("* ")))


def unless_none(text: str) -> str:
    """Return the text of a cell, or an empty text for a word or sign that stands for nothing."""
    return "" if folded(text).strip() in NONE else text


def heading_row(rows: list[Row], fields: Fields, known: Mapping[str, str]) -> Row | None:
    """Return the row with the headings: the one of the first ten with the most headings that are `known`, if these are
    two or one of a needed field.
    """
    best: Row | None = None
    most = 0
    for before, row in pairwise([None, *rows[:_FIRST_ROWS]]):
        named = [field for cell in row.cells if (field := _meaning(cell, known))] if row else []
        # Of two rows one below the other the second says more, or the same in another language.
        if (len(named) > 1 or {*named} & {*fields.needed}) and len(named) >= most + (before is not best):
            best, most = row, len(named)
    return best and with_row_above(rows, best, known)


def with_row_above(rows: list[Row], heading: Row, known: Mapping[str, str]) -> Row:
    """Return a row of headings in whose empty cells are those of the row above it: a heading that spans two rows."""
    above = next((row.cells for row in rows if row.number == heading.number - 1), [])
    pairs = zip_longest(heading.cells, above, fillvalue="")
    return Row(heading.number, [cell or (said if _meaning(said, known) else "") for cell, said in pairs])


def lines_of(rows: list[Row], *, each: bool) -> list[Row]:
    """Return the rows of a table: of one row, `each` cell as a row, names apart from their mail addresses."""
    rows = [Row(number, [cell]) for number, cell in enumerate(rows[0].cells, 1) if cell] if each else rows
    mailed = [len(row.cells) == 1 and _MAILED.fullmatch(row.cells[0]) for row in rows]
    found = [Row(row.number, [each[1].strip(" \"'"), each[2]]) for row, each in zip(rows, mailed, strict=True) if each]
    return found if all(mailed) else rows


def halves_of(rows: list[Row], fields: Fields) -> tuple[list[Row], list[str]]:
    """Return lines "Doe, Jane" as rows of two cells with the fields of these; others as they are. Where most of the
    second cells are said again they are clubs: "Ada, Lions".
    """
    if not rows or "last_name" not in fields.labels:
        return rows, []
    if not all(len(row.cells) == 1 and _LAST_FIRST.fullmatch(row.cells[0]) for row in rows):
        return rows, []
    halves = [Row(row.number, row.cells[0].split(", ", 1)) for row in rows]
    first, second = ({folded(row.cells[place]) for row in halves} for place in (0, 1))
    are_clubs = len(second) * 2 <= len(halves) == len(first)
    return halves, ["name", "club"] if are_clubs and "club" in fields.labels else ["last_name", "first_name"]


def repeats(row: Row, heading: Row) -> bool:
    """Return whether a row has headings again, or remarks in brackets directly below those of a form; one in square
    brackets alone is the name of a player.
    """
    square = r"|\[[^\[\]]*\]" if sum(map(bool, row.cells)) > 1 else ""
    remark = rf"\([^()]*\){square}" if row.number == heading.number + 1 else ""
    return all(
        cell == said or re.fullmatch(remark, cell) for cell, said in zip_longest(row.cells, heading.cells) if cell
    )


def name_of(cells: Mapping[str, str]) -> str:
    """Return the name of a person in the cells of a row, by field (`NAMES`): "Doe, Jane" as "Jane Doe"."""
    if "name" not in cells:
        return " ".join(f"{cells.get('first_name', '')} {cells.get('last_name', '')}".split())
    name = " ".join(cells["name"].split())
    last, _comma, first = map(str.strip, name.partition(","))
    if not (last and first) or "," in first or folded(first).rstrip(".") in ("jr", "sr", "ii", "iii", "iv"):
        return name
    return f"{first} {last}"


def guess(rows: list[Row], heading: Row | None, fields: Fields, known: Mapping[str, str]) -> list[str]:
    """Return the field of each column, or an empty text for a column that is left out."""
    if heading is None:
        return _in_order(rows, fields)
    found = [_meaning(cell, known) for cell in heading.cells]
    found = [field if field in fields.labels else "" for field in found]
    below = [row for row in rows if row.number > heading.number]
    for name in {name for name in found if found.count(name) > 1} - {""}:
        places = [place for place, each in enumerate(found) if each == name]
        for place in _repeating(name, [[*_column(below, place)] for place in places], places):
            found[place] = ""
    for half, other in (("first_name", "last_name"), ("last_name", "first_name")):
        if half in found and other not in found and "name" in found:  # Nom, Prénom; Nombre, Apellidos
            found[found.index("name")] = other
    if "name" in found and {"first_name", "last_name"} <= {*found}:
        found = ["" if field in ("first_name", "last_name") else field for field in found]
    return found


def _column(rows: list[Row], place: int) -> Iterator[str]:
    yield from (row.cells[place] if place < len(row.cells) else "" for row in rows)


def _repeating(field: str, columns: list[list[str]], places: list[int]) -> list[int]:
    """Return which columns of one field say no more than another of them: empty ones, copies, and days of payments
    beside "Paid".
    """
    truths = [{*map(heading_key, column)} <= YES | NO for column in columns]
    best = truths.index(True) if field == "paid" and True in truths else 0
    return [
        place
        for column, place in zip(columns, places, strict=True)
        if place != places[best] and (field == "paid" or column == columns[best] or not any(column))
    ]


def _in_order(rows: list[Row], fields: Fields) -> list[str]:
    """Return the fields of the columns of a table without headings, past those of numbers and mail addresses."""
    found, left = [], list(fields.in_order)
    for column in range(max((len(row.cells) for row in rows), default=0)):
        values = [row.cells[column] for row in rows if column < len(row.cells) and row.cells[column]]
        numbers = left[:1] == ["name"] and len(rows) > 1 and all(re.fullmatch(r"[\d.]+", value) for value in values)
        mails = sum(bool(re.fullmatch(r"\S+@\S+", value)) for value in values) * 2 > len(values)
        truths = len(values) > 1 and "paid" in left and {*map(heading_key, values)} <= YES | NO and left[0] != "name"
        field = "email" if mails else "" if numbers else "paid" if truths else next(iter(left), "")
        found.append(left.pop(left.index(field)) if field in left and mails == (field == "email") else "")
    return found


# --- For spreadsheets -------------------------------------------------------------------------------------------------

#: A cell that begins with one of these would be a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_of(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV in which a spreadsheet finds all letters, and takes no text for a formula, date or number.
    Write numbers of more than 15 digits as text: a spreadsheet rounds them.
    """
    out = StringIO()
    out.write("\ufeff")
    writer = csv.writer(out)
    for row in rows:
        writer.writerow(
            [
                _guarded(cell) if isinstance(cell, str) else str(cell).lower() if isinstance(cell, bool) else cell
                for cell in row
            ]
        )
    return out.getvalue()


def _guarded(text: str) -> str:
    """Return the text of a cell, behind an apostrophe if a spreadsheet could take it for something else."""
    return f"'{text}" if text.startswith(_FORMULA) or _is_value(text) else text


def _is_value(text: str) -> bool:
    letters = folded(text)
    if not any(letter.isdigit() for letter in letters):
        return letters in WORDS["truths"].split()
    in_dates, months = WORDS["in_dates"].split(), tuple(WORDS["months"].split())
    return all(word in in_dates or word.startswith(months) for word in re.findall(r"[^\W\d_]+", letters))


def _unguarded(cell: str) -> str:
    """Return a cell without the apostrophe of `_guarded`."""
    return cell[1:] if cell[:1] == "'" and _guarded(cell[1:]) == cell else cell
