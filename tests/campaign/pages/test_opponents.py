"""Opponents."""

from campaign.battles.pages.register_lines import register_lines
from campaign.battles.services.contenders import Contender
from campaign.pages.standings_chart import fought, opponents
from tests.campaign.fights import over


def matrix(table):
    return opponents(fought(table.campaign))


def chart(table):
    """Row and column to the marks, the tally where there are too many, and None for itself."""
    found = matrix(table)
    return {
        (row["register"].name, cell.opponent.name if cell.opponent else "Guests"): None
        if cell.itself
        else cell.tally or [bout.result for bout in cell.bouts]
        for row in found["rows"]
        for cell in row["cells"]
    }


def test_marks_for_battles(table):
    over(table, "blue"), over(table), over(table, "red")
    assert chart(table) == {
        ("Ashen Patrol", "Ashen Patrol"): None,
        ("Ashen Patrol", "Dune Wardens"): ["won", "drawn", "lost"],
        ("Dune Wardens", "Ashen Patrol"): ["lost", "drawn", "won"],
        ("Dune Wardens", "Dune Wardens"): None,
    }


def test_numbers_where_there_are_many(table):
    for winner in ("blue", "blue", "red", ""):
        over(table, winner)
    assert chart(table)["Ashen Patrol", "Dune Wardens"] == "2–1–1"
    assert chart(table)["Dune Wardens", "Ashen Patrol"] == "1–1–2"


def test_guests_have_a_column(table):
    over(table, "red", red=Contender(guest_name="Sal", guest_points=500))
    assert chart(table)["Ashen Patrol", "Guests"] == ["lost"]
    assert chart(table)["Dune Wardens", "Guests"] == []
    assert matrix(table)["count"] == 1


def test_all_together_is_what_the_standings_say(table):
    for winner in ("blue", "blue", "red", ""):
        over(table, winner)
    over(table, "blue", status="sequence")
    lines = {line.register: line for line in register_lines([table.alpha, table.bravo])}
    for row in matrix(table)["rows"]:
        line = lines[row["register"]]
        assert row["tally"] == f"{line.won}–{line.drawn}–{line.lost}"
    assert matrix(table)["count"] == 4


def test_nothing_before_a_battle_is_over(table):
    over(table, status="sequence")
    assert matrix(table) is None
