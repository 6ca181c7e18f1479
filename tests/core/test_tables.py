"""Tables that people upload, and cells that spreadsheets leave alone."""

import time
from datetime import date, datetime

import pytest
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from core.table_forms import ColumnsForm
from core.tables import Fields, csv_of, rows_of, text_of_file
from core.xlsx import sheet_rows
from rules.core.violations import RuleViolation
from tests.sent_tables import TEN, TEXTS, workbook
from tournaments.forms.entries import PLAYER_FIELDS, read_players

FIELDS = Fields({"name": "Name", "club": "Club"}, ("name", "club"), ("name",))


@pytest.mark.parametrize("sent", TEN, ids=[sent.name for sent in TEN])
def test_ten_tables_are_read_alike(sent):
    text, _sheets = text_of_file(sent.content)
    table = read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), ())
    assert table.is_good
    assert [(each.name, each.club, each.paid) for each in table.players] == sent.players
    assert table.columns.left_out == sent.left_out


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ('Name;Club\n"Doe; Jane";"5"" tall"', ["Doe; Jane", '5" tall']),
        ("Name\nDoe, Jane", ["Doe, Jane"]),
        ("Name;Points\nAda;1,5\nBen;2,5", ["Ada", "1,5"]),
        ("Name,Note\nAda,a;b;c", ["Ada", "a;b;c"]),
        ('Name, Club\nAda, "Lions, North"', ["Ada", "Lions, North"]),
        ("Name;Club\rAda;Lions\r", ["Ada", "Lions"]),
        ('Name;Note\nAda;"two\nlines"', ["Ada", "two\nlines"]),
        ('Name,Club,Note\n"Ek, Bo",Bears,5\' 6" tall', ["Ek, Bo", "Bears", "5' 6\" tall"]),
        ("Ada Ny\nBo  Ek", ["Bo  Ek"]),
        ("Name,Note\nAda,use <tr> here", ["Ada", "use <tr> here"]),
        ('<table><tr><td>Ada<td>Lions<tr><td>"Ace" Ny<td>A, B\n</table>', ['"Ace" Ny', "A, B"]),
    ],
)
def test_cells_are_split_where_all_rows_are(text, cells):
    assert rows_of(text)[1] == (2, cells)


