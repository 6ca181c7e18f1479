"""Before the day: open and close registration, register, withdraw, the waiting list, and the organizer's list (E2, E5,
E6, E11, E22).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from core.tokens import new_token
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any, refuse
from tournaments.models import Entry, Event, LogKind
from tournaments.queries.entry_list import PLACED, waiting_list
from tournaments.queries.leaders import playing_leader_violation
from tournaments.services import entries
from tournaments.services.locks import lock_event, lock_organized
from tournaments.services.log import record
from tournaments.services.outer_lock import lock_outside

LONGEST_NAME = 80
LONGEST_CLUB = 80
LONGEST_NOTE = 1000
#: The most players that are added at once, and the most that an event has.
MOST_ADDED, MOST_PLAYERS = 500, 1000
#: The highest number of a table.
LAST_TABLE = 999
#: The largest army that an organizer can enter, in army points.
LARGEST_ARMY = 100_000

#: States of an event before its start.
BEFORE = (Event.State.DRAFT, Event.State.OPEN, Event.State.CLOSED)
#: States of a player who is in the event, or waits to be.
ACTIVE = (*PLACED, Entry.State.WAITING)


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player whom an organizer adds by name."""

    name: str
    club: str = ""
    note: str = ""
    paid: bool = False


@transaction.atomic
def open_registration(*, actor: User, event: Event) -> Event:
    """Publish a draft, or open registration again. Opening it twice changes nothing. Refuses an event without a date,
    one that runs, and one that is over.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.OPEN:
        return locked
    _check_before(locked)
    if locked.starts_at is None:
        raise refuse("", gettext("Enter when the event starts before you open registration."), "starts_at")
    return _set_state(actor, locked, Event.State.OPEN)


@transaction.atomic
def close_registration(*, actor: User, event: Event) -> Event:
    """Close registration; the waiting list still moves up. Closing it twice changes nothing. Refuses a draft, an event
    that runs, and one that is over.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.CLOSED:
        return locked
    _check_before(locked)
    if locked.state == Event.State.DRAFT:
        raise refuse("E6", gettext("Registration is not open yet."))
    return _set_state(actor, locked, Event.State.CLOSED)


