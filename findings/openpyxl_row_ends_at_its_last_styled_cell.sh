#!/usr/bin/env bash
# Guess:    a row that openpyxl reads from a sheet ends at its last value.
# Happens:  it ends at the last cell that the file names. Spreadsheet programs name an empty cell if it has a style, so
#           a colored band or a border to the right of a table makes its rows longer, with None at the end.
# Hurt:     a table of players with two columns and a line painted to column Z has 26 columns, 24 of them to be left
#           out. A reader cuts the None at the end of each row, and bounds the number of cells it takes.
# Versions: openpyxl 3.1.5 (PyPI), Python 3.11. Source: openpyxl/worksheet/_read_only.py, `_get_row`; ECMA-376, part 1,
#           18.3.1.4 (a cell may have a style and no value).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet openpyxl==3.1.5

venv/bin/python - <<'PYTHON' | tee output
from openpyxl import Workbook, load_workbook
from openpyxl.styles import PatternFill

book = Workbook()
for row in (["Name", "Club"], ["Jane Doe", "Lions"]):
    book.active.append(row)
book.active["Z1"].fill = PatternFill("solid", fgColor="FFCC00")
book.save("players.xlsx")
sheet = load_workbook("players.xlsx", read_only=True).active
sheet.reset_dimensions()  # else all rows are as long as the sheet says
for row in sheet.iter_rows(values_only=True):
    print(f"{len(row)} cells, {sum(value is not None for value in row)} with a value")
PYTHON
diff output - <<'SEEN'
26 cells, 2 with a value
2 cells, 2 with a value
SEEN
