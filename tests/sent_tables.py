"""Tables of players as people send them, and Excel workbooks."""

from dataclasses import dataclass
from datetime import date
from io import BytesIO

from openpyxl import Workbook

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class SentTable:
    """A file with the players in it, as (name, club, paid), and the columns that are left out."""

    name: str
    content: bytes
    players: list[tuple[str, str, bool]]
    left_out: list[str]


def workbook(rows, *, others=(), hidden=(), covers=(), merged="") -> bytes:
    """Return a workbook whose first visible sheet has these rows, by their numbers. `others` and `hidden` are the names
    of more sheets; hidden ones stand first. `merged` is a range of cells.
    """
    book = Workbook()
    book.remove(book.worksheets[0])
    for name in hidden:
        book.create_sheet(name).sheet_state = "hidden"
    for line in covers:
        book.create_sheet().cell(2, 2, line or None)
    sheet = book.create_sheet("Players")
    for number, row in rows.items():
        for place, value in enumerate(row, 1):
            sheet.cell(number, place, value or None)
    if merged:
        sheet.merge_cells(merged)
    for name in others:
        book.create_sheet(name)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


#: Ten tables of the same two players.
TEN = [
    SentTable(
        "english.csv",
        b"Timestamp,Full Name,Email Address,Club,Paid?\r\n1/2/2026 10:00,Jane Doe,j@x.org,Lions,yes\r\n"
        b'1/2/2026 11:30,"Smith, Zo\xc3\xab",z@x.org,"Bears, North",\r\n',
        [("Jane Doe", "Lions", True), ("Zoë Smith", "Bears, North", False)], ["Timestamp", "Email Address"],
    ),
    SentTable(
        "german.csv",
        "\ufeffName;E-Mail;Verein;Bezahlt\r\nJane Doe;j@x.de;Lions;ja\r\nZoë Smith;z@x.de;;nein\r\n".encode(),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "", False)], ["E-Mail"],
    ),
    SentTable(
        "excel-unicode.txt", "Nachname\tVorname\tVerein\nDoe\tJane\tLions\nSmith\tZoë\tBears\n".encode("utf-16"),
        [("Jane Doe", "Lions", False), ("Zoë Smith", "Bears", False)], [],
    ),
    SentTable(
        "french.csv", "Nom;Prénom;Équipe;Payé\r\nDoe;Jane;Lions;oui\r\nSmith;Zoë;;non\r\n".encode("cp1252"),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "", False)], [],
    ),
    SentTable(
        "spanish.csv", "Nombre;Apellidos;Teléfono;Pagado\nJane;Doe;600 1;sí\nZoë;Smith;600 2;no\n".encode(),
        [("Jane Doe", "", True), ("Zoë Smith", "", False)], ["Teléfono"],
    ),
    SentTable(
        "italian.csv", "Cognome|Nome|Squadra|Pagato\nDoe|Jane|Lions|si\nSmith|Zoë|Bears; Nord|no\n".encode(),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "Bears; Nord", False)], [],
    ),
    SentTable(
        "polish.csv", "sep=;\r\nImię i nazwisko;Drużyna;Zapłacono;Miasto\r\nJane Doe;Lions;tak;Łódź\r\n"
        "Zoë Smith;;nie;Kraków\r\n".encode(),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "", False)], ["Miasto"],
    ),
    SentTable(
        "title-above.csv",
        "Winter Cup 2026;;\n\nPlayer;Team;Army\nJane Doe;Lions;Rebels\nZoë Smith;Bears;Empire\n".encode(),
        [("Jane Doe", "Lions", False), ("Zoë Smith", "Bears", False)], ["Army"],
    ),
    SentTable(
        "no-headings.csv", "1,Jane Doe,j@x.org,Lions\n2,Zoë Smith,z@x.org,Bears\n".encode(),
        [("Jane Doe", "Lions", False), ("Zoë Smith", "Bears", False)], ["Column A", "Column C"],
    ),
    SentTable(
        "workbook.xlsx",
        workbook({1: ["Name", "Verein", "Bezahlt", "Datum"], 2: ["Doe, Jane", "Lions", True, date(2025, 12, 9)],
                  4: ["Zoë Smith", "", False, date(2025, 12, 10)]}),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "", False)], ["Datum"],
    ),
]  # fmt: skip

#: Texts that a spreadsheet takes for something else: formulas, fractions, days, times, numbers, truths.
TEXTS = [
    "=1+1", "-5", "+5", "@x", "3/2", "2/3", "3-4", "5–8", "1.5", "12.1.", "10:30", "May 4", "4. März", "5 mai", "1e5",
    "007", "50%", "TRUE", "½", "42", "12345678901234567",
]  # fmt: skip