@pytest.mark.parametrize(
    ("content", "players", "left_out"),
    [
        ("Name;Club;Paid\nAda Ny;Lions;yes\nBo Ek;;no\nSumme: 2;;1\n", ["Ada Ny", "Bo Ek"], "Summe: 2 · 1"),
        ("Surname;Name\nNy;Ada\nTotal;Ben\n", ["Ada Ny", "Ben Total"], ""),
        ("Total;Name\n10;Ada Ny\n", ["Ada Ny"], ""),
        ("| Name | Club |\n|:--|---|\n| Ada Ny | Lions |\n", ["Ada Ny"], ""),
        ('Name;Club\n"Ada\nNy";Lions\n', ["Ada Ny"], ""),
        ("Name;Paid\nAda Ny;10,00 €\nBo Ek;0\nTotal;10,00 €\n", ["Ada Ny", "Bo Ek"], "Total · 10,00 €"),
        ('Name;Club\n"Ada Ny;Lions\nBo Ek;\n', ["Ada Ny", "Bo Ek"], ""),
        ("Name            Club\nAda Ny          Lions\nBo Ek           Big Bears\n", ["Ada Ny", "Bo Ek"], ""),
        ("1. Ada Ny\n2. Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        ("- Ada Ny\n- Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        ("Name\n1. Ada Ny\n2. Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        (
            "<html><table><tr><th>Name<th>Club</tr><TR><td>Ada&nbsp;Ny</td><td><b>A</b> &amp; B</TR></table>",
            ["Ada Ny"],
            "",
        ),
        (workbook({1: ["Name", "Club"], 2: ["Ada Ny", "Lions"]}, covers=["Welcome", ""]), ["Ada Ny"], ""),
        ("Ada, Ben, Cy\n", ["Ada", "Ben", "Cy"], ""),
        ("Ny, Ada\n", ["Ada Ny"], ""),
        ("Ny, Ada\nEk, Bo Li\n", ["Ada Ny", "Bo Li Ek"], ""),
        ("Ny, Ada; Ek, Bo\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny <a@x.org>; Bo Ek <b@x.org>\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny <a@x.org>\n'Bo Ek' <b@x.org>\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny, Lions\nBo Ek, Bears\n", ["Ada Ny", "Bo Ek"], ""),
        (
            "Name;Fee\nAda Ny;15 €\nBo Ek;15 €\n;\nSum;30 €\nOpen;0 €\n2 players;2\n",
            ["Ada Ny", "Bo Ek"],
            "Sum · 30 €, Open · 0 €, 2 players · 2",
        ),
        (
            "Players:\n1. Ada Ny\n2) Bo Ek\nWaiting list:\n1. Cy Li\n",
            ["Ada Ny", "Bo Ek", "Cy Li"],
            "Players:, Waiting list:",
        ),
        ("1\ufe0f\u20e3 Ada Ny\n1\ufe0f\u20e30\ufe0f\u20e3 Bo Ek\n\U0001f51fCy Li\n", ["Ada Ny", "Bo Ek", "Cy Li"], ""),
        ("Nr;Name;Paid\n1;Ada Ny;TRUE\n2;;FALSE\n3;;FALSE\n", ["Ada Ny"], ""),
        ("Name;Verein;Bezahlt\nName;Club;Paid\nAda Ny;Lions;yes\n", ["Ada Ny"], ""),
        ("Name;Club;Paid\n(full);(city);(y/n)\nAda Ny;Lions;y\nName;Club;Paid\nBo Ek;;n\n", ["Ada Ny", "Bo Ek"], ""),
        ("When,What is your full name?,What club are you from?\n1 May,Ada Ny,Lions\n", ["Ada Ny"], ""),
        ("Name;Club\n\u200bAda Ny\u200b;Li\u00adons\n", ["Ada Ny"], ""),
        ("“Ada Ny”,“Lions”\n“Ek, Bo”,“Bears”\n", ["Ada Ny", "Bo Ek"], ""),
        ("#1 Ada Ny\n#2 Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        ("Name\n[Ace]\nTotal\nSum\n", ["[Ace]", "Total", "Sum"], ""),
        ("Name;Club\nClub;\nBo Ek;Bears\n", ["Club", "Bo Ek"], ""),
        ("Surname;First name\nNa;Min-ji\n-;Cher\n", ["Min-ji Na", "Cher"], ""),
        ("Nr;Name\n1;Ada Ny\n2;-\n", ["Ada Ny"], ""),
        ("1. Ada Ny\n2. Bo Ek\n3. \n4.\n", ["Ada Ny", "Bo Ek"], ""),
        ("[x] Ada Ny\n[ ] Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny - a@x.org\nBo Ek (b@x.org)\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ny, Ada <a@x.org>\nEk, Bo <b@x.org>\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny,a@x.org\nBo Ek,b@x.org\n", ["Ada Ny", "Bo Ek"], ""),
        ("Ada Ny;a@x.org;Lions\nBo Ek;b@x.org;Bears\n", ["Ada Ny", "Bo Ek"], ""),
        ("Name\nAda Ny\n*Bo Ek\n*Cy Os\n", ["Ada Ny", "*Bo Ek", "*Cy Os"], ""),
        ("Name;Club\nAda Ny;Lions\n*Bo Ek;\n", ["Ada Ny", "*Bo Ek"], ""),
        ("Name;Payment method\nAda Ny;PayPal\nBo Ek;cash\n", ["Ada Ny", "Bo Ek"], ""),
        (
            "Name;Club\nAda Ny;Lions\n;\nBo Ek;\n;\nMade on 2 May;\n* vegetarian;\n",
            ["Ada Ny", "Bo Ek"],
            "Made on 2 May, * vegetarian",
        ),
        ("Ny, Ada\nNy, Bo\nEk, Ada\nLi, Bo\n", ["Ada Ny", "Bo Ny", "Ada Ek", "Bo Li"], ""),
        ("1 - Ada Ny\n2 - Bo Ek\n", ["Ada Ny", "Bo Ek"], ""),
        ("Nazwisko;Imię;Zapłacone\nŻółć;Łukasz;tak\n".encode("cp1250"), ["Łukasz Żółć"], ""),
        ("Nom;Prénom\nDoe;Zoë\n".encode("cp1252"), ["Zoë Doe"], ""),
        ("Nombre;¿va?\nAda Muñoz;¿va a venir?\nBo Ñandú;10 m³\n".encode("cp1252"), ["Ada Muñoz", "Bo Ñandú"], ""),
        *(
            (f"Nazwisko;Imię\n{last};{first}\n".encode("cp1250"), [f"{first} {last}"], "")
            for first, last in (
                ("Michał", "Kos"),
                ("Łuk", "Nowak"),
                ("Ida", "Wał"),
                ("Ewa", "Bażant"),
                ("Jan", "Struż"),
            )
        ),
    ],
)
def test_rows_that_are_no_players_are_left_out(content, players, left_out):
    text, _sheets = text_of_file(content if isinstance(content, bytes) else content.encode())
    table = read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), ())
    assert [each.name for each in table.players] == players
    assert (table.is_good, table.columns.rows_left_out) == (True, left_out)