@transaction.atomic
def cancel_event(*, actor: User, event: Event, reason: str) -> Event:
    """Cancel an event for good; its page stays and says why. Cancelling it again changes nothing. Refuses it without a
    reason, and an event that has finished.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.CANCELLED:
        return locked
    if locked.state == Event.State.FINISHED:
        raise refuse("", gettext("This event is over."))
    if not reason.strip():
        raise refuse("", gettext("Give a reason. All players read it."), "reason")
    return _set_state(actor, locked, Event.State.CANCELLED, reason.strip())


@transaction.atomic
def register(*, actor: User, event: Event, name: str, now: datetime, club: str = "", note: str = "") -> Entry:
    """Register the actor for an event, on the waiting list if it is full (E6); who has withdrawn registers again at its
    end. Registering twice changes nothing. `note` is for the organizers. Refuses it before registration opens, after it
    closes or its deadline, a leader (E2), a name that is taken (E11), and an ejected player (E4).
    """
    locked = lock_event(event)
    own = locked.entries.filter(user=actor).first()
    if own and own.state in ACTIVE:
        return own
    if own and own.state == Entry.State.EJECTED:
        raise refuse("E4", gettext("An ejected player cannot rejoin."))
    if why := registration_violation(locked, now):
        raise refuse("E6", why)
    if leads := playing_leader_violation(locked, actor):
        raise_if_any([leads])
    words = _checked(locked, {"name": name, "club": club, "note": note}, own)
    return _enter(actor, locked, own or Entry(event=locked, user=actor), words, now)


def registration_violation(event: Event, now: datetime) -> str:
    """Return why nobody can register for an event by themselves now, or an empty text (E6)."""
    if event.state == Event.State.DRAFT:
        return gettext("Registration is not open yet.")
    if event.state in (Event.State.FINISHED, Event.State.CANCELLED):
        return gettext("This event is over.")
    if event.state == Event.State.RUNNING:
        return gettext("This event is running. Ask an organizer to add you.")
    if event.state == Event.State.CLOSED:
        return gettext("Registration is closed. Ask an organizer to add you.")
    if event.registration_deadline and now > event.registration_deadline:
        return gettext("The deadline for registration has passed. Ask an organizer to add you.")
    return ""


@transaction.atomic
def register_leader(*, actor: User, event: Event, user: User, reason: str, now: datetime) -> Entry:
    """Register a leader who cannot play by E2, as an organizer's override; the public log shows the reason. Repeating
    it changes nothing. Refuses it without a reason, and anyone who does not lead the event.
    """
    locked = lock_organized(actor, event)
    _check_before(locked)
    own = locked.entries.filter(user=user).first()
    if own and own.state in ACTIVE:
        return own
    if not locked.memberships.filter(user=user, role__in=Event.roles).exists():
        raise refuse("E2", gettext("Choose one of the leaders."), "user")
    if not reason.strip():
        raise refuse("E2", gettext("Give a reason. The public log shows it."), "reason")
    words = {} if own else _checked(locked, {"name": user.get_username()}, own)
    entry = _enter(actor, locked, own or Entry(event=locked, user=user), words, now)
    record(actor=actor, event=locked, kind=LogKind.OVERRIDE, reason=reason.strip(), rule="E2", entry=entry.number)
    return entry


@transaction.atomic
def withdraw(*, actor: User | None, entry: Entry) -> None:
    """Withdraw from an event before it starts; the first of the waiting list gets the place (E6). `actor` is None for a
    player who came by their personal link. Withdrawing again changes nothing. Refuses somebody else's entry, and an
    event that has started.
    """
    locked = lock_event(entry.event)
    entry.refresh_from_db()
    if actor and entry.user_id not in (None, actor.pk):
        raise refuse("", gettext("You can withdraw only yourself."))
    if entry.state == Entry.State.DROPPED:
        return
    if locked.state not in BEFORE:
        raise refuse("E25", gettext("This event has started. Drop from it on your own page."))
    _move(actor, locked, entry, Entry.State.DROPPED)
    _fill_places(actor, locked)


@transaction.atomic
def move_entry(*, actor: User, entry: Entry, state: str, now: datetime) -> None:
    """Change a player's state before the start by hand: give a place, put on the waiting list, withdraw (E6). A place
    is given even if the event is full. The state they have already changes nothing. Refuses any other state, an ejected
    player, a leader who cannot play (E2), and an event that has started.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.state == state:
        return
    _check_before(locked)
    if entry.state == Entry.State.EJECTED:
        raise refuse("E4", gettext("An ejected player cannot rejoin."))
    if state not in (Entry.State.REGISTERED, Entry.State.WAITING, Entry.State.DROPPED):
        raise refuse("E6", gettext("Choose one of these states."))
    if entry.user and (leads := playing_leader_violation(locked, entry.user)) and state != Entry.State.DROPPED:
        text = gettext("{person} leads this event. Register them below as a leader who plays.", person=entry.user)
        raise refuse(leads.rule, text)
    if state == Entry.State.WAITING:
        entry.registered_at = now
        entry.save(update_fields=["registered_at"])
    _move(actor, locked, entry, state)
    _fill_places(actor, locked, without=entry)


