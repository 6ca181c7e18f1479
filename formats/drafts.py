"""What a reader finds, line by line, before it is understood (`understanding`)."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from rules.language import gettext

from .cards import Card, CardIndex
from .limits import MAX_ENTRIES, Unreadable, shown, too_many
from .parsed import Kind, Reason

MAX_UPGRADES = 20
#: So many commas may stand in a name.
MOST_COMMAS = 3


@dataclass(slots=True)
class Draft:
    """One thing found in a list, with all it may mean.

    `cards` are the cards it may mean, `exact` unless they only resemble the name. `factions` are those a line of
    that kind may mean. `costs` are the points that the list counts for the card itself; several where it does not
    say whether they are with upgrades.
    """

    read: str
    kind: Kind
    of: int | None = None
    number: int | None = None
    cards: tuple[Card, ...] = ()
    exact: bool = True
    factions: tuple[str, ...] = ()
    costs: tuple[int, ...] = ()
    because: str = ""
    problems: list[str] = field(default_factory=list)

    @property
    def card(self) -> Card | None:
        """The card it means, once there is no doubt."""
        return self.cards[0] if self.exact and len(self.cards) == 1 else None

    @property
    def faction(self) -> str:
        """The Faction it means, once there is no doubt."""
        return self.factions[0] if len(self.factions) == 1 else ""


class Sheet:
    """The drafts of one list in the order in which they were found, and sentences about the whole."""

    def __init__(self, index: CardIndex, *, title_lost: bool = False) -> None:
        self.index = index
        self.title_lost = title_lost
        self.drafts: list[Draft] = []
        self.problems: list[str] = []
        self._upgrades: Counter[int] = Counter()

    def add(
        self, kind: Kind, read: str, *, of: int | None = None, problem: str = "", number: int | None = None
    ) -> int:
        """Note something that was found; returns its place. Raises Unreadable when there are too many."""
        if len(self.drafts) >= MAX_ENTRIES:
            raise too_many()
        if kind is Kind.UPGRADE and of is not None:
            self._upgrades[of] += 1
            check_upgrades(self._upgrades[of])
        self.drafts.append(Draft(shown(read), kind, of, number, problems=[problem] if problem else []))
        return len(self.drafts) - 1

    def named(
        self, kind: Kind, read: str, name: str, *, of: int | None = None, costs: tuple[int, ...] = ()
    ) -> int:
        """Note something that is called `name`."""
        place = self.add(kind, read, of=of)
        draft = self.drafts[place]
        found = self.index.named(card_kind(kind), name, title_lost=self.title_lost)
        draft.cards, draft.exact, draft.costs = found.cards, found.exact, costs
        return place

    def faction(self, read: str, *factions: str) -> int:
        """Note the Faction, or with none of them that it has to be inferred."""
        place = self.add(Kind.FACTION, read)
        self.drafts[place].factions = factions
        return place

    def counted(self, kind: Kind, read: str, number: int | None, *, of: int | None = None) -> int:
        """Note a number; None is one that could not be read."""
        problem = "" if number is not None else gettext("Expected a whole number.")
        return self.add(kind, read, of=of, number=number, problem=problem)

    def unknown(self, read: str, problem: str, *, of: int | None = None) -> int:
        """Note something that belongs to no list as far as we know."""
        return self.add(Kind.UNKNOWN, read, of=of, problem=problem)

    def knows(self, kind: Kind, name: str) -> bool:
        """Whether a card of the kind has this very name."""
        found = self.index.named(card_kind(kind), name, title_lost=self.title_lost)
        return found.exact

    def split(self, kind: Kind, text: str) -> list[str]:
        """The names in a list with commas, where names may hold commas themselves: the longest that are known."""
        parts = [part.strip() for part in re.split(r"[,;•\n]", text) if part.strip()]
        if len(parts) > MAX_ENTRIES:
            raise too_many()
        names: list[str] = []
        while parts:
            length = next(
                (
                    length
                    for length in range(min(MOST_COMMAS + 1, len(parts)), 1, -1)
                    if self.knows(kind, ", ".join(parts[:length]))
                ),
                1,
            )
            names.append(", ".join(parts[:length]))
            del parts[:length]
        return names


def card_kind(kind: Kind) -> Kind:
    """The kind of the card that a line speaks of: contingencies are command cards."""
    return Kind.COMMAND_CARD if kind is Kind.CONTINGENCY else kind


def check_upgrades(number: int) -> None:
    """Raise Unreadable for more upgrades than a unit of any list has."""
    if number > MAX_UPGRADES:
        raise Unreadable(
            Reason.WRONG_SHAPE,
            gettext(
                "A unit with more than {max_upgrades} upgrades: this is no list of Legion.",
                max_upgrades=MAX_UPGRADES,
            ),
        )
