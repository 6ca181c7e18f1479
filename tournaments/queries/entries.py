"""The entries of an event: the waiting list, and what of them is public (E6, E10)."""

from collections.abc import Iterable

from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, ListsPublished
from tournaments.models.entry import PLACED


def waiting_list(entries: Iterable[Entry]) -> list[Entry]:
    """Return the waiting list in order: who registered first is the first to get a place (E6)."""
    waiting = [entry for entry in entries if entry.state == Entry.State.WAITING]
    return sorted(waiting, key=lambda entry: (entry.registered_at, entry.number))


def places_free(event: Event) -> int | None:
    """Return how many places are free; None without a limit. Who is on the waiting list takes a free place first."""
    if event.registration_limit is None:
        return None
    return max(event.registration_limit - event.entries.filter(state__in=PLACED).count(), 0)


def has_started(event: Event) -> bool:
    """Return whether the event runs or has ended; one that was cancelled has not started as far as its players go."""
    return event.state in (Event.State.RUNNING, Event.State.FINISHED)


def are_factions_public(event: Event) -> bool:
    """Return whether the factions of the players are public: once the event is over, and in Galactic Conquest
    from the start if lists are published then. Never if lists are not published (E10).
    """
    if event.lists_published == ListsPublished.NEVER:
        return False
    at_start = event.lists_published == ListsPublished.AT_START and event.rule_set == RuleSet.GALACTIC_CONQUEST
    return has_started(event) if at_start else event.state == Event.State.FINISHED


def name_keys(event: Event) -> set[str]:
    """Return the names in an event in the form in which they are compared (E11)."""
    return {name_key(name) for name in event.entries.values_list("name", flat=True)}


def name_key(name: str) -> str:
    """Return a name in the form in which names are compared (E11)."""
    return " ".join(name.split()).casefold()
