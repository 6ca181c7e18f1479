"""Players of an event: register, check in, come late, drop, rejoin, warn, eject (E4–E6, E21, E25).

Whoever leaves or joins while the next round is a draft has it drawn again: nobody is paired with a player who has left,
and nobody who plays is left out. Changes of that draft by hand are lost, which the log shows. A published round stays
as it is; a game of a player who has left waits for its result (E30).
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import Max, Q

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import RuleViolation, refuse
from tournaments.models import Entry, Event, Game, LogKind, Round, UnpairedLoss
from tournaments.services.drafts import redraw
from tournaments.services.locks import lock_led, lock_organized
from tournaments.services.log import record
from tournaments.services.rounds import leave_bracket

LONGEST_NAME = 80
#: States of players who are in the event, or are expected in it.
IN_EVENT = (Entry.State.REGISTERED, Entry.State.WAITING, Entry.State.CHECKED_IN, Entry.State.PLAYING)
#: Warnings at which the app proposes ejection (E4).
WARNINGS = 3


@transaction.atomic
def add_entry(*, actor: User, event: Event, name: str, army_points: int | None = None) -> Entry:
    """Add a player without an account by name (E5). Before the start the player is registered; during the event it is
    a late entry that plays from the next round on, with an unpaired loss for each round missed (E21). `army_points`
    are those of the list. Refuses an empty or overlong name and one that is taken.
    """
    locked = lock_organized(actor, event)
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise refuse("", gettext("Enter a name of at most {number} letters.", number=LONGEST_NAME), "name")
    if locked.entries.filter(name__iexact=name).exists():
        raise refuse("E11", gettext("Somebody of this name is registered. Add a surname or a number."), "name")
    if locked.state in (Event.State.FINISHED, Event.State.CANCELLED):
        raise refuse("", gettext("This event is over."))
    number = (locked.entries.aggregate(last=Max("number"))["last"] or 0) + 1
    entry = Entry(event=locked, number=number, name=name, army_points=army_points)
    if locked.state == Event.State.RUNNING:
        _check_no_bracket(locked)
        entry.state, entry.ticket = Entry.State.PLAYING, locked.draw.ticket(entry.key)
    entry.save()
    record(actor=actor, event=locked, kind=LogKind.ENTERED, entry=entry.number, name=name)
    if locked.state == Event.State.RUNNING:
        _give_unpaired_losses(locked, entry)
        redraw(actor=actor, event=locked)
    return entry


@transaction.atomic
def check_in(*, actor: User, event: Event, entries: Collection[Entry]) -> None:
    """Check registered players in; others stay as they are (E6).

    During the event they are late entries that play from the next round on, with an unpaired loss for each round missed
    (E21). Refuses them once the bracket has begun (E38).
    """
    locked = lock_organized(actor, event)
    wanted = locked.entries.filter(pk__in=[entry.pk for entry in entries])
    if locked.state == Event.State.RUNNING:
        for entry in wanted.filter(state__in=(Entry.State.REGISTERED, Entry.State.CHECKED_IN)):
            _check_no_bracket(locked)
            _change(actor, locked, entry, Entry.State.PLAYING, allowed=Entry.State)
            _join_rounds(actor, locked, entry)
    elif not locked.is_over:
        wanted.filter(state=Entry.State.REGISTERED).update(state=Entry.State.CHECKED_IN)


@transaction.atomic
def drop(*, actor: User, entry: Entry) -> None:
    """Drop a player, who is paired no more and keeps their results (E25). A game of a round under way stays open until
    it gets a result. Dropping again changes nothing. Refuses a player who is not in the event.
    """
    locked = lock_organized(actor, entry.event)
    _leave(actor, locked, entry, Entry.State.DROPPED, allowed=IN_EVENT)


@transaction.atomic
def rejoin(*, actor: User, entry: Entry) -> None:
    """Let a dropped player play again from the next round on, with an unpaired loss for each round missed (E25). Before
    the start the player is registered again. Refuses an ejected player (E4), one who was cut (E38), and rejoining once
    the bracket has begun.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.state in IN_EVENT:
        return
    if entry.state == Entry.State.EJECTED:
        raise refuse("E4", gettext("An ejected player cannot rejoin."))
    if entry.state == Entry.State.CUT:
        raise refuse("E38", gettext("A player who missed the cut cannot rejoin."))
    if locked.is_over:
        raise refuse("", gettext("This event is over."))
    if locked.state != Event.State.RUNNING:
        _change(actor, locked, entry, Entry.State.REGISTERED, allowed=(Entry.State.DROPPED,))
        return
    _check_no_bracket(locked)
    _change(actor, locked, entry, Entry.State.PLAYING, allowed=(Entry.State.DROPPED,))
    _join_rounds(actor, locked, entry)