@pytest.mark.parametrize(
    ("content", "fields", "players"),
    [
        ("Ny, Ada\nEk, Bo\nOs, Cy\n", ["last_name", "first_name"], [("Ada Ny", ""), ("Bo Ek", ""), ("Cy Os", "")]),
        (
            "Ada, Lions\nBo, Bears\nCy, Lions\nDi, Bears\n",
            ["name", "club"],
            [("Ada", "Lions"), ("Bo", "Bears"), ("Cy", "Lions"), ("Di", "Bears")],
        ),
        ("Ada Ny\tLions\tpaid\nBo Ek\tBears\tnot paid\n", ["name", "club", "paid"],
         [("Ada Ny", "Lions"), ("Bo Ek", "Bears")]),
        ("Your name,Your club or team\nAda Ny,none\nBo Ek,-\n", ["name", "club"], [("Ada Ny", ""), ("Bo Ek", "")]),
        ("Club;Name\nLions;Ada Ny\n;Bo Ek\n", ["club", "name"], [("Ada Ny", "Lions"), ("Bo Ek", "")]),
        ("Club;Name;Club\nLions;Ada Ny;Lions\n;Bo Ek;\n", ["club", "name", ""], [("Ada Ny", "Lions"), ("Bo Ek", "")]),
        ("Paid at;Name;Paid\n1 May;Ada Ny;yes\n;Bo Ek;no\n", ["", "name", "paid"], [("Ada Ny", ""), ("Bo Ek", "")]),
        ("Player;;Club\nFirst;Last;\nAda;Ny;Lions\n", ["first_name", "last_name", "club"], [("Ada Ny", "Lions")]),
        ("Wie heißt du?;Heimatverein;Startgeld bezahlt?\nAda Ny;Lions;✅\n", ["name", "club", "paid"],
         [("Ada Ny", "Lions")]),
        ("Attendee first name;Attendee surname;Quota pagata\nAda;Ny;👎\n", ["first_name", "last_name", "paid"],
         [("Ada Ny", "")]),
        (
            workbook({1: ["Club", "Name"], 2: ["Lions", "Ada Ny"], 3: ["", "Bo Ek"], 4: ["", "Cy Os"]}, merged="A2:A3"),
            ["club", "name"],
            [("Ada Ny", "Lions"), ("Bo Ek", "Lions"), ("Cy Os", "")],
        ),
    ],
)  # fmt: skip
def test_columns_without_clear_headings_are_guessed(content, fields, players):
    text, _sheets = text_of_file(content if isinstance(content, bytes) else content.encode())
    table = read_players(ColumnsForm(rows_of(text), PLAYER_FIELDS), ())
    assert table.columns.chosen() == fields
    assert [(each.name, each.club) for each in table.players] == players


def test_a_line_of_two_words_is_read_as_its_reader_says():
    rows = rows_of("Ada, Lions\nBen, Bears\n")
    guessed = ColumnsForm(rows, PLAYER_FIELDS)
    sent = {field.html_name: field.value() for field in guessed} | {"column-0": "name", "column-1": "club"}
    players = read_players(ColumnsForm(rows, PLAYER_FIELDS, sent), ()).players
    assert [(each.name, each.club) for each in players] == [("Ada", "Lions"), ("Ben", "Bears")]


@pytest.mark.parametrize("text", ["a\n" * 2001, "a;" * 60, ',"' * 99_000])
def test_a_table_is_limited(text):
    with pytest.raises(RuleViolation, match=r"up to 2000 rows and 60 columns|no table"):
        rows_of(text)


