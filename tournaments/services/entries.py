"""Players of an event: register, check in, come late, drop, rejoin, warn, eject, decline (E4–E6, E21, E25, E38)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, Q

from accounts.models import User
from members.models import Role
from rules.core.translation import gettext
from rules.core.violations import raise_if_any, refuse
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, LogKind, Round, StructureChoice, UnpairedLoss
from tournaments.queries.rounds import has_bracket_begun, is_replaceable, left_violation
from tournaments.services.impartial import check_impartial_about
from tournaments.services.locks import lock_judged, lock_led, lock_organized
from tournaments.services.log import record
from tournaments.services.rounds import leave_bracket, redraw

LONGEST_NAME = 80
#: States of players who are in the event, or are expected in it.
IN_EVENT = (Entry.State.REGISTERED, Entry.State.WAITING, Entry.State.CHECKED_IN, Entry.State.PLAYING)


def add_entry(*, actor: User, event: Event, name: str, army_points: int | None = None) -> Entry:
    """Add one player by name, as `add_entries` does. `army_points` are those of the army list."""
    (entry,) = add_entries(actor=actor, event=event, names=[name], army_points={name: army_points})
    return entry


@transaction.atomic
def add_entries(
    *, actor: User, event: Event, names: Sequence[str], army_points: Mapping[str, int | None] | None = None
) -> list[Entry]:
    """Add players without an account by name (E5), and return them in that order.

    Before the start they are registered; during the event they are late entries that play from the next round on, with
    an unpaired loss for each round missed (E21). `army_points` are those of their lists by name, where known. Refuses
    an empty or overlong name, one that is taken (E11), and everybody once the bracket has begun (E38).
    """
    locked = lock_organized(actor, event)
    if locked.is_over:
        raise refuse("", gettext("This event is over."))
    taken = {name.casefold() for name in locked.entries.values_list("name", flat=True)}
    number = locked.entries.aggregate(last=Max("number"))["last"] or 0
    added = []
    for name in names:
        text = name.strip()
        if not 0 < len(text) <= LONGEST_NAME:
            raise refuse("", gettext("Enter a name of up to {number} characters.", number=LONGEST_NAME), "name")
        if text.casefold() in taken:
            raise refuse("E11", gettext("This name is taken. Add a surname or a number."), "name")
        taken.add(text.casefold())
        number += 1
        added.append(Entry(event=locked, number=number, name=text, army_points=(army_points or {}).get(name)))
    Entry.objects.bulk_create(added)
    numbers = [each.number for each in added]
    facts: dict[str, Any] = {"entry": numbers[0]} if len(numbers) == 1 else {"entries": numbers}
    record(actor=actor, event=locked, kind=LogKind.ENTERED, **facts)
    if locked.state == Event.State.RUNNING:
        _let_play(actor, locked, added)
    return added


@transaction.atomic
def check_in(*, actor: User, event: Event, entries: Collection[Entry]) -> None:
    """Check registered players in; others stay as they are (E6).

    During the event they are late entries that play from the next round on, with an unpaired loss for each round missed
    (E21). Refuses them once the bracket has begun (E38).
    """
    locked = lock_organized(actor, event)
    wanted = locked.entries.filter(pk__in=[entry.pk for entry in entries])
    if locked.state == Event.State.RUNNING:
        late = list(wanted.filter(state__in=(Entry.State.REGISTERED, Entry.State.CHECKED_IN)))
        _let_play(actor, locked, late)
        for entry in late:
            record(
                actor=actor, event=locked, kind=LogKind.ENTRY,
                entry=entry.number, before=Entry.State.REGISTERED, after=Entry.State.PLAYING,
            )  # fmt: skip
    elif not locked.is_over:
        wanted.filter(state=Entry.State.REGISTERED).update(state=Entry.State.CHECKED_IN)


@transaction.atomic
def drop(*, actor: User, entry: Entry) -> None:
    """Drop a player, who is paired no more and keeps their results (E25). A game of a Swiss round under way stays open
    until it gets a result; one of the bracket is a bye for the opponent (E41). A draft with the player in it is
    drawn again. Dropping again changes nothing. Refuses a player who is not in the event, and a leader who drops their
    opponent (E2).
    """
    locked = lock_organized(actor, entry.event)
    if entry.user_id != actor.pk:
        check_impartial_about(actor, locked, entry, (Role.ORGANIZER,))
    if _change(actor, locked, entry, Entry.State.DROPPED, allowed=IN_EVENT):
        leave_bracket(actor, locked, entry)


@transaction.atomic
def rejoin(*, actor: User, entry: Entry) -> None:
    """Let a dropped player play again from the next round on, with an unpaired loss for each round missed (E25). Before
    the event has started they are registered again.

    A draft is drawn again, because it does not have the player. Refuses an ejected player (E4), one who was cut (E38),
    and rejoining once the bracket has begun or the event is over.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.state == Entry.State.EJECTED:
        raise refuse("E4", gettext("An ejected player cannot rejoin."))
    if entry.state == Entry.State.CUT:
        raise refuse("E38", gettext("A player who missed the cut cannot rejoin."))
    if entry.state != Entry.State.DROPPED:
        return
    if locked.is_over:
        raise refuse("", gettext("This event is over."))
    if locked.state == Event.State.RUNNING:
        _let_play(actor, locked, [entry])
    else:
        entry.state = Entry.State.REGISTERED
        entry.save(update_fields=["state"])
    record(
        actor=actor, event=locked, kind=LogKind.ENTRY,
        entry=entry.number, before=Entry.State.DROPPED, after=entry.state,
    )  # fmt: skip


