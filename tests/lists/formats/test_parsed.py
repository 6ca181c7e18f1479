import pytest

from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, settle

PARSED = Parsed(
    Format.TOURNAMENT_TEXT,
    lines=(
        ParsedLine(read="Luke", kind=LineKind.UNIT, candidates=("one", "two"), violations=("Which?",)),
        ParsedLine(read="Saber", kind=LineKind.UPGRADE, of=0),
        ParsedLine(read="many", kind=LineKind.SIZE),
        ParsedLine(read="Wampa", kind=LineKind.UNKNOWN, violations=("What?",)),
        ParsedLine(read="Push", kind=LineKind.COMMAND_CARD, card="push"),
    ),
)


def test_what_a_player_has_to_decide():
    assert PARSED.open == (0, 1, 2, 3)


def test_a_choice_settles_a_line():
    settled = settle(PARSED, {0: "two", 1: "saber-throw", 2: "", 3: ""})

    assert settled == Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            ParsedLine(read="Luke", kind=LineKind.UNIT, card="two", because="choice"),
            ParsedLine(read="Saber", kind=LineKind.UPGRADE, card="saber-throw", because="choice", of=0),
            ParsedLine(read="many", kind=LineKind.NOTE),
            ParsedLine(read="Wampa", kind=LineKind.NOTE),
            PARSED.lines[4],
        ),
    )
    assert settled.open == ()


def test_what_is_left_out_takes_along_what_belongs_to_it():
    assert [line.kind for line in settle(PARSED, {0: ""}).lines[:2]] == [LineKind.NOTE, LineKind.NOTE]


@pytest.mark.parametrize("choices", [{9: "one"}, {0: "three"}, {2: "600"}, {3: "wampa"}])
def test_a_choice_that_was_not_offered_is_an_error(choices: dict[int, str]):
    with pytest.raises(ValueError, match="line"):
        settle(PARSED, choices)