def test_rows_have_the_numbers_of_the_spreadsheet():
    text = '\nName;Note\n\nAda;"two\nlines"\nBen;x\n'
    assert [row.number for row in rows_of(text)] == [2, 4, 5]
    text, _sheets = text_of_file(workbook({2: ["Name"], 5: ["Ada"]}))
    assert [row.number for row in rows_of(text)] == [2, 5]


def test_the_first_visible_sheet_is_read_and_the_others_named():
    cells = ["a, b", 12, 0.1 + 0.2, date(2025, 12, 9), datetime(2025, 12, 9, 6), True]  # noqa: DTZ001  a wall clock
    text, sheets = text_of_file(workbook({1: cells}, hidden=["Draft"], others=["More"]))
    assert (text, sheets) == ('"a, b"\t12\t0.3\t2025-12-09\t2025-12-09 06:00:00\ttrue', ["More"])


@pytest.mark.parametrize(
    "content",
    [
        workbook({20_000: ["far"]}),
        workbook({1: [""] * 200 + ["far"]}),
        workbook({1: ["x"]})[:-40],
        b"PK\3\4",
        b"%PDF-1.4\nName;Club",
        b'[{"name": "Ada"}]',
        b"{\\rtf1 Name",
        b'<?xml version="1.0"?><Workbook><Row><Cell>Name</Cell></Row></Workbook>',
    ],
    ids=["rows", "columns", "cut", "no zip", "PDF", "JSON", "RTF", "XML"],
)
def test_a_workbook_that_is_broken_or_too_large_is_refused(content):
    with pytest.raises(RuleViolation, match="This file is no table"):
        text_of_file(content)


def test_a_workbook_is_given_up_at_the_first_row_that_is_too_wide(monkeypatch):
    """A few bytes for each row say that it has 16,384 cells: gigabytes, if all are read before they are counted."""
    rows = iter([["x"], [None] * 16_384, ["never read"]])
    monkeypatch.setattr(ReadOnlyWorksheet, "iter_rows", lambda *_args, **_words: rows)
    with pytest.raises(ValueError, match="no workbook"):
        sheet_rows(workbook({1: ["x"]}))
    assert next(rows) == ["never read"]


def test_a_workbook_with_too_many_letters_is_to_be_sent_in_parts():
    with pytest.raises(RuleViolation, match="The table is too long"):
        text_of_file(workbook({row: ["x" * 30_000] for row in range(1, 40)}))


def test_a_separator_that_no_table_has(monkeypatch):
    def reader(*_args, **_words):
        raise ValueError("bad delimiter value")  # as from Python 3.13 on

    monkeypatch.setattr("csv.reader", reader)
    with pytest.raises(RuleViolation, match="This file is no table"):
        rows_of("sep=\r\r\nName\r\n")


def test_a_field_in_two_columns_and_a_table_without_names_are_refused():
    twice = ColumnsForm(rows_of("Name,Player\nAda,Ben"), FIELDS)
    assert twice.non_field_errors() == ["These columns are all set to “Name”: Name, Player. Choose one of them."]
    without = ColumnsForm(rows_of("Club,Town,City\nLions,x,y"), FIELDS)
    assert without.non_field_errors() == ["No column is set to one of these: “Name”."]


def test_a_browser_session_remembers_what_was_chosen_and_forgets_what_was_chosen_back():
    session = {}
    rows = rows_of("Speler,Club\nAda,Lions")
    shown = ColumnsForm(rows, FIELDS, {"drawn": "x", "heading": "1"})
    sent = {field.html_name: field.value() for field in shown}
    for name, club, kept in (("name", "", {"speler": "name", "club": ""}), ("name", "club", {"speler": "name"})):
        columns = ColumnsForm(rows, FIELDS, sent | {"column-0": name, "column-1": club})
        assert columns.is_valid()
        columns.remember(session, "people")
        assert session == {"columns:people": kept}
    again = ColumnsForm(rows_of("Club,Speler\nLions,Ben"), FIELDS, None, session["columns:people"])
    assert again.is_valid()
    assert again.chosen() == ["club", "name"]


def test_cells_that_a_spreadsheet_would_change_stay_texts_and_are_read_back():
    plain = ["Bob 10", "Jane Doe", "Lions, 3rd hall", "d'Arc", "March"]
    text = csv_of([["Name"], *([cell] for cell in (*TEXTS, *plain)), [7]])
    assert text.startswith("\ufeff")
    assert [row.strip('"') for row in text.splitlines()[1:]] == [*(f"'{cell}" for cell in TEXTS), *plain, "7"]
    assert [row.cells[0] for row in rows_of(text)[1:]] == [*TEXTS, *plain, "7"]


