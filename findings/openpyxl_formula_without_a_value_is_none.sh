#!/usr/bin/env bash
# Guess:    `load_workbook(..., data_only=True)` gives what a spreadsheet program shows in a cell with a formula.
# Happens:  it gives the value that the last program stored beside the formula. SpreadsheetML lets a program leave that
#           out, and openpyxl itself does: such a cell is None like an empty one, and nothing tells the two apart.
# Hurt:     a list of players that a script wrote, its names with =CONCATENATE(...): rows without a name. A reader that
#           must know loads the workbook again without data_only, and looks for formulas where the value is None.
# Versions: openpyxl 3.1.5 (PyPI), Python 3.11. Source: openpyxl/worksheet/_reader.py, `WorkSheetParser.parse_cell`;
#           ECMA-376, part 1, 18.3.1.4 (the value of a cell is optional).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet openpyxl==3.1.5

venv/bin/python - <<'PYTHON' | tee output
from openpyxl import Workbook, load_workbook

book = Workbook()
book.active["A1"] = '=CONCATENATE("Jane", " Doe")'
book.save("players.xlsx")
for data_only in (False, True):
    cells = load_workbook("players.xlsx", data_only=data_only).active
    print(f"data_only={data_only}: {cells['A1'].value!r}, an empty cell: {cells['A2'].value!r}")
PYTHON
diff output - <<'SEEN'
data_only=False: '=CONCATENATE("Jane", " Doe")', an empty cell: None
data_only=True: None, an empty cell: None
SEEN
