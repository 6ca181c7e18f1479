"""The army lists of an event as its pages show them, as far as the reader may see them (E8–E10)."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _, ngettext

from catalogue.snapshot import rulebook
from core.names import name_order
from lists.queries.sheets import ArmySheet, CardNames, army_sheet
from rules.register.upgrade_slots import faction_name
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, ListsPublished, SubmittedList
from tournaments.models.entry import LEFT
from tournaments.queries.army_lists import (
    EVERYTHING,
    NOTHING,
    Opponents,
    Parts,
    last_lists,
    opponents_of,
    visible_army,
    visible_parts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLine:
    """A player in the overview of lists. Everything but the player is empty if the reader may not see it. `problems`,
    `needs_decision` and `is_accepted` are for leaders and the player.
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


def list_overview(event: Event, role: EventRole) -> ListOverview:
    """Return the players of an event with their lists, as far as the reader may see them, in three queries."""
    opponents = opponents_of(role.entry)
    submitted = {each.entry_id: each for each in last_lists(event).defer("source_text")}
    lines = [_line(event, role, entry, submitted.get(entry.pk), opponents) for entry in event.entries.all()]
    own = next((line for line in lines if line.is_own), None)
    if not role.is_leader:
        return ListOverview([line for line in lines if line.parts.units and line.number], own=own)
    decide = [line for line in lines if line.needs_decision and line.entry.state not in LEFT]
    missing = [line for line in lines if line.is_missing and line.entry.state not in LEFT]
    return ListOverview([line for line in lines if line.number], decide, missing, own)


def _line(
    event: Event, role: EventRole, entry: Entry, submitted: SubmittedList | None, opponents: Opponents
) -> ListLine:
    parts = visible_parts(event, role, entry, opponents)
    is_own = role.plays_as(entry)
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
    """A player's list for one reader. `sheet` has only the cards that the reader may see. `submitted` is the version
    itself and `versions` are all of them, both for leaders and the player only.
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
    """Return the list of a player as the reader may see it; None for a reader who may see nothing of it. `number` is an
    earlier version, which only leaders and the player may see (E9); the last one by default. `most` are the parts that
    the reader asks for, if not all.
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


def printed_lists(event: Event, role: EventRole) -> list[tuple[Entry, ArmySheet, SubmittedList]]:
    """Return the last list of each player still in the event, in full. Raises ValueError for all but leaders."""
    if not role.is_leader:
        raise ValueError("Only leaders print all lists")
    names = CardNames(rulebook())
    found = last_lists(event).exclude(entry__state__in=LEFT).select_related("entry").defer("source_text")
    return [
        (each.entry, sheet, each)
        for each in sorted(found, key=lambda each: name_order(each.entry.name))
        if (sheet := _sheet(event, each, EVERYTHING, names))
    ]


def _sheet(event: Event, submitted: SubmittedList, parts: Parts, names: CardNames | None = None) -> ArmySheet | None:
    army = visible_army(submitted, parts, size=event.army_size)
    return army_sheet(rulebook(), army, names) if army else None


def may_judge(role: EventRole, entry: Entry) -> bool:
    """Return whether a reader may see the problems and the versions of a list: leaders and the player."""
    return role.is_leader or role.plays_as(entry)


def who_sees(event: Event) -> list[str]:
    """Return who may see the lists of an event, and when, in sentences (E10)."""
    is_conquest = event.rule_set == RuleSet.GALACTIC_CONQUEST
    if event.lists_published == ListsPublished.NEVER:
        return [_("Only the leaders and the player see a list.")]
    if event.lists_published == ListsPublished.WITH_PAIRINGS:
        sentences = [
            _("Your opponent in the current round sees your list except the Command Hand.")
            if is_conquest
            else _("Your opponent in the current round sees your units and upgrades.")
        ]
    elif is_conquest:
        sentences = [_("All players see all lists except Command Hands once the event has started.")]
    else:
        sentences = [_("Your opponents see your units and upgrades once you are paired.")]
    if event.hands_published:
        sentences.append(_("When the event ends, all players see all lists with Command Hands and battle cards."))
    return sentences


def printed_notes(submitted: SubmittedList) -> list[str]:
    """Return what is printed below a list for the judges: its problems, if it has any."""
    if not submitted.violations:
        return []
    if submitted.accepted_by_id:
        return [_("Accepted with problems: %(reason)s") % {"reason": submitted.accepted_reason}]
    number = len(submitted.violations)
    return [
        ngettext("%(number)d problem, not decided", "%(number)d problems, not decided", number) % {"number": number}
    ]
