"""The players of an event as lines of its pages, and the filters of the organizers' list (E5, E6, E8)."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext

from core.names import is_named
from rules.core.values import Value
from tournaments.models import Entry, Event, SubmittedList
from tournaments.models.entry import ACTIVE, PLACED
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import waiting_list


class ListStatus(StrEnum):
    """Whether a player's army list is in order (E8)."""

    NONE = "none"
    IN_ORDER = "in_order"
    NEEDS_DECISION = "needs_decision"


LIST_WORDS = {
    ListStatus.NONE: lambda: gettext("no list"),
    ListStatus.IN_ORDER: lambda: gettext("list in order"),
    ListStatus.NEEDS_DECISION: lambda: gettext("list needs a decision"),
}


#: The filter that finds players who left before they played.
WITHDRAWN = "withdrawn"


class EntryLine(Value):
    """A player with the state and faction ("" without one) of their last list. `place`: on the waiting list, else 0."""

    entry: Entry
    list_status: ListStatus
    faction: str
    place: int

    @property
    def list_words(self) -> str:
        """The state of the army list in words."""
        return LIST_WORDS[self.list_status]()

    @property
    def stamp(self) -> str:
        """The color of a stamp for the state: good, warn, bad, or none."""
        if self.entry.state in PLACED:
            return "good"
        return {Entry.State.WAITING: "warn", Entry.State.CUT: "soft"}.get(Entry.State(self.entry.state), "bad")

    @property
    def is_in(self) -> bool:
        """Whether the player is, or waits to be, in the event."""
        return self.entry.state in ACTIVE

    def passes(self, key: str) -> bool:
        """Return whether a filter of the organizers' list finds the player."""
        if key == "unpaid":
            return self.is_in and not self.entry.paid
        if key in (ListStatus.NONE, ListStatus.NEEDS_DECISION):
            return self.is_in and self.list_status == key
        if key == WITHDRAWN or self.entry.has_withdrawn:
            return not key or (key == WITHDRAWN and self.entry.has_withdrawn)
        return not key or self.entry.state == key


def entry_lines(event: Event) -> list[EntryLine]:
    """Return all players by number, in two queries."""
    entries = list(event.entries.select_related("user", "claimant"))
    return lines_of(event, entries, lists_by_entry(event))


def lines_of(event: Event, entries: Sequence[Entry], lists: dict[int, SubmittedList]) -> list[EntryLine]:
    """Return these players with the state of their last army lists, by primary key of the entry in `lists`."""
    waiting = {entry.pk: place for place, entry in enumerate(waiting_list(entries), 1)}
    return [
        EntryLine(
            entry, _status(lists.get(entry.pk)), lists[entry.pk].faction if entry.pk in lists else "",
            waiting.get(entry.pk, 0),
        )
        for entry in entries
    ]  # fmt: skip


def filters_of(event: Event, lines: Sequence[EntryLine]) -> list[dict[str, Any]]:
    """Return the filters of the organizers' list that find somebody: `key`, `label` and `number`; "all" always."""
    labels = {"": gettext("all"), **{state.value: str(state.label) for state in Entry.State}}
    labels[WITHDRAWN] = gettext("withdrawn")
    labels["unpaid"] = gettext("not paid")
    labels |= {each.value: LIST_WORDS[each]() for each in (ListStatus.NONE, ListStatus.NEEDS_DECISION)}
    found = ((key, label, sum(line.passes(key) for line in lines)) for key, label in labels.items())
    return [{"key": key, "label": label, "number": number} for key, label, number in found if number or not key]


def filtered(lines: Sequence[EntryLine], key: str, words: str = "") -> list[EntryLine]:
    """Return the players that a filter finds whose name or club contains `words`."""
    return [line for line in lines if line.passes(key) and is_named(words, line.entry.name, line.entry.club)]


def _status(submitted: SubmittedList | None) -> ListStatus:
    if submitted is None:
        return ListStatus.NONE
    return ListStatus.NEEDS_DECISION if submitted.needs_decision else ListStatus.IN_ORDER