@transaction.atomic
def warn(*, actor: User, entry: Entry, reason: str) -> int:
    """Warn a player and return how many warnings they have; at `WARNINGS` the app proposes ejection (E4). Refuses a
    warning without a reason.
    """
    locked = lock_led(actor, entry.event)
    if not reason.strip():
        raise refuse("E4", gettext("Give a reason for the warning."), "reason")
    entry.refresh_from_db()
    entry.warnings += 1
    entry.save(update_fields=["warnings"])
    record(actor=actor, event=locked, kind=LogKind.WARNED, reason=reason, entry=entry.number)
    return entry.warnings


@transaction.atomic
def eject(*, actor: User, entry: Entry, reason: str) -> None:
    """Eject a player for good; their results stay (E4). Ejecting again changes nothing. Refuses it without a reason."""
    locked = lock_organized(actor, entry.event)
    if not reason.strip():
        raise refuse("E4", gettext("Give a reason for the ejection."), "reason")
    states = [state for state in Entry.State if state != Entry.State.EJECTED]
    _leave(actor, locked, entry, Entry.State.EJECTED, allowed=states, reason=reason.strip())


def _leave(actor: User, event: Event, entry: Entry, state: str, *, allowed: Collection[str], reason: str = "") -> None:
    """Let a player leave: out of the draft (which is drawn again) and out of the bracket (E38, E41)."""
    entry.refresh_from_db()
    played = entry.state == Entry.State.PLAYING
    _change(actor, event, entry, state, allowed=allowed, reason=reason)
    if played:
        redraw(actor=actor, event=event)
        _leave_bracket(actor, event, entry)


def _leave_bracket(actor: User, event: Event, entry: Entry) -> None:
    """Leave the bracket. If nobody is left who could enter last (E38), the opponent has a bye (E41)."""
    try:
        with transaction.atomic():
            leave_bracket(actor, event, entry)
    except RuleViolation:
        if game := _open_bracket_game(event, entry):
            game.first, game.second = (game.second if game.first_id == entry.pk else game.first), None
            game.table = 0
            game.save(update_fields=["first", "second", "table"])


def _open_bracket_game(event: Event, entry: Entry) -> Game | None:
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=event, state=Game.State.OPEN)
    found = games.filter(round__stage=Round.Stage.BRACKET).exclude(second=None)
    return found.select_related("first", "second").order_by("-round__number").first()


def _change(actor: User, event: Event, entry: Entry, state: str, *, allowed: Collection[str], reason: str = "") -> None:
    entry.refresh_from_db()
    if entry.state == state:
        return
    if entry.state not in allowed:
        raise refuse("E6", gettext("{player} is not in the event any more.", player=entry.name))
    before, entry.state = entry.state, state
    entry.save(update_fields=["state"])
    record(actor=actor, event=event, kind=LogKind.ENTRY, reason=reason, entry=entry.number, before=before, after=state)


def _join_rounds(actor: User, event: Event, entry: Entry) -> None:
    """Give a player who begins to play a ticket and the unpaired losses, and a place in the draft (E21, E34)."""
    if entry.ticket is None:
        entry.ticket = event.draw.ticket(entry.key)
        entry.save(update_fields=["ticket"])
    _give_unpaired_losses(event, entry)
    redraw(actor=actor, event=event)


def _check_no_bracket(event: Event) -> None:
    if event.round_set.filter(stage=Round.Stage.BRACKET).exists():
        raise refuse("E38", gettext("The bracket has begun. Nobody can join any more."))


def _give_unpaired_losses(event: Event, entry: Entry) -> None:
    missed = event.round_set.exclude(state=Round.State.DRAFT)
    missed = missed.exclude(games__first=entry).exclude(games__second=entry).exclude(unpaired_losses__entry=entry)
    UnpairedLoss.objects.bulk_create(UnpairedLoss(round=each, entry=entry) for each in missed)
