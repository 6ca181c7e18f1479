"""The standings as a table: in which order, with which numbers, and how much of it is shown."""

from typing import Any

import pytest
from django.http import QueryDict

from accounts.models import User
from campaign.battles.pages.register_lines import RegisterLine, register_lines
from campaign.pages.standings import COLUMNS, ON_A_PHONE, SHORT, StandingsTable, sorted_standings, standings_table
from campaign.queries.registers import registers_of
from registers.models import Register
from rules.register.state import RegisterState
from tests.campaign.factories import enlisted
from tests.campaign.fights import over

ADA, BEN = User(pk=1, username="ada"), User(pk=2, username="Ben")


def line(name: str, owner: User | None = BEN, **words: Any) -> RegisterLine:
    """A Register as the standings read it; `words` are of it, or how many battles it won, drew and lost."""
    results = {key: words.pop(key, 0) for key in ("won", "drawn", "lost")}
    arc = words.pop("arc", None)
    words = {"commissioned": True, "combat_potential": 600, **words}
    register = Register(name=name, owner=owner, **words)
    return RegisterLine(register=register, state=RegisterState(name=name, **words), spent=139, arc=arc, **results)


LINES = (
    line("Ashen Patrol", ADA, reputation=1, faction="empire", won=1),
    line("Dune Wardens", reputation=3, faction="rebel", combat_potential=750),
    line("Grim Hounds", faction="empire", won=2, lost=1, arc={"name": "A", "agendas": [{"done": 1}]}),
    line("Iron Vigil", None, reputation=3, faction="republic", won=2, arc={"name": "A", "agendas": ()}),
)


def ranked(asked: str = "", lines: Any = LINES, reader: User = ADA) -> StandingsTable:
    return sorted_standings(lines, reader, QueryDict(asked))


def places(found: StandingsTable) -> list[tuple[int, str]]:
    return [(place.number, place.line.state.name) for place in found.places]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("", "A3 I1 D2 G4"),
        ("sort=-reputation", "A2 G1 D3 I4"),
        ("sort=register", "A1 D2 G3 I4"),
        ("sort=-register", "A4 I1 G2 D3"),
        ("sort=player", "A2 I1 D3 G4"),
        ("sort=faction", "A1 G2 D3 I4"),
        ("sort=potential", "A3 D1 I2 G4"),
        ("sort=won", "A3 I1 G2 D4"),
        ("sort=arc", "A2 D1 G3 I4"),
        ("sort=nonsense", "A3 I1 D2 G4"),
        ("sort=-", "A3 I1 D2 G4"),
    ],
)
def test_by_each_column_the_readers_own_first_ties_by_standing(asked, expected):
    found = places(ranked(asked))
    assert " ".join(f"{name[0]}{number}" for number, name in found) == expected


def test_only_equal_records_share_a_rank():
    lines = (line("A", won=1), line("B", lost=1), line("C", won=1), line("D", reputation=1, lost=2))
    assert places(ranked(lines=lines)) == [(1, "D"), (2, "A"), (2, "C"), (4, "B")]


def test_who_has_none_of_their_own_reads_from_the_top():
    assert [name[0] for _number, name in places(ranked(reader=User(pk=9)))] == ["I", "D", "A", "G"]


def test_heads_say_how_it_is_sorted_and_lead_to_the_other_order():
    heads = {head["name"]: (head["sorted"], head["query"]) for head in ranked("sort=won&all=1").heads}
    assert heads == {
        **{column.name: ("", f"sort={column.name}&all=1") for column in COLUMNS},
        "won": ("descending", "sort=-won&all=1"),
    }
    turned = {head["name"]: (head["sorted"], head["query"]) for head in ranked("sort=-won").heads}
    assert turned["won"] == ("ascending", "sort=won")
    by_name = {head["name"]: (head["sorted"], head["query"]) for head in ranked("sort=register").heads}
    assert by_name["register"] == ("ascending", "sort=-register")


def many(number: int) -> list[RegisterLine]:
    return [line(f"Patrol {at:02d}", ADA if at == number - 1 else BEN) for at in range(number)]


def test_of_many_the_first_and_all_when_asked():
    short, whole = ranked(lines=many(9)), ranked("all=1", lines=many(9))
    assert [name for _number, name in places(short)] == [
        "Patrol 08", *(f"Patrol {at:02d}" for at in range(SHORT - 1))
    ]  # fmt: skip
    assert (short.shortened, short.long_for_a_phone, short.total) == (True, True, 9)
    assert [place.later for place in short.places] == [False] * ON_A_PHONE + [True] * (SHORT - ON_A_PHONE)
    assert [place.own for place in short.places] == [True] + [False] * (SHORT - 1)
    assert short.query == "sort=reputation&all=1"
    assert len(whole.places) == 9
    assert (whole.shortened, whole.long_for_a_phone) == (False, False)
    assert not any(place.later for place in whole.places)


def test_all_of_ones_own_are_shown():
    lines = [line(f"Patrol {at}", ADA) for at in range(SHORT + 2)]
    assert len(ranked(lines=lines).places) == SHORT + 2


def test_asking_for_all_keeps_the_order():
    assert ranked("sort=-potential").query == "sort=-potential&all=1"


def test_as_many_as_a_phone_shows_are_not_long():
    assert not ranked(lines=many(ON_A_PHONE)).long_for_a_phone
    assert ranked(lines=many(ON_A_PHONE + 1)).long_for_a_phone


@pytest.mark.parametrize("asked", ["", "sort=-register", "sort=won", "sort=arc&all=1", "all=1"])
def test_of_registers_it_is_what_it_would_be_of_their_whole_lines(table, asked):
    for number in range(SHORT):
        enlisted(table.campaign, table.mia, f"Patrol {number}", commissioned=number != 2)
    over(table, "blue")
    whole = sorted_standings(register_lines(registers_of(table.campaign)), table.ada, QueryDict(asked))
    registers = list(Register.objects.filter(commissioned=True).select_related("owner"))
    assert standings_table(registers, table.ada, QueryDict(asked)) == whole
