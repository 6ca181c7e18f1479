"""Who gets what at which address: a matrix of answers, asked of the site, and written for people into a page of docs.

`MUSTERBOOK_WRITE_PERMISSIONS=1 pytest tests/test_permissions.py tests/tournaments/test_permissions.py` appends the rows
of new addresses to the matrix, with what the site answered, and writes the tables in docs/ again. Read each new row
critically before you commit it: the matrix says who may do what, and the site only what the code does.
"""

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from ops.paths import BASE_DIR
from tests.thoroughness import NIGHTLY
from tests.tournaments.world import ROLES as EVENT_ROLES
from tests.walking import Answer, Visitor
from tests.world import ROLES as CAMPAIGN_ROLES, Address

WRITE = os.environ.get("MUSTERBOOK_WRITE_PERMISSIONS") == "1"
METHODS = ("GET", "POST")
#: Answers that refuse: to sign in first, a player in the admin, nothing there, and a method that a page does not have.
REFUSALS = {"sign-in", "403", "404", "405"}
HEAD = "| Address | Read | Post |\n|---|---|---|\n"


@dataclass(slots=True)
class Matrix:
    """The answers that each role gets: a row for each address, or for a pattern of names (`admin:*_add`).

    `words` names groups of roles; others are listed.
    """

    name: str
    page: str
    roles: tuple[str, ...]
    words: Mapping[tuple[str, ...], str]
    rows: dict[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        with self.file.open(newline="") as file:
            header, *rows = csv.reader(file)
        assert tuple(header) == ("address", *self.roles)
        self.rows = {name: tuple(answers) for name, *answers in rows}
        assert len(self.rows) == len(rows), "An address has two rows."

    @property
    def file(self) -> Path:
        return Path(__file__).with_name(f"{self.name}.csv")

    def row_for(self, name: str) -> str | None:
        """The row of an address: its own, else the first whose pattern it fits."""
        return name if name in self.rows else next((row for row in self.rows if fnmatchcase(name, row)), None)

    def answers(self, row: str, method: str) -> tuple[str, ...]:
        """What each role gets."""
        return tuple(answer.split(" ")[METHODS.index(method)] for answer in self.rows[row])

    def wrong_answers(self, site: Iterable[Address], world, gate_admin: tuple[str, ...]) -> dict[str, str]:
        """Ask for every address as the people of a world, and return what differs: "GET campaign:detail as owner" and
        "200, not 404". In the gate those ask whose answer differs from that of the role before or after them, and of
        the admin only the addresses named; in the nightly run everybody asks for everything."""
        visitors = {role: Visitor(world.people.get(role)) for role in self.roles}
        wrong = {}
        for address in site:
            if not NIGHTLY and address.name.startswith("admin:") and not address.name.endswith(gate_admin):
                continue
            path, row = address.filled(world), self.row_for(address.name)
            if row is None:
                found = [[word_for(visitor.ask(method, path)) for method in METHODS] for visitor in visitors.values()]
                self.rows[address.name] = tuple(" ".join(answers) for answers in found)
                wrong[address.name] = "it has no row"
                continue
            for method in METHODS:
                expected = dict(zip(self.roles, self.answers(row, method), strict=True))
                for role in self.roles if NIGHTLY else outermost(expected):
                    answer = word_for(visitors[role].ask(method, path))
                    if answer != expected[role]:
                        wrong[f"{method} {address.name} as {role}"] = f"{answer}, not {expected[role]}"
        return wrong

    def table(self) -> str:
        """The matrix in words, for the docs."""
        return HEAD + "".join(
            f"| `{row}` | {' | '.join(self._who(self.answers(row, method)) for method in METHODS)} |\n"
            for row in self.rows
        )

    def table_in_docs(self) -> str:
        """The table as the docs have it, which is all from its head on."""
        _, head, table = (BASE_DIR / "docs" / self.page).read_text().partition(HEAD)
        return head + table

    def write(self) -> None:
        """Write the rows, and the table in the docs."""
        with self.file.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([("address", *self.roles), *((name, *answers) for name, answers in self.rows.items())])
        page = BASE_DIR / "docs" / self.page
        page.write_text(page.read_text().partition(HEAD)[0] + self.table())

    def _who(self, answers: tuple[str, ...]) -> str:
        may = tuple(role for role, answer in zip(self.roles, answers, strict=True) if answer not in REFUSALS)
        return self.words.get(may) or ", ".join(may)


CAMPAIGNS = Matrix(
    "campaigns",
    "permissions.md",
    CAMPAIGN_ROLES,
    {
        (): "–",
        CAMPAIGN_ROLES: "everybody",
        CAMPAIGN_ROLES[1:]: "signed in",
        CAMPAIGN_ROLES[2:]: "members",
        CAMPAIGN_ROLES[3:]: "players, organizers",
        CAMPAIGN_ROLES[4:]: "both players, organizers",
        ("owner", "organizer", "staff"): "owner, organizers",
        CAMPAIGN_ROLES[6:]: "organizers",
    },
)
EVENTS = Matrix(
    "events",
    "permissions-events.md",
    EVENT_ROLES,
    {
        (): "–",
        EVENT_ROLES: "everybody",
        EVENT_ROLES[1:]: "signed in",
        EVENT_ROLES[2:]: "players, leaders",
        EVENT_ROLES[4:]: "leaders",
        ("player", "opponent"): "players",
        ("player", *EVENT_ROLES[4:]): "player, leaders",
        EVENT_ROLES[6:]: "organizers",
    },
)


def outermost(expected: Mapping[str, str]) -> list[str]:
    """The last role of each run of equal answers, and the first of the last run: the most who are refused something,
    and the least who get it."""
    runs = [list(run) for _, run in groupby(expected, key=lambda role: expected[role])]
    return [*(run[-1] for run in runs[:-1]), runs[-1][0]]


def word_for(answer: Answer) -> str:
    """What somebody got: the status, or `sign-in`."""
    doors = (reverse(settings.LOGIN_URL) + "?", reverse("admin:login") + "?")
    return "sign-in" if answer.leads_to.startswith(doors) else str(answer.status)
