"""The army lists of an event, as far as a reader may see them (E10). `visible_parts` alone decides that; everything
that shows an army gets it from `visible_army`, which leaves out the cards that are hidden.
"""

from collections.abc import Iterable

from django.db.models import OuterRef, Q, QuerySet, Subquery

from lists.models import plain_unit
from rules.battle.plain_army import PlainArmy
from rules.core.values import Value
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, ListsPublished, Round, SubmittedList


class Parts(Value):
    """The parts of a list that somebody may see: its units with their upgrades, its Command Hand, its Battle Deck."""

    units: bool = False
    hand: bool = False
    deck: bool = False


NOTHING, EVERYTHING = Parts(), Parts(units=True, hand=True, deck=True)


class Opponents(Value):
    """The opponents of a player, by primary key: in published rounds so far, and in the round that is being played."""

    met: frozenset[int] = frozenset()
    present: frozenset[int] = frozenset()


def opponents_of(entry: Entry | None) -> Opponents:
    """Return the opponents of a player, in one query. Drafts of pairings do not count: they are secret (E24)."""
    if entry is None:
        return Opponents()
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=entry.event_id)
    games = games.exclude(round__state=Round.State.DRAFT)
    met, present = set(), set()
    for first, second, state in games.values_list("first", "second", "round__state"):
        other = second if first == entry.pk else first
        if other is not None:
            met.add(other)
            if state == Round.State.PUBLISHED:
                present.add(other)
    return Opponents(frozenset(met), frozenset(present))


def visible_parts(event: Event, role: EventRole, entry: Entry, opponents: Opponents) -> Parts:
    """Return the parts of a player's list that a reader may see (E10). `opponents` are those of the reader.

    Leaders and the player see everything. Others see nothing before the lists are published, and nothing at all unless
    they play or played in the event (they have a ticket): anyone may register and stay away. Galactic Conquest: every
    player sees all but the Command Hand. Tournament Regulations: the opponents see units and upgrades. Lists that are
    published with the pairings are seen by the present opponent only. At the end all players see everything if the
    organizer has chosen so.
    """
    if role.is_leader or role.plays_as(entry):
        return EVERYTHING
    published = event.lists_published != ListsPublished.NEVER and event.state in (
        Event.State.RUNNING,
        Event.State.FINISHED,
    )
    if role.entry is None or role.entry.ticket is None or not published:
        return NOTHING
    if event.state == Event.State.FINISHED and event.hands_published:
        return EVERYTHING
    is_conquest = event.rule_set == RuleSet.GALACTIC_CONQUEST
    if event.lists_published == ListsPublished.WITH_PAIRINGS:
        shown = entry.pk in opponents.present
    else:
        shown = is_conquest or entry.pk in opponents.met
    return Parts(units=True, deck=is_conquest) if shown else NOTHING


def visible_army(submitted: SubmittedList, parts: Parts, *, size: int = 0) -> PlainArmy | None:
    """Return a submitted list with only the parts that somebody may see; None for none. `size` is in army points."""
    if not parts.units:
        return None
    return PlainArmy(
        faction=submitted.faction,
        battle_force=submitted.battle_force,
        size=size,
        units=tuple(map(plain_unit, submitted.units)),
        command_cards=tuple(submitted.command_hand) if parts.hand else (),
        battle_cards=tuple(submitted.battle_deck) if parts.deck else (),
        typed_deck=tuple(map(tuple, submitted.typed_deck)) if parts.deck else (),
    )


def last_lists(event: Event) -> QuerySet[SubmittedList]:
    """Return the list that counts of each player of an event: the last version (E9)."""
    latest = SubmittedList.objects.filter(entry=OuterRef("entry")).order_by("-number")
    return SubmittedList.objects.filter(entry__event=event, pk=Subquery(latest.values("pk")[:1]))


def lists_by_entry(event: Event) -> dict[int, SubmittedList]:
    """Return the list that counts of each player, without its cards, by primary key of the entry, in one query."""
    found = last_lists(event).only("entry", "number", "faction", "violations", "accepted_by")
    return {each.entry_id: each for each in found}


def last_factions(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the faction of the list that counts of each of these entries, by primary key, in one query."""
    lists = SubmittedList.objects.filter(entry__in=[entry.pk for entry in entries]).order_by("number")
    return dict(lists.values_list("entry", "faction"))


class ListGap(Value):
    """A player without an accepted army list: it `is_missing` (E9), or nobody has decided on its problems (E8)."""

    entry: Entry
    is_missing: bool


def list_gaps(event: Event, entries: Iterable[Entry]) -> list[ListGap]:
    """Return which players have no accepted army list, in one query. A missing one counts where lists are required."""
    submitted = lists_by_entry(event)
    found = []
    for entry in entries:
        last = submitted.get(entry.pk)
        if last.needs_decision if last else event.lists_required:
            found.append(ListGap(entry, is_missing=last is None))
    return found
