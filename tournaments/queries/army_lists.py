"""The army lists of an event, as far as a reader may see them (E10). `visible_parts` alone decides that; everything
that shows an army gets it from `visible_army`, which leaves out the cards that are hidden.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import OuterRef, Q, QuerySet, Subquery

from catalogue.snapshot import rulebook
from lists.models import plain_unit
from lists.queries.sheets import ArmySheet, CardNames, army_sheet
from rules.battle.plain_army import PlainArmy
from rules.register.upgrade_slots import faction_name
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, ListsPublished, Round, SubmittedList


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a list that somebody may see: its units with their upgrades, its Command Hand, its Battle Deck."""

    units: bool = False
    hand: bool = False
    deck: bool = False


NOTHING, EVERYTHING = Parts(), Parts(units=True, hand=True, deck=True)


@dataclass(frozen=True, slots=True)
class Opponents:
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
    if role.is_leader or (role.entry is not None and role.entry.pk == entry.pk):
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


def visible_army(submitted: SubmittedList, parts: Parts, *, size: int = 0, title: str = "") -> PlainArmy | None:
    """Return a submitted list with only the parts that somebody may see; None for none. `size` is in army points."""
    if not parts.units:
        return None
    return PlainArmy(
        faction=submitted.faction,
        battle_force=submitted.battle_force,
        size=size,
        title=title,
        units=tuple(map(plain_unit, submitted.units)),
        command_cards=tuple(submitted.command_hand) if parts.hand else (),
        battle_cards=tuple(submitted.battle_deck) if parts.deck else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A player in the overview of lists. Everything but the player is empty if the reader may not see it.

    `problems`, `needs_decision` and `is_accepted` are for leaders and the player.
    """

    entry: Entry
    is_own: bool = False
    parts: Parts = NOTHING
    faction: str = ""
    faction_name: str = ""
    points: int = 0
    units: int = 0
    number: int = 0
    problems: int = 0
    needs_decision: bool = False
    is_accepted: bool = False
    is_missing: bool = False


@dataclass(frozen=True, slots=True)
class ListOverview:
    """The lists of an event for one reader. `to_decide` and `missing` are for leaders only."""

    lines: list[ListLine]
    to_decide: list[ListLine] = field(default_factory=list)
    missing: list[ListLine] = field(default_factory=list)
    own: ListLine | None = None


#: States of players who no longer need a list.
GONE = (Entry.State.DROPPED, Entry.State.EJECTED, Entry.State.CUT)


def last_lists(event: Event) -> QuerySet[SubmittedList]:
    """Return the list that counts of each player of an event: the last version (E9)."""
    latest = SubmittedList.objects.filter(entry=OuterRef("entry")).order_by("-number")
    return SubmittedList.objects.filter(entry__event=event, pk=Subquery(latest.values("pk")[:1]))


@dataclass(frozen=True, slots=True)
class ListGap:
    """A player without an accepted army list: it `is_missing` (E9), or nobody has decided on its problems (E8)."""

    entry: Entry
    is_missing: bool


def list_gaps(event: Event, entries: Iterable[Entry]) -> list[ListGap]:
    """Return which players have no accepted army list, in one query. A missing one counts where lists are required."""
    submitted = {each.entry_id: each for each in last_lists(event).only("entry", "violations", "accepted_by")}
    found = []
    for entry in entries:
        last = submitted.get(entry.pk)
        if last.needs_decision if last else event.lists_required:
            found.append(ListGap(entry, is_missing=last is None))
    return found


def list_overview(event: Event, role: EventRole) -> ListOverview:
    """Return the players of an event with their lists, as far as the reader may see them, in three queries."""
    opponents = opponents_of(role.entry)
    submitted = {each.entry_id: each for each in last_lists(event).defer("source_text")}
    lines = [_line(event, role, entry, submitted.get(entry.pk), opponents) for entry in event.entries.all()]
    own = next((line for line in lines if line.is_own), None)
    if not role.is_leader:
        return ListOverview([line for line in lines if line.parts.units and line.number], own=own)
    decide = [line for line in lines if line.needs_decision and line.entry.state not in GONE]
    missing = [line for line in lines if line.is_missing and line.entry.state not in GONE]
    return ListOverview([line for line in lines if line.number], decide, missing, own)


def _line(
    event: Event, role: EventRole, entry: Entry, submitted: SubmittedList | None, opponents: Opponents
) -> ListLine:
    parts = visible_parts(event, role, entry, opponents)
    is_own = role.entry is not None and role.entry.pk == entry.pk
    if submitted is None or not parts.units:
        is_known = role.is_leader or is_own
        return ListLine(entry=entry, is_own=is_own, parts=parts, is_missing=is_known and submitted is None)
    judged = role.is_leader or is_own
    return ListLine(
        entry=entry,
        is_own=is_own,
        parts=parts,
        faction=submitted.faction,
        faction_name=faction_name(submitted.faction) if submitted.faction else "",
        points=submitted.points,
        units=len(submitted.units),
        number=submitted.number,
        problems=len(submitted.violations) if judged else 0,
        needs_decision=judged and submitted.needs_decision,
        is_accepted=judged and submitted.accepted_by_id is not None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListView:
    """A player's list for one reader. `sheet` has only the cards that the reader may see.

    `submitted` is the version itself and `versions` are all of them, both for leaders and the player only.
    """

    entry: Entry
    parts: Parts
    is_last: bool = True
    number: int = 0
    sheet: ArmySheet | None = None
    submitted: SubmittedList | None = None
    versions: list[SubmittedList] = field(default_factory=list)


def list_view(
    event: Event, role: EventRole, entry: Entry, number: int | None = None, *, most: Parts | None = None
) -> ListView | None:
    """Return the list of a player as the reader may see it; None for a reader who may see nothing of it.

    `number` is an earlier version, which only leaders and the player may see (E9); the last one by default. `most` are
    the parts that the reader asks for, if not all.
    """
    parts = visible_parts(event, role, entry, opponents_of(role.entry))
    if most is not None:
        parts = Parts(parts.units and most.units, parts.hand and most.hand, parts.deck and most.deck)
    judged = may_judge(role, entry)
    if not parts.units or (number is not None and not judged):
        return None
    versions = list(entry.lists.select_related("submitted_by", "accepted_by").defer("source_text"))
    found = versions[-1:] if number is None else [each for each in versions if each.number == number]
    if not found:
        return ListView(entry=entry, parts=parts) if number is None else None
    return ListView(
        entry=entry,
        parts=parts,
        is_last=found[0] is versions[-1],
        number=found[0].number,
        sheet=_sheet(event, found[0], parts),
        submitted=found[0] if judged else None,
        versions=versions[::-1] if judged else [],
    )


def may_judge(role: EventRole, entry: Entry) -> bool:
    """Return whether a reader may see the problems and the versions of a list: leaders and the player."""
    return role.is_leader or (role.entry is not None and role.entry.pk == entry.pk)


def printed_lists(event: Event, role: EventRole) -> list[tuple[Entry, ArmySheet, SubmittedList]]:
    """Return the last list of each player who is still in the event, in full, for leaders. Raises ValueError for anyone
    else: a list for the opponents is printed on its own.
    """
    if not role.is_leader:
        raise ValueError("Only leaders print all lists")
    names = CardNames(rulebook())
    found = last_lists(event).exclude(entry__state__in=GONE).select_related("entry").defer("source_text")
    return [
        (each.entry, sheet, each)
        for each in found.order_by("entry__name", "entry__number")
        if (sheet := _sheet(event, each, EVERYTHING, names))
    ]


def _sheet(event: Event, submitted: SubmittedList, parts: Parts, names: CardNames | None = None) -> ArmySheet | None:
    army = visible_army(submitted, parts, size=event.army_size)
    return army_sheet(rulebook(), army, names) if army else None
