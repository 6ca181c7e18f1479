"""What Gnumeric and LibreOffice make of the tables that they are sent: the same texts and whole numbers."""

import shutil
import subprocess

import pytest

from core.tables import csv_of
from core.xlsx import sheet_rows
from tests.sent_tables import TEXTS

pytestmark = pytest.mark.nightly


def gnumeric(file, folder):
    return ["ssconvert", str(file), str(folder / "table.xlsx")]


def libre_office(language):
    def command(file, folder):
        profile = f"-env:UserInstallation=file://{folder}/profile"
        options = ["--headless", f"--infilter=CSV:44,34,76,1,,{language}", "--convert-to", "xlsx", "--outdir", folder]
        return ["soffice", profile, *map(str, options), str(file)]

    return command


@pytest.mark.parametrize(
    ("command", "shown"),
    [(gnumeric, ""), (libre_office(1033), "'"), (libre_office(1031), "'")],
    ids=["gnumeric", "libreoffice-english", "libreoffice-german"],
)
def test_a_spreadsheet_changes_no_cell(command, shown, tmp_path):
    words = command(tmp_path / "table.csv", tmp_path)
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]} here")
    (tmp_path / "table.csv").write_text(csv_of([["Zoë"], *([text] for text in TEXTS), [7], [12]]), newline="")
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    rows, _sheets, _lost = sheet_rows((tmp_path / "table.xlsx").read_bytes())
    assert [row[0] for row in rows] == ["Zoë", *(f"{shown}{text}" for text in TEXTS), "7", "12"]
