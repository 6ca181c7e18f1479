"""The army lists of an event as its pages show them, as far as the reader may see them (E8–E10)."""

from dataclasses import field

from django.utils.translation import gettext as _, ngettext

from catalogue.snapshot import rulebook
from core.names import name_order
from lists.queries.sheets import ArmySheet, CardNames, army_sheet
from rules.core.values import KeywordValue, Value
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, ListsPublished, SubmittedList
from tournaments.models.entry import LEFT
from tournaments.queries.army_lists import EVERYTHING, Parts, last_lists, opponents_of, visible_army, visible_parts


class ListLine(Value):
    """A player in the overview of lists, with the last list if the reader may see its units. `is_judged` says whether
    they may see its problems, too.
    """

    entry: Entry
    submitted: SubmittedList | None
    is_judged: bool


class ListOverview(Value):
    """The lists of an event for one reader. `to_decide` and `missing` are for leaders only."""

    lines: list[ListLine]
    to_decide: list[ListLine] = field(default_factory=list)
    missing: list[ListLine] = field(default_factory=list)
    own: ListLine | None = None


def list_overview(event: Event, role: EventRole) -> ListOverview:
    """Return the players of an event with their lists, as far as the reader may see them, in three queries."""
    opponents = opponents_of(role.entry)
    submitted = {each.entry_id: each for each in last_lists(event).defer("source_text")}
    lines = [
        ListLine(entry, submitted.get(entry.pk) if parts.units else None, may_judge(role, entry))
        for entry in event.entries.all()
        for parts in [visible_parts(event, role, entry, opponents)]
    ]
    own = next((line for line in lines if role.plays_as(line.entry)), None)
    seen = [line for line in lines if line.submitted]
    if not role.is_leader:
        return ListOverview(seen, own=own)
    decide = [line for line in seen if line.submitted.needs_decision and line.entry.state not in LEFT]
    missing = [line for line in lines if not line.submitted and line.entry.state not in LEFT]
    return ListOverview(seen, decide, missing, own)


class ListView(KeywordValue):
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
