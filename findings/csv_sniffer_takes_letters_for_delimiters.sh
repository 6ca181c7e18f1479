#!/usr/bin/env bash
# Guess:    csv.Sniffer of Python's standard library finds what separates the cells of a short table of people.
# Happens:  where all names end alike it answers with that letter (Player, Peter, Oliver: "r"), and where names are written
#           "Doe, Jane" without quotes it prefers their comma to the semicolon between the columns.
# Hurt:     uploads of short lists: names are torn, and surnames become whole names. Counting tab, semicolon, bar and comma
#           outside quotes, and taking what most lines have equally often, is right on both.
# Versions: Python 3.11 to 3.13. Source: Lib/csv.py, `Sniffer._guess_delimiter` (it counts all ASCII characters).
set -euo pipefail
python3 - <<'PYTHON'
import csv

for text, wrong in [
    ("Player\nPeter\nOliver\nRobert\n", "r"),
    ("Doe, Jane;Lions\nRoe, Rick;Bears\nPoe, Ann;Lions\n", ","),
]:
    found = csv.Sniffer().sniff(text).delimiter
    print(f"{text!r}: {found!r}")
    assert found == wrong
PYTHON
