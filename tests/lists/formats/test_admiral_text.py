from lists.formats.cards import CardIndex
from lists.formats.list_text import read
from lists.formats.parsed import LineKind, ParsedLine


def test_a_line_that_is_too_long_is_looked_at_no_further(index: CardIndex):
    lines = read("1/1\nSnowtroopers\n" + "x" * 2_501, index).lines

    assert lines[-1] == ParsedLine(
        read="x" * 199 + "…", kind=LineKind.UNKNOWN, violations=("This line is too long for a list.",)
    )
