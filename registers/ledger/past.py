"""Past states of a Register, by day or by ledger entry."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.db.models import OuterRef, Subquery
from django.utils.timezone import get_current_timezone, localdate, make_aware
from django.utils.translation import gettext

from registers.ledger.session import replay_entries
from registers.ledger.text import whole_number
from registers.models import EntryType, LedgerEntry, Register
from registers.projection import states_of
from rules.core.values import KeywordValue
from rules.core.violations import refuse
from rules.register.state import RegisterState

WEEK = timedelta(days=7)


class Past(KeywordValue):
    """A Register after the entry at `position` (0: before it was opened), with its state and the entries up to then."""

    position: int
    state: RegisterState
    entries: Sequence[LedgerEntry]


class Span(KeywordValue):
    """A range of the ledger to compare: from after the entry `since` to the entry `until`."""

    label: str
    since: int
    until: int


def ledger_of(register: Register) -> list[LedgerEntry]:
    """Return the whole ledger without its answers, for the functions of this module. One query."""
    return list(register.entries.defer("answers").order_by("position"))


def past_of(entries: Iterable[LedgerEntry], position: int) -> Past:
    """Return the Register as it was after the entry at `position`. Entries that were undone only later count."""
    until = [entry for entry in entries if entry.position <= position]
    return Past(position=position, state=replay_entries(until), entries=until)


def states_before(battle: str, registers: Collection[Register]) -> dict[UUID, RegisterState]:
    """Return the states of Registers just before a battle began, by primary key; if it did not begin, as they are now.

    Later undos, amendments and corrections of earlier entries are applied. At most two queries.
    """
    began = LedgerEntry.objects.filter(register=OuterRef("register"), battle=battle, act=EntryType.BEGIN)
    before = LedgerEntry.objects.filter(register__in=registers, place__lt=Subquery(began.values("place")[:1]))
    ledgers: dict[UUID, list[LedgerEntry]] = {}
    for entry in before.only("register_id", "position", "place", "act", "effects", "undoes_id"):
        ledgers.setdefault(entry.register_id, []).append(entry)
    stayed = [register for register in registers if register.pk not in ledgers]
    return {pk: replay_entries(entries) for pk, entries in ledgers.items()} | (states_of(stayed) if stayed else {})


def at_the_end_of(entries: Iterable[LedgerEntry], day: date) -> int:
    """Return the position of the last entry by the end of a day (site time), 0 for none. Refuses a future day."""
    if day > localdate():
        raise refuse("", gettext("This day is in the future. Enter today or an earlier day."))
    return _last(entry for entry in entries if entry.created_at < _midnight_after(day))


def at_entry(entries: Sequence[LedgerEntry], position: str) -> int:
    """Return the position asked for, or that of the last entry written at the same time. Refuses unknown positions."""
    number = whole_number(position)
    if number is None or number > _last(entries):
        raise refuse("", gettext("The history has no entry %(number)s.") % {"number": position[:20]})
    written = {entry.created_at for entry in entries if entry.position == number}
    return _last(entry for entry in entries if entry.created_at in written)


def earlier(entries: Iterable[LedgerEntry], entry: LedgerEntry) -> int:
    """Return the position of the last entry written before `entry` and those written with it; 0 if there is none."""
    return _last(each for each in entries if each.created_at < entry.created_at and each.position < entry.position)


def spans_of(entries: Sequence[LedgerEntry]) -> list[Span]:
    """Return the ranges on offer: the last battle (if there was one), the last seven days, and everything."""
    week_ago, until = _midnight_after(localdate() - WEEK), _last(entries)
    since = _last(entry for entry in entries if entry.created_at < week_ago)
    spans = [
        Span(label=gettext("Last 7 days"), since=since, until=until),
        Span(label=gettext("From the start"), since=0, until=until),
    ]
    first: dict[str, int] = {}
    for entry in entries:
        first.setdefault(entry.battle, entry.position)
    if battles := [battle for battle in first if battle]:
        last = max(battles, key=lambda battle: first[battle])
        ended = _last(entry for entry in entries if entry.battle == last)
        spans.insert(0, Span(label=gettext("Last battle"), since=first[last] - 1, until=ended))
    return spans


def _last(entries: Iterable[LedgerEntry]) -> int:
    return max((entry.position for entry in entries), default=0)


def _midnight_after(day: date) -> datetime:
    return make_aware(datetime.combine(day + timedelta(days=1), time()), get_current_timezone())