@transaction.atomic
def add_players(
    *, actor: User, event: Event, players: Sequence[NewPlayer], now: datetime, after: int | None = None
) -> list[Entry]:
    """Add players without accounts, all or none (E5). Before the start they are registered or, in a full event, put on
    the waiting list; during the event they are late entries (E21). `after` is the last number of an entry when the form
    was drawn: the same players sent twice are added once. Refuses empty and overlong names, names that are taken or
    come twice (E11, at their names), and more than an event holds.
    """
    locked = lock_outside(event)
    if locked.state in (Event.State.FINISHED, Event.State.CANCELLED):
        raise refuse("", gettext("This event is over."))
    known = {_key(entry.name): entry for entry in locked.entries.all()}
    if after is not None and (added := _added_before(known, players, after)):
        return added
    raise_if_any(players_violations(known, players))
    room = _places_free(locked) if locked.state in BEFORE else None
    made = entries.add_entries(actor=actor, event=locked, names=[player.name for player in players])
    for place, (entry, player) in enumerate(zip(made, players, strict=True), 1):
        entry.club, entry.note, entry.paid = player.club.strip(), player.note.strip(), player.paid
        entry.registered_at = now
        if room is not None and place > room:
            entry.state = Entry.State.WAITING
    Entry.objects.bulk_update(made, ["club", "note", "paid", "registered_at", "state"])
    return made


def players_violations(known: Collection[str], players: Iterable[NewPlayer]) -> list[Violation]:
    """Return everything that is wrong with players to add, each about the name it concerns (E5, E11). `known` are the
    names in the event, as `name_keys` returns them.
    """
    players = list(players)
    found = []
    if not players:
        found.append(Violation("", gettext("Enter at least one name.")))
    if len(players) > MOST_ADDED or len(known) + len(players) > MOST_PLAYERS:
        text = gettext("Add at most {most} at once.", most=min(MOST_ADDED, max(MOST_PLAYERS - len(known), 0)))
        found.append(Violation("", text))
    seen: set[str] = set()
    for player in players:
        found += _player_violations(player, known, seen)
        seen.add(_key(player.name))
    return found


def name_keys(event: Event) -> set[str]:
    """Return the names in an event in the form in which they are compared (E11)."""
    return {_key(name) for name in event.entries.values_list("name", flat=True)}


@transaction.atomic
def edit_entry(*, actor: User, entry: Entry, changes: dict[str, Any]) -> None:
    """Change what an organizer may enter of a player: `name`, `club`, `note`, `army_points` and `fixed_table`; other
    keys are ignored. Only what differs is written, and the log says which of them but the note. Refuses a name that is
    taken (E11), a table that is fixed for somebody else (E22), and values out of range.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    words = _checked(locked, {key: changes[key] for key in EDITED if key in changes}, entry)
    changed = {key: value for key, value in words.items() if getattr(entry, key) != value}
    if not changed:
        return
    figures: dict[str, Any] = {
        key: [getattr(entry, key), value] for key, value in changed.items() if key in ("army_points", "fixed_table")
    }
    for key, value in changed.items():
        setattr(entry, key, value)
    entry.save(update_fields=list(changed))
    public = sorted(set(changed) - {"note"})
    if public:
        record(actor=actor, event=locked, kind=LogKind.ENTRY, entry=entry.number, changed=public, **figures)


@transaction.atomic
def set_paid(*, actor: User, entry: Entry, paid: bool) -> None:
    """Note whether a player has paid. It is for the organizers alone and stands in no log."""
    lock_organized(actor, entry.event)
    entry.paid = paid
    entry.save(update_fields=["paid"])


@transaction.atomic
def claim(*, actor: User, entry: Entry) -> None:
    """Ask to take over an entry without an account (E5). Asking again changes nothing. Refuses an entry that belongs to
    somebody or that somebody else asks for, and people who have an entry or ask for another one.
    """
    locked = lock_event(entry.event)
    entry.refresh_from_db()
    if actor.pk in (entry.user_id, entry.claimant_id):
        return
    if locked.state == Event.State.CANCELLED:
        raise refuse("", gettext("This event is over."))
    if entry.user_id:
        raise refuse("E5", gettext("{player} has an account already.", player=entry.name))
    if entry.claimant_id:
        raise refuse("E5", gettext("Somebody else has asked for this entry. Talk to an organizer."))
    if locked.entries.filter(user=actor).exists():
        raise refuse("E5", gettext("You have an entry in this event already."))
    if locked.entries.filter(claimant=actor).exists():
        raise refuse("E5", gettext("You have asked for another entry already. Talk to an organizer."))
    entry.claimant = actor
    entry.save(update_fields=["claimant"])


@transaction.atomic
def drop_claim(*, actor: User, entry: Entry) -> None:
    """Take back one's own claim to an entry. Without one it changes nothing."""
    lock_event(entry.event)
    Entry.objects.filter(pk=entry.pk, claimant=actor).update(claimant=None)


