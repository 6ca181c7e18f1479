"""The terrain checklist of a table (E44)."""

from collections.abc import Iterable

from rules.core.translation import gettext, sentences_of
from rules.core.values import Value

_SENTENCES = sentences_of(__file__)
#: Percent of a table that terrain covers, at least and at most.
COVER = (25, 35)


class Pieces(Value):
    """How many pieces of a kind a table has, at least and at most: 3 by 6 feet, and 3 by 3 feet (`small`)."""

    key: str
    large: tuple[int, int]
    small: tuple[int, int]


PIECES = (
    Pieces("medium", (3, 5), (2, 4)),
    Pieces("big", (1, 3), (0, 2)),
    Pieces("area", (2, 4), (1, 3)),
    Pieces("difficult", (0, 2), (0, 1)),
    Pieces("scatter", (8, 12), (6, 10)),
)


class CheckLine(Value):
    """A line of the checklist: its key, what to look for, and examples or a limit in small print."""

    key: str
    text: str
    note: str = ""


#: The keys of all lines, in their order.
KEYS = ("cover", "mix", "kinds", "apart", *(pieces.key for pieces in PIECES))


def checklist(*, small: bool) -> tuple[CheckLine, ...]:
    """Return the lines of the checklist for a table of 3 by 6 feet, or of 3 by 3 feet (`small`)."""
    least, most = COVER
    return (
        CheckLine("cover", gettext("Terrain covers {least}–{most} % of the table.", least=least, most=most)),
        CheckLine("mix", gettext("Scatter, area and line-of-sight-blocking terrain of different heights.")),
        CheckLine("kinds", gettext("Both light and heavy cover.")),
        CheckLine("apart", gettext("Medium and large pieces are beyond range 1 of each other."), gettext("roughly")),
        *(_line(pieces, small=small) for pieces in PIECES),
    )


def _line(pieces: Pieces, *, small: bool) -> CheckLine:
    least, most = pieces.small if small else pieces.large
    text = gettext(_SENTENCES["texts"][pieces.key], least=least, most=most)
    return CheckLine(pieces.key, text, gettext(_SENTENCES["notes"][pieces.key]))


def known(ticks: Iterable[str]) -> list[str]:
    """Return the keys of ticked lines in the order of the checklist; anything else is left out."""
    found = set(ticks)
    return [key for key in KEYS if key in found]