@transaction.atomic
def warn(*, actor: User, entry: Entry, reason: str, number: int | None = None) -> int:
    """Warn a player and return how many warnings they have; at three the app proposes ejection
    (`rules.tournaments.leaders.proposes_ejection`, E4).

    `number` is that of the new warning, as the page knew it: a form that is sent twice warns once. Refuses a warning
    without a reason, and a leader who decides about their own entry or their opponent (E2).
    """
    locked = lock_led(actor, entry.event)
    entry.refresh_from_db()
    if number is not None and number <= entry.warnings:
        return entry.warnings
    check_impartial_about(actor, locked, entry)
    if not reason.strip():
        raise refuse("E4", gettext("Give a reason for the warning."), "reason")
    entry.warnings += 1
    entry.save(update_fields=["warnings"])
    record(actor=actor, event=locked, kind=LogKind.WARNED, reason=reason, entry=entry.number)
    return entry.warnings


@transaction.atomic
def eject(*, actor: User, entry: Entry, reason: str) -> None:
    """Eject a player for good; their results stay (E4). In Galactic Conquest each leader may, in the Tournament
    Regulations the head judge and the organizers. Ejecting again changes nothing. Refuses it without a reason, and a
    leader who decides about their own entry or their opponent (E2).
    """
    conquest = entry.event.rule_set == RuleSet.GALACTIC_CONQUEST
    locked = (lock_led if conquest else lock_judged)(actor, entry.event)
    check_impartial_about(actor, locked, entry, Event.roles if conquest else (Role.ORGANIZER, Role.HEAD_JUDGE))
    if not reason.strip():
        raise refuse("E4", gettext("Give a reason for the ejection."), "reason")
    states = [state for state in Entry.State if state != Entry.State.EJECTED]
    if _change(actor, locked, entry, Entry.State.EJECTED, allowed=states, reason=reason):
        leave_bracket(actor, locked, entry)


@transaction.atomic
def decline_place(*, actor: User, entry: Entry) -> None:
    """Decline a player's place in the bracket before a game of it is played: the next in the standings enters last, and
    everybody below moves up one seed (E38). The player keeps the rank of the Swiss rounds. Declining again changes
    nothing. Refuses a player who has no place in the bracket, and declining once it is played.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if not entry.replaceable:
        return
    first = locked.round_set.filter(stage=Round.Stage.BRACKET).order_by("number").first()
    placed = first and first.games.filter(Q(first=entry) | Q(second=entry)).exists()
    if not placed or locked.structure == StructureChoice.ELIMINATION:
        raise refuse("E38", gettext("{player} has no place to decline.", player=entry.name))
    if not is_replaceable(locked):
        raise refuse("E41", gettext("The bracket is being played. Drop {player} instead.", player=entry.name))
    entry.replaceable, entry.state = False, Entry.State.CUT
    entry.save(update_fields=["replaceable", "state"])
    record(
        actor=actor, event=locked, kind=LogKind.ENTRY,
        entry=entry.number, before=Entry.State.PLAYING, after=Entry.State.CUT,
    )  # fmt: skip
    leave_bracket(actor, locked, entry)


def _change(actor: User, event: Event, entry: Entry, state: str, *, allowed: Collection[str], reason: str = "") -> bool:
    """Change the state of an entry, and return whether it was another one before."""
    entry.refresh_from_db()
    before = entry.state
    if before == state:
        return False
    if before not in allowed:
        raise_if_any(filter(None, [left_violation(entry)]))
    entry.state = state
    entry.save(update_fields=["state"])
    record(actor=actor, event=event, kind=LogKind.ENTRY, reason=reason, entry=entry.number, before=before, after=state)
    return True


def _let_play(actor: User, event: Event, players: Collection[Entry]) -> None:
    """Let players of a running event play from the next round on: with a ticket (E34), and an unpaired loss for each
    round that is published and that they missed (E21, E25).
    """
    if not players:
        return
    if has_bracket_begun(event):
        raise refuse("E38", gettext("The bracket has begun. Nobody can join now."))
    for entry in players:
        entry.state = Entry.State.PLAYING
        entry.ticket = event.draw.ticket(entry.key) if entry.ticket is None else entry.ticket
    Entry.objects.bulk_update(players, ["state", "ticket"])
    for entry in players:
        missed = event.round_set.exclude(state=Round.State.DRAFT).exclude(unpaired_losses__entry=entry)
        missed = missed.exclude(games__first=entry).exclude(games__second=entry)
        UnpairedLoss.objects.bulk_create(UnpairedLoss(round=each, entry=entry) for each in missed)
    redraw(actor=actor, event=event)