@transaction.atomic
def answer_claim(*, actor: User, entry: Entry, claimant: User, consent: bool) -> bool:
    """Let somebody who asked take over an entry, or decline (E5), and return whether the entry is theirs now. The
    personal link that it had stops working. Answering twice changes nothing. Refuses a claim that was
    withdrawn, somebody who has an entry already, and a leader who cannot play (E2).
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.user_id == claimant.pk:
        return True
    if entry.claimant_id != claimant.pk:
        if consent:
            raise refuse("E5", gettext("{person} has withdrawn the request for this entry.", person=claimant))
        return False
    if consent:
        if locked.entries.filter(user=claimant).exists():
            raise refuse("E5", gettext("{person} has an entry in this event already.", person=claimant))
        if why := playing_leader_violation(locked, claimant):
            text = gettext("{person} leads this event and cannot play in it.", person=claimant)
            raise refuse(why.rule, text)
        entry.user, entry.token = claimant, new_token()
    entry.claimant = None
    entry.save(update_fields=["user", "claimant", "token"])
    record(actor=actor, event=locked, kind=LogKind.ENTRY, entry=entry.number, taken_over=consent)
    return consent


def fill_places(actor: User | None, event: Event) -> None:
    """Move the waiting list up in order while there are places, in a locked event before its start (E6)."""
    _fill_places(actor, event)


#: What an organizer edits of a player.
EDITED = ("name", "club", "note", "army_points", "fixed_table")


def _enter(actor: User, event: Event, entry: Entry, words: dict[str, Any], now: datetime) -> Entry:
    """Save a new entry, or one that had withdrawn, with a place or at the end of the waiting list."""
    before = entry.state if entry.pk else ""
    for key, value in words.items():
        setattr(entry, key, value)
    room = _places_free(event)
    entry.state = Entry.State.REGISTERED if room is None or room > 0 else Entry.State.WAITING
    entry.registered_at = now
    if entry.number is None:
        entry.number = _last_number(event) + 1
    entry.save()
    if before:
        record(actor=actor, event=event, kind=LogKind.ENTRY, entry=entry.number, before=before, after=entry.state)
    else:
        record(actor=actor, event=event, kind=LogKind.ENTERED, entry=entry.number)
    return entry


def _move(actor: User | None, event: Event, entry: Entry, state: str) -> None:
    before, entry.state = entry.state, state
    entry.save(update_fields=["state"])
    record(actor=actor, event=event, kind=LogKind.ENTRY, entry=entry.number, before=before, after=state)


def _fill_places(actor: User | None, event: Event, without: Entry | None = None) -> None:
    """Move the waiting list up, except for an entry that was put there by hand just now."""
    if event.state not in BEFORE:
        return
    room = _places_free(event)
    waiting = [entry for entry in waiting_list(event.entries.all()) if without is None or entry.pk != without.pk]
    moved = waiting if room is None else waiting[:room]
    if not moved:
        return
    event.entries.filter(pk__in=[entry.pk for entry in moved]).update(state=Entry.State.REGISTERED)
    numbers = [entry.number for entry in moved]
    states = {"before": Entry.State.WAITING.value, "after": Entry.State.REGISTERED.value}
    record(actor=actor, event=event, kind=LogKind.ENTRY, entries=numbers, moved_up=True, **states)


def _places_free(event: Event) -> int | None:
    """Return how many places are free; None without a limit. Who is on the waiting list takes a free place first."""
    if event.registration_limit is None:
        return None
    return max(event.registration_limit - event.entries.filter(state__in=PLACED).count(), 0)


def _last_number(event: Event) -> int:
    return event.entries.aggregate(last=Max("number"))["last"] or 0


def _added_before(known: dict[str, Entry], players: Sequence[NewPlayer], after: int) -> list[Entry]:
    """Return the entries of these players if all of them were added after that number, else nothing."""
    found = [known.get(_key(player.name)) for player in players]
    return [entry for entry in found if entry] if found and all(e and e.number > after for e in found) else []


def _player_violations(player: NewPlayer, known: Collection[str], seen: Collection[str]) -> list[Violation]:
    name = player.name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        return [Violation("", gettext("Enter a name of up to {number} characters.", number=LONGEST_NAME), name)]
    found = []
    if len(player.club.strip()) > LONGEST_CLUB:
        text = gettext("{name}: use up to {number} characters for the club.", name=name, number=LONGEST_CLUB)
        found.append(Violation("", text, name))
    if len(player.note.strip()) > LONGEST_NOTE:
        text = gettext("{name}: use up to {number} characters for the note.", name=name, number=LONGEST_NOTE)
        found.append(Violation("", text, name))
    if _key(name) in known:
        text = gettext("{name} is registered already. Add a surname or a number.", name=name)
        found.append(Violation("E11", text, name))
    if _key(name) in seen:
        text = gettext("{name} is listed twice. Add a surname or a number.", name=name)
        found.append(Violation("E11", text, name))
    return found


def _checked(event: Event, words: dict[str, Any], own: Entry | None) -> dict[str, Any]:
    """Return texts without spaces around them. Refuses what cannot be entered of a player, all at once."""
    words = {key: value.strip() if isinstance(value, str) else value for key, value in words.items()}
    others = event.entries.exclude(pk=own.pk) if own and own.pk else event.entries.all()
    found = []
    if "name" in words:
        found += _name_violations(words["name"], others.filter(name__iexact=words["name"]).exists())
    for key, longest in (("club", LONGEST_CLUB), ("note", LONGEST_NOTE)):
        if len(words.get(key, "")) > longest:
            found.append(Violation("", gettext("Enter up to {number} characters.", number=longest), key))
    for key, most in (("army_points", LARGEST_ARMY), ("fixed_table", LAST_TABLE)):
        if (value := words.get(key)) is not None and not 1 <= value <= most:
            found.append(Violation("", gettext("Enter a number from 1 to {most}.", most=most), key))
    table = words.get("fixed_table")
    if table and (other := others.filter(fixed_table=table, state__in=ACTIVE).first()):
        text = gettext("Table {table} is kept for {player}. Choose another one.", table=table, player=other.name)
        found.append(Violation("E22", text, "fixed_table"))
    raise_if_any(found)
    return words


def _name_violations(name: str, taken: bool) -> list[Violation]:
    if not 0 < len(name) <= LONGEST_NAME:
        return [Violation("", gettext("Enter a name of up to {number} characters.", number=LONGEST_NAME), "name")]
    if taken:
        text = gettext("This name is taken. Add a surname or a number.")
        return [Violation("E11", text, "name")]
    return []


def _key(name: str) -> str:
    """Return a name in the form in which names are compared (E11)."""
    return " ".join(name.split()).casefold()


def _check_before(event: Event) -> None:
    if event.state == Event.State.RUNNING:
        raise refuse("", gettext("This event is running."))
    if event.state not in BEFORE:
        raise refuse("", gettext("This event is over."))


def _set_state(actor: User, event: Event, state: str, reason: str = "") -> Event:
    before, event.state = event.state, state
    event.save(update_fields=["state"])
    record(actor=actor, event=event, kind=LogKind.STATE, reason=reason, before=before, after=state)
    return event
