"""The standings of a campaign: its Registers as a table, sorted as the user asks."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from campaign.battles.pages.register_lines import Outline, RegisterLine, complete_lines, outlines, standing
from campaign.teams.standings import TeamStanding, team_of, team_standings
from core.names import name_order
from registers.models import Register
from rules.core.values import KeywordValue, Value

#: How many Registers the short table shows, and how many of them a phone shows.
SHORT, ON_A_PHONE = 6, 4


class StandingsColumn(Value):
    """A column to sort by. `key` returns the value to compare; numbers sort from the highest, words from A."""

    name: str
    label: Any
    key: Callable[[Any], Any]
    short: Any = ""
    falls: bool = False


def _progress(line: RegisterLine) -> tuple[str, int]:
    agendas = line.arc["agendas"] if line.arc else ()
    return (line.arc["name"] if line.arc else "", -sum(agenda["done"] for agenda in agendas))


COLUMNS: tuple[StandingsColumn, ...] = (
    StandingsColumn("register", _("Register"), lambda line: name_order(str(line.register))),
    StandingsColumn("player", _("Player"), lambda line: name_order(line.player)),
    StandingsColumn("faction", _("Faction"), lambda line: line.register.faction),
    StandingsColumn("arc", _("Story Arc"), _progress),
    StandingsColumn("reputation", _("Reputation"), standing, _("Rep"), falls=True),
    StandingsColumn(
        "potential", _("Combat Potential"), lambda line: line.register.combat_potential, _("CP"), falls=True
    ),
    StandingsColumn(
        "won", _("battles won, drawn, lost"), lambda line: (line.won, line.drawn, -line.lost), _("W–D–L"), falls=True
    ),
)
_BY_NAME = {column.name: column for column in COLUMNS}
#: The column that needs complete lines; the others can be sorted by outlines.
_OF_WHOLE_LINES = "arc"
USUAL = _BY_NAME["reputation"]


class StandingsRow(KeywordValue):
    """A row of the table, with a complete line if it is shown. Registers share a `number` only if they are equal in the
    sorted column, in Reputation and in their record of battles; unfinished ones have 0. `own` marks the user's
    Registers; phones do not show rows that are `later`.
    """

    line: Outline
    number: int
    own: bool
    later: bool

    @property
    def cells(self) -> dict[str, Any]:
        """Return the plain values for `campaign/_standings_row.html`, which is cached by them."""
        line = cast(RegisterLine, self.line)
        names = ("name", "url", "player", "arc", "spent", "won", "drawn", "lost")
        state = ("faction", "reputation", "combat_potential")
        team = team_of(line.register)
        return {
            "number": self.number,
            "own": self.own,
            "later": self.later,
            "team": {"name": team.name, "colour": team.colour, "icon": team.icon} if team else None,
            **{name: getattr(line, name) for name in names},
            **{name: getattr(line.state, name) for name in state},
        }


class StandingsTable(KeywordValue):
    """The table: complete (`whole`), or the user's own Registers and the first of the others; `total` counts all.
    `sorted_by` is the column, `falls` is true for descending order; `query` asks for the whole table in this order.
    `teams` are the standings of the teams of all these Registers, and `teamless` are the Registers in none.
    """

    heads: Sequence[dict[str, Any]]
    places: Sequence[StandingsRow]
    total: int
    whole: bool
    sorted_by: StandingsColumn
    falls: bool
    query: str
    teams: Sequence[TeamStanding] = ()
    teamless: Sequence[Register] = ()

    @property
    def shortened(self) -> bool:
        """Return whether the table leaves out Registers."""
        return len(self.places) < self.total

    @property
    def long_for_a_phone(self) -> bool:
        """Return whether phones leave out rows."""
        return not self.whole and self.total > ON_A_PHONE


def standings_table(registers: Sequence[Register], user: User, asked: QueryDict) -> StandingsTable:
    """Return the table of these Registers, which have owners, enlistments and teams loaded: three queries at most."""
    all_lines = outlines(registers)
    if asked.get("sort", "").removeprefix("-") == _OF_WHOLE_LINES:
        return sorted_standings(complete_lines(all_lines), user, asked)
    found = sorted_standings(all_lines, user, asked)
    lines = complete_lines([place.line for place in found.places])
    places = [replace(place, line=line) for place, line in zip(found.places, lines, strict=True)]
    return replace(found, places=places)


def sorted_standings(lines: Iterable[Outline], user: User, asked: QueryDict) -> StandingsTable:
    """Return the table of these lines, sorted as `?sort=` and `?all=` say, the user's own first. A minus before the
    name of a column reverses its usual order; unknown names are ignored. Owners, enlistments and teams must be loaded
    (`campaign.queries.registers.registers_of`).
    """
    wanted = asked.get("sort", "")
    column = _BY_NAME.get(wanted.removeprefix("-"), USUAL)
    falls = column.falls is not (wanted == f"-{column.name}")
    whole = bool(asked.get("all"))
    numbered = sorted(_numbered(lines, column, falls=falls), key=lambda pair: not _owns(user, pair[1]))
    shown = numbered if whole else numbered[: max(SHORT, sum(_owns(user, line) for _n, line in numbered))]
    return StandingsTable(
        heads=[_head(each, column, falls=falls, whole=whole) for each in COLUMNS],
        places=[
            StandingsRow(line=line, number=number, own=_owns(user, line), later=not whole and at >= ON_A_PHONE)
            for at, (number, line) in enumerate(shown)
        ],
        total=len(numbered),
        whole=whole,
        sorted_by=column,
        falls=falls,
        query=_query(column, turned=falls is not column.falls, whole=True),
        teams=team_standings(line for _number, line in numbered),
        teamless=[line.register for _n, line in numbered if line.register.commissioned and not team_of(line.register)],
    )


def _numbered(lines: Iterable[Outline], column: StandingsColumn, *, falls: bool) -> Iterator[tuple[int, Outline]]:
    by_name = sorted(lines, key=_BY_NAME["register"].key)
    by_standing = sorted(by_name, key=standing, reverse=True)
    number, last = 0, None
    for at, line in enumerate(sorted(by_standing, key=column.key, reverse=falls), start=1):
        if (value := (column.key(line), standing(line))) != last:
            number, last = at, value
        yield number, line


def _owns(user: User, line: Outline) -> bool:
    return line.register.owner_id == user.pk


def _head(column: StandingsColumn, by: StandingsColumn, *, falls: bool, whole: bool) -> dict[str, Any]:
    """Return the heading of a column; `sorted` is the value for `aria-sort`, `query` leads to the opposite order."""
    is_sorted, turned = column is by, column is by and falls is column.falls
    return {
        **{name: getattr(column, name) for name in ("name", "label", "short")},
        "sorted": ("descending" if falls else "ascending") if is_sorted else "",
        "query": _query(column, turned=turned, whole=whole),
    }


def _query(column: StandingsColumn, *, turned: bool, whole: bool) -> str:
    return f"sort={'-' if turned else ''}{column.name}{'&all=1' if whole else ''}"
