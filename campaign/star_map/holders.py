"""Who holds a system: the last of its changes, by hand or by battles, in the order in which they happened.

A battle counts by its present result and only while it is closed, and at the time when it was closed first. So a battle
that is reopened gives the system back until it is closed again, a corrected report changes the holder at that place in
the history, and a voided battle disappears from it, and none of this needs a row.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext, gettext_lazy

from rules.core.values import KeywordValue, Value
from rules.register.upgrade_slots import faction_name


class Holder(Value):
    """A side that can hold systems: a team (`team` is its primary key), or a Faction (its slug)."""

    team: UUID | None = None
    faction: str = ""
    #: How a team is shown.
    team_name: str = ""
    colour: str = ""
    emblem: str = ""

    @property
    def name(self) -> str:
        """Its name in words."""
        return self.team_name if self.team else str(faction_name(self.faction))

    @property
    def icon(self) -> str:
        """The name of its drawing."""
        return f"team-{self.emblem}" if self.team else f"faction-{self.faction}"

    @property
    def value(self) -> str:
        """The value that forms send for it."""
        return f"team:{self.team}" if self.team else f"faction:{self.faction}"

    def same_as(self, other: "Holder | None") -> bool:
        """Return whether both are the same side, whatever it is called."""
        return other is not None and (self.team, self.faction) == (other.team, other.faction)


#: Factions as sentences begin with them.
IN_SENTENCES: Mapping[str, str] = {
    "empire": gettext_lazy("The Empire"), "rebel": gettext_lazy("The Rebels"), "republic": gettext_lazy("The Republic"),
    "separatist": gettext_lazy("The Separatists"), "mandalorian": gettext_lazy("The Mandalorians"),
}  # fmt: skip


class Change(KeywordValue):
    """A change of a system's holder (None: nobody): by a `battle` (its key, with `number`) that `winner` won, or by
    hand of an organizer (the name `by`), who may have followed the result of a battle. `fought` is the day of a
    battle that decided it. `kept`: the side held it already.
    """

    at: datetime
    holder: Holder | None
    battle: str = ""
    number: int = 0
    winner: str = ""
    by: str = ""
    fought: date | None = None
    kept: bool = False

    def sentence(self, system: str) -> str:
        """Return the change in words, without the names of accounts."""
        if self.holder is None:
            return gettext("Nobody holds %(system)s now.") % {"system": system}
        words = {"holder": IN_SENTENCES.get(self.holder.faction, self.holder.name), "system": system}
        if self.by:
            return gettext("%(holder)s received %(system)s.") % words
        if self.kept:
            return gettext("%(holder)s defended %(system)s.") % words
        return gettext("%(holder)s took %(system)s.") % words


def history(changes: Iterable[Change]) -> list[Change]:
    """Return one system's changes, oldest first (else in this order), each with whether the side held it before."""
    found: list[Change] = []
    for change in sorted(changes, key=lambda each: each.at):
        before = found[-1].holder if found else None
        kept = change.holder.same_as(before) if change.holder else before is None
        found.append(replace(change, kept=kept))
    return found


def holder_from(row: dict[str, Any]) -> Holder | None:
    """Return the holder that a row of `campaign.star_map.queries` describes."""
    if row["team"]:
        return Holder(
            team=UUID(row["team"]), team_name=row["team_name"], colour=row["colour"], emblem=row["emblem"]
        )  # fmt: skip
    return Holder(faction=row["faction"]) if row["faction"] else None
