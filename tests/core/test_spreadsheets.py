"""What Gnumeric, LibreOffice and two libraries of JavaScript make of our tables: the same texts and whole numbers."""

import shutil
import subprocess

import pytest

from core.tables import csv_of
from core.xlsx import sheet_rows
from tests.sent_tables import TEXTS

pytestmark = pytest.mark.nightly
NODE = """
import xlsx from "xlsx";
import exceljs from "exceljs";

const [program, file, out] = process.argv.slice(2);
if (program === "xlsx") {
  xlsx.writeFile(xlsx.readFile(file), out);
} else {
  const book = new exceljs.Workbook();
  await book.csv.readFile(file);
  await book.xlsx.writeFile(out);
}
"""


def gnumeric(file, folder):
    return ["ssconvert", str(file), str(folder / "table.xlsx")]


def libre_office(language):
    def command(file, folder):
        profile = f"-env:UserInstallation=file://{folder}/profile"
        options = ["--headless", f"--infilter=CSV:44,34,76,1,,{language}", "--convert-to", "xlsx", "--outdir", folder]
        return ["soffice", profile, *map(str, options), str(file)]

    return command


def javascript(program):
    def command(file, folder):
        if shutil.which("npm"):
            (folder / "read.mjs").write_text(NODE)
            install = ["npm", "install", "--silent", "--no-fund", "--no-audit", "xlsx@0.18.5", "exceljs@4.4.0"]
            if subprocess.run(install, cwd=folder, capture_output=True, timeout=300).returncode:
                pytest.skip("npm cannot install the libraries")
        return ["node", str(folder / "read.mjs"), program, str(file), str(folder / "table.xlsx")]

    return command


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (gnumeric, ""),
        (libre_office(1033), "'"),
        (libre_office(1031), "'"),
        (javascript("xlsx"), "'"),
        (javascript("exceljs"), "'"),
    ],
    ids=["gnumeric", "libreoffice-english", "libreoffice-german", "xlsx", "exceljs"],
)
def test_a_spreadsheet_changes_no_cell(command, shown, tmp_path):
    words = command(tmp_path / "table.csv", tmp_path)
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]} here")
    (tmp_path / "table.csv").write_text(csv_of([["Zoë"], *([text] for text in TEXTS), [7], [12]]), newline="")
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    rows, _sheets, _lost = sheet_rows((tmp_path / "table.xlsx").read_bytes())
    assert [row[0] for row in rows] == ["Zoë", *(f"{shown}{text}" for text in TEXTS), "7", "12"]
