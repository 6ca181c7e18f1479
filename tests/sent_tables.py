"""Tables of players as people send them, and Excel workbooks."""

import zipfile
from dataclasses import dataclass
from io import BytesIO
from xml.sax.saxutils import escape

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@dataclass(frozen=True, slots=True)
class SentTable:
    """A file with the players in it, as (name, club, paid), and the columns that are left out."""

    name: str
    content: bytes
    players: list[tuple[str, str, bool]]
    left_out: list[str]


def workbook(rows, *, others=(), hidden=()) -> bytes:
    """Return a workbook whose first visible sheet has these rows, by their numbers. `others` and `hidden` are the names
    of more sheets; hidden ones stand first. A float is written as a day.
    """
    texts = []

    def cell(place, number, value):
        reference = f"{chr(65 + place)}{number}"
        if isinstance(value, bool):
            return f'<c r="{reference}" t="b"><v>{int(value)}</v></c>'
        if isinstance(value, int):
            return f'<c r="{reference}"><v>{value}</v></c>'
        if isinstance(value, float):
            return f'<c r="{reference}" s="1"><v>{value}</v></c>'
        texts.append(value)
        return f'<c r="{reference}" t="s"><v>{len(texts) - 1}</v></c>'

    data = "".join(
        f'<row r="{number}">{"".join(cell(place, number, each) for place, each in enumerate(row) if each != "")}</row>'
        for number, row in rows.items()
    )
    names = [*hidden, "Players", *others]
    sheets = "".join(
        f'<sheet name="{name}" r:id="r{number}" state="{"hidden" if name in hidden else "visible"}"/>'
        for number, name in enumerate(names, 1)
    )
    links = "".join(f'<Relationship Id="r{n}" Target="worksheets/sheet{n}.xml"/>' for n in range(1, len(names) + 1))
    shared = "".join(f"<si><r><t>{escape(text[:1])}</t></r><r><t>{escape(text[1:])}</t></r></si>" for text in texts)
    parts = {
        "xl/workbook.xml": f'<workbook {_MAIN} xmlns:r="{_LINKS}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"<Relationships>{links}</Relationships>",
        "xl/sharedStrings.xml": f"<sst {_MAIN}>{shared}</sst>",
        "xl/styles.xml": f'<styleSheet {_MAIN}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    for number, name in enumerate(names, 1):
        body = data if name == "Players" else ""
        parts[f"xl/worksheets/sheet{number}.xml"] = f"<worksheet {_MAIN}><sheetData>{body}</sheetData></worksheet>"
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, content in parts.items():
            archive.writestr(path, content)
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
        workbook({1: ["Name", "Verein", "Bezahlt", "Datum"], 2: ["Doe, Jane", "Lions", True, 46000.0],
                  4: ["Zoë Smith", "", False, 46001.0]}),
        [("Jane Doe", "Lions", True), ("Zoë Smith", "", False)], ["Datum"],
    ),
]  # fmt: skip