@pytest.mark.parametrize(
    ("said", "paid"),
    [("15 €", True), ("€0.00", False), ("0", False), ("15,00", True), ("x", True), ("2.1.2026", True),
     ("Ja, per PayPal", True), ("Non, sur place", False), ("brak", False), ("?", False),
     ("2026-01-02T10:00:00Z", True)],
)  # fmt: skip
def test_an_amount_says_whether_a_player_paid(said: str, paid: bool):
    columns = ColumnsForm(rows_of(f"Name;Paid\nAda Ny;{said}\n"), PLAYER_FIELDS)
    [player] = read_players(columns, ()).players
    assert player.paid is paid


def test_cells_whose_formulas_nobody_computed():
    table = workbook({1: ["Name", "Club"], 2: ['=CONCATENATE("Ada", " Ny")', "Lions"], 3: ["Bo Ek"]})
    with pytest.raises(RuleViolation) as refused:
        text_of_file(table)
    assert refused.value.violations[0].text == (
        "These cells have a formula that nobody computed: A2. Open the file in Excel or LibreOffice, save it there, "
        "and send it again."
    )


def test_a_cell_with_an_error_is_empty():
    text, _sheets = text_of_file(workbook({1: ["Name", "Club"], 2: ["Ada Ny", "#N/A"], 3: ["Bo Ek", "Bears"]}))
    assert text == "Name\tClub\nAda Ny\t\nBo Ek\tBears"


@pytest.mark.parametrize("text", ["a " * 700 + "?", "<@" * 800, "x" + "-" * 20_000 + "@"])
def test_a_long_cell_is_read_soon(text):
    begun = time.process_time()
    assert ColumnsForm(rows_of(f"Name\n{text}\n"), PLAYER_FIELDS).data_rows
    assert ColumnsForm(rows_of(text), PLAYER_FIELDS).data_rows
    assert time.process_time() - begun < 2


def test_an_address_with_a_hyphen_is_not_a_name_with_an_address():
    rows = ColumnsForm(rows_of("jean-luc@x.org\nbo-ek@x.org\n"), PLAYER_FIELDS).data_rows
    assert [row.cells for row in rows] == [["jean-luc@x.org"], ["bo-ek@x.org"]]


def test_headings_over_two_rows_are_those_of_the_page_that_was_sent():
    rows = rows_of("Player;;Club\nFirst;Last;\nAda;Ny;Lions\n")
    drawn = ColumnsForm(rows, PLAYER_FIELDS)
    sent = ColumnsForm(rows, PLAYER_FIELDS, {name: drawn[name].value() for name in drawn.fields})
    assert (sent.has_changed_table, sent["column-2"].value()) == (False, "club")


def test_a_name_in_brackets_is_a_remark_only_below_the_headings():
    rows = rows_of("Name\n(in full)\n[Clan] Jane [x]\n(Ada)\n")
    assert [row.cells[0] for row in ColumnsForm(rows, PLAYER_FIELDS).data_rows] == ["[Clan] Jane [x]", "(Ada)"]
    rows = rows_of("Name\n[Clan] Jane [x]\n")
    assert [row.cells[0] for row in ColumnsForm(rows, PLAYER_FIELDS).data_rows] == ["[Clan] Jane [x]"]


def test_the_cells_of_a_line_of_names_are_numbered():
    rows = ColumnsForm(rows_of("Ada, Ben, Cy"), PLAYER_FIELDS).data_rows
    assert [(row.number, *row.cells) for row in rows] == [(1, "Ada"), (2, "Ben"), (3, "Cy")]


def test_a_line_of_names_is_one_line_if_its_reader_says_so():
    rows = rows_of("Ada Ny, Lions, late")
    guessed = ColumnsForm(rows, PLAYER_FIELDS)
    assert len(guessed.data_rows) == 3
    chosen = ColumnsForm(rows, PLAYER_FIELDS, {"drawn": guessed["drawn"].value(), "heading": "0"})
    assert ([row.cells for row in chosen.data_rows], chosen.has_changed_table) == ([["Ada Ny", "Lions", "late"]], True)
    assert chosen["heading"].value() == "0"
