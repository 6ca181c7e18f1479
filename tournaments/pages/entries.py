"""The players of an event as lines of its pages, and the filters of the organizers' list (E5, E6, E8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.core.translation import gettext
from rules.register.upgrade_slots import faction_name
from tournaments.models import Entry, Event, SubmittedList
from tournaments.models.entry import ACTIVE, PLACED
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import has_started, waiting_list


class ListStatus(StrEnum):
    """Whether a player's army list is in order (E8)."""

    NONE = "none"
    IN_ORDER = "in_order"
    NEEDS_DECISION = "needs_decision"


#: Words for the states of an army list.
LIST_WORDS = {
    ListStatus.NONE: lambda: gettext("no list"),
    ListStatus.IN_ORDER: lambda: gettext("list in order"),
    ListStatus.NEEDS_DECISION: lambda: gettext("list needs a decision"),
}


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A player with the state of their last army list, and its faction ("" without one). `place` is that on the waiting
    list, from 1, else 0.
    """

    entry: Entry
    list_status: ListStatus
    faction: str
    place: int
    started: bool

    @property
    def faction_words(self) -> str:
        """The name of the faction."""
        return faction_name(self.faction)

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
    def state_words(self) -> str:
        """The state of the player in words: before the start a dropped player has withdrawn."""
        return state_words(self.entry, started=self.started)


def state_words(entry: Entry, *, started: bool) -> str:
    """Return the state of a player in words: before the start a dropped player has withdrawn."""
    if entry.state == Entry.State.DROPPED and not started:
        return gettext("withdrawn")
    return str(entry.get_state_display())


def entry_lines(event: Event) -> list[EntryLine]:
    """Return all players by number, in two queries."""
    entries = list(event.entries.select_related("user", "claimant"))
    return lines_of(event, entries, lists_by_entry(event))


def lines_of(event: Event, entries: Sequence[Entry], lists: dict[int, SubmittedList]) -> list[EntryLine]:
    """Return these players with the state of their last army lists, by primary key of the entry in `lists`."""
    waiting = {entry.pk: place for place, entry in enumerate(waiting_list(entries), 1)}
    started = has_started(event)
    return [
        EntryLine(
            entry, _status(lists.get(entry.pk)), lists[entry.pk].faction if entry.pk in lists else "",
            waiting.get(entry.pk, 0), started,
        )
        for entry in entries
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of the organizer's list, with the number of players it finds."""

    key: str
    label: str
    number: int


def filters_of(event: Event, lines: Sequence[EntryLine]) -> list[Filter]:
    """Return the filters that find somebody, each with its number; "all" always."""
    started = has_started(event)
    states = Counter(line.entry.state for line in lines)
    found = [Filter("", gettext("all"), len(lines))]
    for state in Entry.State:
        words = gettext("withdrawn") if state == Entry.State.DROPPED and not started else str(state.label)
        found.append(Filter(state.value, words, states[state]))
    active = [line for line in lines if is_in(line)]
    found.append(Filter("unpaid", gettext("not paid"), sum(not line.entry.paid for line in active)))
    statuses = (ListStatus.NONE, ListStatus.NEEDS_DECISION)
    found += [
        Filter(each.value, LIST_WORDS[each](), sum(line.list_status == each for line in active)) for each in statuses
    ]
    return [each for each in found if each.number or not each.key]


def filtered(lines: Sequence[EntryLine], key: str, words: str = "") -> list[EntryLine]:
    """Return the players that a filter finds whose name or club contains `words`."""
    wanted = words.strip().casefold()
    return [line for line in lines if _passes(line, key) and wanted in _searched(line)]


def is_in(line: EntryLine) -> bool:
    """Return whether a player is, or waits to be, in the event."""
    return line.entry.state in ACTIVE


def _passes(line: EntryLine, key: str) -> bool:
    if key == "unpaid":
        return is_in(line) and not line.entry.paid
    if key in (ListStatus.NONE, ListStatus.NEEDS_DECISION):
        return is_in(line) and line.list_status == key
    return not key or line.entry.state == key


def _searched(line: EntryLine) -> str:
    return f"{line.entry.name} {line.entry.club}".casefold()


def _status(submitted: SubmittedList | None) -> ListStatus:
    if submitted is None:
        return ListStatus.NONE
    return ListStatus.NEEDS_DECISION if submitted.needs_decision else ListStatus.IN_ORDER
