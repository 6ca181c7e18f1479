import pytest

from lists.formats.parsed import Format, Kind, Line, Parsed, settle

PARSED = Parsed(
    Format.TOURNAMENT_TEXT,
    lines=(
        Line(read="Luke", kind=Kind.UNIT, candidates=("one", "two"), violations=("Which?",)),
        Line(read="Saber", kind=Kind.UPGRADE, of=0),
        Line(read="many", kind=Kind.SIZE),
        Line(read="Wampa", kind=Kind.UNKNOWN, violations=("What?",)),
        Line(read="Push", kind=Kind.COMMAND_CARD, card="push"),
    ),
)


def test_what_a_player_has_to_decide():
    assert PARSED.open == (0, 1, 2, 3)


def test_a_choice_settles_a_line():
    settled = settle(PARSED, {0: "two", 1: "saber-throw", 2: "", 3: ""})

    assert settled == Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            Line(read="Luke", kind=Kind.UNIT, card="two", because="choice"),
            Line(read="Saber", kind=Kind.UPGRADE, card="saber-throw", because="choice", of=0),
            Line(read="many", kind=Kind.NOTE),
            Line(read="Wampa", kind=Kind.NOTE),
            PARSED.lines[4],
        ),
    )
    assert settled.open == ()


def test_what_is_left_out_takes_along_what_belongs_to_it():
    assert [line.kind for line in settle(PARSED, {0: ""}).lines[:2]] == [Kind.NOTE, Kind.NOTE]


@pytest.mark.parametrize("choices", [{9: "one"}, {0: "three"}, {2: "600"}, {3: "wampa"}])
def test_a_choice_that_was_not_offered_is_an_error(choices: dict[int, str]):
    with pytest.raises(ValueError, match="line"):
        settle(PARSED, choices)
