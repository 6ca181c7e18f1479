"""The entries of an event: registering, adding players, checking in, dropping, rejoining, ejecting (E2, E4–E6, E11,
E21, E22, E25, E38).

    waiting list ⇄ registered ⇄ checked in → playing → cut           and dropped, from which a player may come back,
                                                                      and ejected, for good

`TRANSITIONS` lists every change of an entry's state, and `_move` makes each of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from accounts.models import User
from core.db.rows import update
from core.tokens import new_token
from members.models import Role
from members.roles import is_organizer
from rules.core.values import Value
from rules.core.violations import Violation, raise_if_any, refuse
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import check_impartial_about
from tournaments.models import Entry, Event, LogKind, Round, StructureChoice, SubmittedList, UnpairedLoss
from tournaments.models.entry import ACTIVE, LEFT, PLACED
from tournaments.models.event import BEFORE_START
from tournaments.queries.entries import name_key, places_free, waiting_list
from tournaments.queries.leaders import playing_leader_violation, roles_of
from tournaments.queries.results import forgotten_name
from tournaments.queries.rounds import has_bracket_begun, is_replaceable, left_violation
from tournaments.queries.schedule import later_day
from tournaments.queries.trophies import opponents_to_vote_for, trophy_names
from tournaments.services.bracket import drop_from_bracket, return_to_bracket
from tournaments.services.locks import lock_event, lock_judged, lock_led, lock_organized
from tournaments.services.log import checked_reason, log_line
from tournaments.services.pairing import redraw
from tournaments.services.rounds import LAST_TABLE, seat_late_entry

LONGEST_NAME = 80
LONGEST_CLUB = 80
LONGEST_NOTE = 1000
#: The most players that are added at once, and the most that an event has.
MOST_ADDED, MOST_PLAYERS = 500, 512
#: The largest army that an organizer can enter, in army points.
LARGEST_ARMY = 100_000
NO_LEADER = gettext_lazy("Choose one of the leaders.")
#: What an organizer edits of a player.
EDITED = ("name", "club", "note", "army_points", "fixed_table", "trophies")

# --- States ---------------------------------------------------------------------------------------------------------


class Act(Enum):
    """What changes the state of an entry."""

    REGISTER = "register again"
    PLACE = "place by hand"
    WITHDRAW = "withdraw"
    CHECK_IN = "check in"
    UNDO_CHECK_IN = "undo check-in"
    MARK_ABSENT = "mark as absent"
    START = "start"
    ADD_LATE = "add late"
    ENTER_LATE = "enter late"
    DROP = "drop"
    DROP_OUT = "drop out"
    REJOIN = "rejoin"
    EJECT = "eject"
    DECLINE = "decline a place"
    UNDO_DROP = "undo a drop from the bracket"
    UNDO_DECLINE = "undo declining a place"
    UNDO_EJECT = "undo an ejection"
    FORGET = "delete an account"


class Transition(Value):
    """The states of an entry from which an act leads and those it can lead to, and the states of the event in which it
    is possible. `otherwise` is the rule and the sentence that says when; empty: that of `check_state`.

    A change from a `silent` state does not stand in the log, or in a line of the whole act.
    """

    before: Collection[str]
    after: Collection[str]
    during: Collection[str]
    otherwise: tuple[str, str] = ("", "")
    silent: Collection[str] = ()


_S = Entry.State
_ALWAYS, _RUNNING = tuple(Event.State), (Event.State.RUNNING,)
_NOT_OVER = (*BEFORE_START, *_RUNNING)
_STARTED = ("E6", gettext_noop("The event has started. Use the console to drop players or to let them in."))
_ON_OWN_PAGE = ("E25", gettext_noop("This event has started. Drop from it on your own page."))
_NOT_RUNNING = ("E21", gettext_noop("The event is not running. Check the player in instead."))
_OVER = ("E25", gettext_noop("This event is over."))

#: A new entry is registered or on the waiting list.
TRANSITIONS: Mapping[Act, Transition] = {
    Act.REGISTER: Transition((_S.DROPPED,), (_S.REGISTERED, _S.WAITING), BEFORE_START),
    Act.PLACE: Transition((*ACTIVE, _S.DROPPED), (_S.REGISTERED, _S.WAITING, _S.DROPPED), BEFORE_START),
    Act.WITHDRAW: Transition(ACTIVE, (_S.DROPPED,), BEFORE_START, _ON_OWN_PAGE),
    Act.CHECK_IN: Transition((_S.REGISTERED,), (_S.CHECKED_IN,), BEFORE_START, silent=(_S.REGISTERED,)),
    Act.UNDO_CHECK_IN: Transition(
        (_S.CHECKED_IN, _S.DROPPED), (_S.REGISTERED,), BEFORE_START, _STARTED, silent=(_S.CHECKED_IN,)
    ),
    Act.MARK_ABSENT: Transition((_S.REGISTERED,), (_S.DROPPED,), BEFORE_START, _STARTED),
    Act.START: Transition((_S.CHECKED_IN,), (_S.PLAYING,), BEFORE_START, silent=(_S.CHECKED_IN,)),
    Act.ADD_LATE: Transition((_S.REGISTERED,), (_S.PLAYING,), _RUNNING, silent=(_S.REGISTERED,)),
    Act.ENTER_LATE: Transition((_S.WAITING, _S.REGISTERED, _S.CHECKED_IN), (_S.PLAYING,), _RUNNING, _NOT_RUNNING),
    Act.DROP: Transition(ACTIVE, (_S.DROPPED,), _ALWAYS),
    Act.DROP_OUT: Transition((_S.CHECKED_IN, _S.PLAYING), (_S.DROPPED,), _NOT_OVER, _OVER),
    Act.REJOIN: Transition((_S.DROPPED,), (_S.REGISTERED, _S.PLAYING), _NOT_OVER),
    Act.EJECT: Transition(tuple(state for state in _S if state != _S.EJECTED), (_S.EJECTED,), _ALWAYS),
    Act.DECLINE: Transition((_S.PLAYING,), (_S.CUT,), _ALWAYS),
    Act.UNDO_DROP: Transition((_S.DROPPED,), (_S.PLAYING,), _RUNNING),
    Act.UNDO_DECLINE: Transition((_S.CUT,), (_S.PLAYING,), _RUNNING),
    Act.UNDO_EJECT: Transition((_S.EJECTED,), tuple(state for state in _S if state != _S.EJECTED), _ALWAYS),
    Act.FORGET: Transition(ACTIVE, (_S.DROPPED,), BEFORE_START),
}


#: What lets a player return to the bracket.
_UNDOING = (Act.UNDO_DROP, Act.UNDO_DECLINE, Act.UNDO_EJECT)


def check_state(event: Event, during: Collection[str]) -> None:
    """Refuse an event that is in none of these states."""
    if event.state not in during:
        raise refuse("", gettext("This event is over.") if event.is_over else gettext("This event is running."))


def _check(act: Act, event: Event, entry: Entry) -> None:
    """Refuse an act that is not possible in the state of a locked event or of an entry."""
    way, (rule, text) = TRANSITIONS[act], TRANSITIONS[act].otherwise
    if text and event.state not in way.during:
        raise refuse(rule, gettext(text))
    check_state(event, way.during)
    if entry.state in way.before:
        return
    if act in (Act.REGISTER, Act.PLACE, Act.REJOIN):
        if entry.state == Entry.State.EJECTED:
            raise refuse("E4", gettext("An ejected player cannot rejoin."))
        if entry.state == Entry.State.CUT:
            raise refuse("E38", gettext("A player who missed the cut cannot rejoin."))
    not_yet = Violation("E25", gettext("You do not play yet. Withdraw from the event instead."))
    raise_if_any([left_violation(entry) or not_yet])


def _move(
    act: Act, *, actor: User | None, event: Event, entries: Sequence[Entry], to: str, reason: str = "", **facts: Any
) -> None:
    """Change the state of entries of a locked event and log each with further `facts`.

    Players who begin to play get a ticket (E34), and in a running event an unpaired loss for each round missed (E21,
    E25). Players who leave are taken out of the draft or the bracket (E38, E41), and before they played out of their
    team. Refuses what `TRANSITIONS` does not allow, and joining once the bracket has begun (E38), but for an undo.
    Raises ValueError for a state to which the act never leads.
    """
    way = TRANSITIONS[act]
    if to not in way.after:
        raise ValueError(f"{act} never leads to {to}")
    for entry in entries:
        _check(act, event, entry)
    before = [entry.state for entry in entries]
    _check_places(act, event, entries)
    for entry in entries:
        entry.state = to
    event.entries.filter(pk__in=[entry.pk for entry in entries]).update(state=to)
    _leave_team(act, event, entries)
    returns = act in _UNDOING and event.state == Event.State.RUNNING and has_bracket_begun(event)
    if to == Entry.State.PLAYING and entries and not returns:
        _let_play(event, entries)
    for entry, state in zip(entries, before, strict=True):
        if state not in way.silent:
            words = {"entry": entry.number, "before": state, "after": to, **facts}
            log_line(actor, event, LogKind.ENTRY, reason=reason, **words)
        if returns:
            return_to_bracket(event, entry)
        elif event.state == Event.State.RUNNING and to in LEFT:
            drop_from_bracket(event, entry)
    if to not in PLACED and act != Act.MARK_ABSENT:  # that is undone by one tap
        fill_places(actor, event, without=entries)


def _check_places(act: Act, event: Event, entries: Sequence[Entry]) -> None:
    """Refuse that players who left are back before the start without a place for each: others may have it now (E6)."""
    back = [entry for entry in entries if act in (Act.UNDO_CHECK_IN, Act.REJOIN) and entry.state not in PLACED]
    room = places_free(event) if back and event.state in BEFORE_START else None
    if room is not None and len(back) > room:
        text = gettext(
            "All places are taken. Open the page of %(player)s to give them a place anyway, or to put them on the "
            "waiting list."
        )
        raise refuse("E6", text % {"player": back[room].name})


def _leave_team(act: Act, event: Event, entries: Sequence[Entry]) -> None:
    """Take players who withdrew out of their team. Those marked as absent stay: that is undone by one tap."""
    for entry in entries:
        if entry.team_id and entry.has_withdrawn and act != Act.MARK_ABSENT:
            update(entry, team=None)
            event.teams.filter(members=None).delete()


def _let_play(event: Event, players: Sequence[Entry]) -> None:
    """Give players a ticket (E34), and in a running event an unpaired loss for each round that is published and that
    they missed (E21, E25). Its draft is drawn again. On a later day they are there.
    """
    is_late = event.state == Event.State.RUNNING
    if is_late and has_bracket_begun(event):
        raise refuse("E38", gettext("The bracket has begun. Nobody can join now."))
    day, because = later_day(event, timezone.now()), "back" if all(each.ticket for each in players) else "came"
    for entry in players:
        entry.ticket = event.draw.ticket(entry.key) if entry.ticket is None else entry.ticket
        entry.checked_in_on = day
    Entry.objects.bulk_update(players, ["ticket", "checked_in_on"])
    if not is_late:
        return
    # Two who come together leave the draft odd again: it is drawn for both.
    is_draft = event.round_set.filter(state=Round.State.DRAFT).exists()
    seated = [not (is_draft and players[1:]) and seat_late_entry(event, entry) for entry in players]
    for entry in players:
        missed = event.round_set.exclude(state=Round.State.DRAFT).exclude(unpaired_losses__entry=entry)
        missed = missed.exclude(games__first=entry).exclude(games__second=entry)
        UnpairedLoss.objects.bulk_create(UnpairedLoss(round=each, entry=entry) for each in missed)
    if not all(seated):
        redraw(event=event, because=because, entries=[entry.number for entry in players])


def fill_places(actor: User | None, event: Event, without: Collection[Entry] = ()) -> None:
    """Move the waiting list up while there are places before the start (E6), but not entries just put there by hand."""
    if event.state not in BEFORE_START:
        return
    waiting = [entry for entry in waiting_list(event.entries.all()) if entry not in without]
    if not (moved := waiting[: places_free(event)]):
        return
    event.entries.filter(pk__in=[entry.pk for entry in moved]).update(state=Entry.State.REGISTERED)
    log_line(
        actor, event, LogKind.ENTRY, entries=[entry.number for entry in moved], moved_up=True,
        before=Entry.State.WAITING.value, after=Entry.State.REGISTERED.value,
    )  # fmt: skip


# --- Registering, and adding players --------------------------------------------------------------------------------


class NewPlayer(Value):
    """A player whom an organizer adds by name. `army_points` are those of the army list, if known."""

    name: str
    club: str = ""
    note: str = ""
    paid: bool = False
    army_points: int | None = None


@transaction.atomic
def register(
    *, actor: User | None, event: Event, name: str, now: datetime, club: str = "", note: str = "", token: str = ""
) -> Entry:
    """Register the actor for an event, on the waiting list if it is full (E6); who has withdrawn registers again at its
    end. Without an account (E5) `token` is that of the personal link to come, as the form has it. Registering twice
    changes nothing. `note` is for the organizers. Refuses it before registration opens, after it closes or its
    deadline, a leader (E2), a name that is taken (E11), and an ejected player (E4).
    """
    locked = lock_event(event)
    own = locked.entries.filter(**({"user": actor} if actor else {"token": token, "user": None})).first()
    if own and own.state in ACTIVE:
        return own
    if why := registration_violation(locked, now):
        raise refuse("E6", why)
    if actor and (leads := playing_leader_violation(locked, actor)):
        raise_if_any([leads])
    words = _checked(locked, {"name": name, "club": club, "note": note}, own)
    new = Entry(event=locked, user=actor)
    if not actor and not Entry.objects.filter(token=token).exists():
        new.token = token
    return _enter(actor, locked, own or new, words, now)


def registration_violation(event: Event, now: datetime) -> str:
    """Return why nobody can register for an event by themselves now, or an empty text (E6)."""
    sentences = {
        Event.State.DRAFT: gettext("Registration is not open yet."),
        Event.State.RUNNING: gettext("This event is running. To play, ask an organizer at the desk to add you (E21)."),
        Event.State.CLOSED: gettext("Registration is closed. Ask an organizer to add you."),
    }
    if event.is_over:
        return gettext("This event is over.")
    if event.registration_deadline and now > event.registration_deadline and event.state == Event.State.OPEN:
        return gettext("The deadline for registration has passed. Ask an organizer to add you.")
    return sentences.get(Event.State(event.state), "")


@transaction.atomic
def register_leader(*, actor: User, event: Event, user: User, reason: str, now: datetime) -> Entry:
    """Register a leader who cannot play by E2, as an organizer's override; the public log shows the reason. Repeating
    it changes nothing. Refuses it without a reason, and anyone who does not lead the event.
    """
    locked = lock_organized(actor, event)
    check_state(locked, BEFORE_START)
    own = locked.entries.filter(user=user).first()
    if own and own.state in ACTIVE:
        return own
    if user.pk not in roles_of(locked):
        raise refuse("E2", str(NO_LEADER), "user")
    reason = checked_reason("E2", reason, LONGEST_NOTE)
    words = {} if own else _checked(locked, {"name": user.get_username()}, own)
    entry = _enter(actor, locked, own or Entry(event=locked, user=user), words, now)
    log_line(actor, locked, LogKind.OVERRIDE, reason=reason, rule="E2", entry=entry.number)
    return entry


@transaction.atomic
def add_players(
    *, actor: User, event: Event, players: Sequence[NewPlayer], now: datetime | None = None, after: int | None = None
) -> list[Entry]:
    """Add players without accounts, all or none, and return them in that order (E5). Before the start they are
    registered or, in a full event, put on the waiting list; during the event they are late entries that play from the
    next round on, with an unpaired loss for each round missed (E21). `after` is the last number of an entry when the
    form was drawn: the same players sent twice are added once.

    Refuses empty and overlong names, names that are taken or come twice (E11, at their names), more than an event
    holds, and everybody once the bracket has begun (E38).
    """
    locked = lock_organized(actor, event)
    check_state(locked, _NOT_OVER)
    known = {name_key(entry.name): entry for entry in locked.entries.all()}
    before = [known.get(name_key(player.name)) for player in players]
    if after is not None and before and all(each and each.number > after for each in before):
        return [each for each in before if each]
    raise_if_any([*number_violations(known, players), *chain.from_iterable(players_violations(known, players))])
    late = locked.state == Event.State.RUNNING
    room, number = None if late else places_free(locked), _last_number(locked)
    added = [
        Entry(
            event=locked, number=number + place, name=player.name.strip(), club=player.club.strip(),
            note=player.note.strip(), paid=player.paid, army_points=player.army_points,
            registered_at=now or timezone.now(),
            state=Entry.State.REGISTERED if room is None or place <= room else Entry.State.WAITING,
        )
        for place, player in enumerate(players, 1)
    ]  # fmt: skip
    Entry.objects.bulk_create(added)
    numbers = [entry.number for entry in added]
    facts: dict[str, Any] = {"entry": numbers[0]} if len(numbers) == 1 else {"entries": numbers}
    log_line(actor, locked, LogKind.ENTERED, **facts)
    if late:
        _move(Act.ADD_LATE, actor=actor, event=locked, entries=added, to=Entry.State.PLAYING)
    return added


def number_violations(known: Collection[str], players: Sequence[NewPlayer]) -> Iterator[Violation]:
    """Yield that no players are added, or more than an event holds. `known` are the names in it."""
    if not players:
        yield Violation("", gettext("The list has no players. Add at least one."))
    if len(players) > MOST_ADDED or len(known) + len(players) > MOST_PLAYERS:
        most = min(MOST_ADDED, max(MOST_PLAYERS - len(known), 0))
        yield Violation("", gettext("Add at most %(most)s at once.") % {"most": most})


def players_violations(known: Collection[str], players: Iterable[NewPlayer]) -> Iterator[list[Violation]]:
    """Yield what is wrong with each of the players to add, about its name (E5, E11)."""
    seen: set[str] = set()
    for player in players:
        name = player.name.strip()
        found = [*_violations({"name": name, "club": player.club, "note": player.note}, known)]
        if name and name_key(name) in seen:
            text = gettext("%(name)s is listed twice. Add a surname or a number.") % {"name": name}
            found.append(Violation("E11", text))
        seen.add(name_key(name))
        yield [replace(each, about=name) for each in found]


def _enter(actor: User | None, event: Event, entry: Entry, words: Mapping[str, Any], now: datetime) -> Entry:
    """Save a new entry, or one that had withdrawn, with a place or at the end of the waiting list."""
    for key, value in {**words, "registered_at": now}.items():
        setattr(entry, key, value)
    to = Entry.State.WAITING if places_free(event) == 0 else Entry.State.REGISTERED
    if entry.pk:
        entry.save()
        _move(Act.REGISTER, actor=actor, event=event, entries=[entry], to=to)
        return entry
    entry.number, entry.state = _last_number(event) + 1, to
    entry.save()
    log_line(actor, event, LogKind.ENTERED, entry=entry.number)
    return entry


def _last_number(event: Event) -> int:
    return event.entries.aggregate(last=Max("number"))["last"] or 0


def _checked(event: Event, words: Mapping[str, Any], own: Entry | None) -> dict[str, Any]:
    """Return texts without spaces around them. Refuses what cannot be entered of a player, all at once."""
    words = {key: value.strip() if isinstance(value, str) else value for key, value in words.items()}
    others = event.entries.exclude(pk=own.pk) if own else event.entries.all()
    taken = {name_key(name) for name in others.values_list("name", flat=True)} if "name" in words else ()
    found = [*_violations(words, taken)]
    table = words.get("fixed_table")
    if table and (other := others.filter(fixed_table=table, state__in=ACTIVE).first()):
        text = gettext("Table %(table)s is kept for %(player)s. Choose another one.") % {
            "table": table,
            "player": other.name,
        }
        found.append(Violation("E22", text, "fixed_table"))
    raise_if_any(found)
    return words


def _violations(words: Mapping[str, Any], taken: Collection[str]) -> Iterator[Violation]:
    """Yield what cannot be entered of a player, each about its field. `taken` are names as `name_key` returns them."""
    name = words.get("name", "")
    if "name" in words and not 0 < len(name) <= LONGEST_NAME:
        yield Violation("", gettext("Enter a name of up to %(number)s characters.") % {"number": LONGEST_NAME}, "name")
    elif name and name_key(name) in taken:
        yield Violation(
            "E11", gettext("%(name)s is registered already. Add a surname or a number.") % {"name": name}, "name"
        )
    if len(words.get("club", "").strip()) > LONGEST_CLUB:
        yield Violation("", gettext("Use up to %(number)s characters for the club.") % {"number": LONGEST_CLUB}, "club")
    if len(words.get("note", "").strip()) > LONGEST_NOTE:
        yield Violation("", gettext("Use up to %(number)s characters for the note.") % {"number": LONGEST_NOTE}, "note")
    for key, most in (("army_points", LARGEST_ARMY), ("fixed_table", LAST_TABLE)):
        if (value := words.get(key)) is not None and not 1 <= value <= most:
            yield Violation("", gettext("Enter a number from 1 to %(most)s.") % {"most": most}, key)


# --- Before the start -----------------------------------------------------------------------------------------------


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
    if entry.state != Entry.State.DROPPED:
        _move(Act.WITHDRAW, actor=actor, event=locked, entries=[entry], to=Entry.State.DROPPED)


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
    _check(Act.PLACE, locked, entry)
    if state not in TRANSITIONS[Act.PLACE].after:
        raise refuse("E6", gettext("Choose one of these states."))
    if entry.user and (leads := playing_leader_violation(locked, entry.user)) and state != Entry.State.DROPPED:
        text = gettext("%(person)s leads this event. Register them below as a leader who plays.")
        raise refuse(leads.rule, text % {"person": entry.user})
    if state == Entry.State.WAITING:
        update(entry, registered_at=now)
    _move(Act.PLACE, actor=actor, event=locked, entries=[entry], to=state)


@transaction.atomic
def check_in(*, actor: User, event: Event, entries: Collection[Entry], now: datetime | None = None) -> None:
    """Check registered players in (E6), or during the event let them enter late, and on a later day of it note that
    those who play are there again; others stay as they are.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.RUNNING:
        late = _among(locked, entries, (Entry.State.REGISTERED, Entry.State.CHECKED_IN))
        _move(Act.ENTER_LATE, actor=actor, event=locked, entries=late, to=Entry.State.PLAYING)
        if day := later_day(locked, now or timezone.now()):
            playing = [entry.pk for entry in _among(locked, entries, (Entry.State.PLAYING,))]
            locked.entries.filter(pk__in=playing).update(checked_in_on=day)
    elif not locked.is_over:
        registered = _among(locked, entries, TRANSITIONS[Act.CHECK_IN].before)
        _move(Act.CHECK_IN, actor=actor, event=locked, entries=registered, to=Entry.State.CHECKED_IN)


@transaction.atomic
def undo_check_in(*, actor: User, event: Event, entries: Collection[Entry]) -> int:
    """Make those registered again who are checked in or absent; return how many. Refuses an event that has started, but
    for players who checked in again on a later day.
    """
    pks = [entry.pk for entry in entries]
    there = lock_organized(actor, event).entries.filter(pk__in=pks, state=Entry.State.PLAYING)
    back = there.exclude(checked_in_on=None).update(checked_in_on=None)
    return back + _move_among(Act.UNDO_CHECK_IN, actor, event, entries, Entry.State.REGISTERED)


@transaction.atomic
def mark_absent(*, actor: User, event: Event, entries: Collection[Entry]) -> int:
    """Drop registered players who did not appear (E25); return how many. Refuses an event that has started."""
    return _move_among(Act.MARK_ABSENT, actor, event, entries, Entry.State.DROPPED)


def start_playing(*, actor: User, event: Event, entries: Sequence[Entry]) -> None:
    """Let players who have checked in play when a locked event starts (E34)."""
    _move(Act.START, actor=actor, event=event, entries=entries, to=Entry.State.PLAYING)


def _among(event: Event, entries: Collection[Entry], states: Collection[str]) -> list[Entry]:
    return list(event.entries.filter(pk__in=[entry.pk for entry in entries], state__in=states))


def _move_among(act: Act, actor: User, event: Event, entries: Collection[Entry], to: str) -> int:
    """Move those of the entries that are in a state from which the act leads, and return how many."""
    locked = lock_organized(actor, event)
    moved = _among(locked, entries, TRANSITIONS[act].before)
    _move(act, actor=actor, event=locked, entries=moved, to=to)
    return len(moved)


# --- During the event -----------------------------------------------------------------------------------------------


@transaction.atomic
def enter_late(*, actor: User, entry: Entry) -> None:
    """Let a player who was registered come late and play from the next round on, with an unpaired loss for each round
    missed (E21); before a round has started they take the place next to its bye. Letting them in again changes nothing.
    Refuses an event that does not run, and everybody once the bracket has begun (E38).
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.state != Entry.State.PLAYING:
        _move(Act.ENTER_LATE, actor=actor, event=locked, entries=[entry], to=Entry.State.PLAYING)


@transaction.atomic
def drop(*, actor: User | None, entry: Entry, own: Entry | None = None) -> None:
    """Drop a player, who is paired no more and keeps their results (E25). A game of a Swiss round under way stays open
    until it gets a result; one of the bracket is a bye for the opponent (E41). A draft with the player in it is
    drawn again. Dropping again changes nothing.

    `own` is the entry of the person who asks, who may have no account: players drop out themselves while they are in
    the event. Refuses others than organizers, a player who has left otherwise or does not play yet, and a leader who
    drops their opponent (E2).
    """
    if own and own.pk == entry.pk:
        locked, act = lock_event(entry.event), Act.DROP_OUT
        facts: dict[str, Any] = {"by_player": True}
    else:
        locked, act, facts = lock_organized(actor, entry.event), Act.DROP, {}
        if actor and entry.user_id != actor.pk:
            check_impartial_about(actor, locked, entry, (Role.ORGANIZER,))
    entry.refresh_from_db()
    if entry.state != Entry.State.DROPPED:
        _move(act, actor=actor, event=locked, entries=[entry], to=Entry.State.DROPPED, **facts)


@transaction.atomic
def rejoin(*, actor: User, entry: Entry) -> None:
    """Let a dropped player play again from the next round on, with an unpaired loss for each round missed (E25). Before
    the event has started they are registered again. A player who has not dropped stays as they are.

    A draft is drawn again, because it does not have the player. Refuses an ejected player (E4), one who was cut (E38),
    and rejoining once the bracket has begun or the event is over.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.state in ACTIVE:
        return
    to = Entry.State.PLAYING if locked.state == Event.State.RUNNING else Entry.State.REGISTERED
    _move(Act.REJOIN, actor=actor, event=locked, entries=[entry], to=to)


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
    reason = checked_reason("E4", reason, LONGEST_NOTE)
    update(entry, warnings=entry.warnings + 1)
    log_line(actor, locked, LogKind.WARNED, reason=reason, entry=entry.number)
    return entry.warnings


@transaction.atomic
def eject(*, actor: User, entry: Entry, reason: str) -> None:
    """Eject a player for good; their results stay (E4). In Galactic Conquest each leader may, in the Tournament
    Regulations the head judge and the organizers. Ejecting again changes nothing. Refuses it without a reason, and a
    leader who decides about their own entry or their opponent (E2).
    """
    locked = lock_ejecting(actor, entry.event)
    entry.event = locked
    _check_may_eject(actor, entry)
    reason = checked_reason("E4", reason, LONGEST_NOTE)
    entry.refresh_from_db()
    if entry.state != Entry.State.EJECTED:
        _move(Act.EJECT, actor=actor, event=locked, entries=[entry], to=Entry.State.EJECTED, reason=reason)


def lock_ejecting(actor: User, event: Event) -> Event:
    """Lock an event for those who eject: each leader in Galactic Conquest, in the regulations the head judge and the
    organizers (E4). Refuses anyone else.
    """
    return (lock_led if event.rule_set == RuleSet.GALACTIC_CONQUEST else lock_judged)(actor, event)


def _check_may_eject(actor: User, entry: Entry) -> None:
    conquest = entry.event.rule_set == RuleSet.GALACTIC_CONQUEST
    check_impartial_about(actor, entry.event, entry, Event.roles if conquest else (Role.ORGANIZER, Role.HEAD_JUDGE))


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
        raise refuse("E38", gettext("%(player)s has no place to decline.") % {"player": entry.name})
    if not is_replaceable(locked):
        raise refuse("E41", gettext("The bracket is being played. Drop %(player)s instead.") % {"player": entry.name})
    update(entry, replaceable=False)
    _move(Act.DECLINE, actor=actor, event=locked, entries=[entry], to=Entry.State.CUT)


# --- Undoing, inside the service of undo ----------------------------------------------------------------------------


def undo_start(*, actor: User, event: Event) -> None:
    """Make everybody who plays in a locked event checked in again, before pairings were published."""
    event.round_set.all().delete()
    event.entries.filter(state=Entry.State.PLAYING).update(state=Entry.State.CHECKED_IN)


def return_player(*, act: Act, actor: User, entry: Entry, to: str, reason: str) -> None:
    """Undo with an `act` of `_UNDOING` that a player of a locked event has left. Refuses a leader who decides about
    their own entry or their opponent (E2).
    """
    if act == Act.UNDO_EJECT:
        _check_may_eject(actor, entry)
    elif entry.user_id != actor.pk:
        check_impartial_about(actor, entry.event, entry, (Role.ORGANIZER,))
    update(entry, replaceable=True)
    _move(act, actor=actor, event=entry.event, entries=[entry], to=to, reason=reason, undone=True)


# --- What organizers note, claims, forgetting -----------------------------------------------------------------------


@transaction.atomic
def edit_entry(*, actor: User, entry: Entry, changes: dict[str, Any]) -> None:
    """Change what an organizer may enter of a player (`EDITED`); other keys are ignored. Only what differs is written,
    and the log says which of them but the note, and before the end the trophies. Refuses a name that is taken (E11), a
    table that is fixed for somebody else (E22), and values out of range.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    words = _checked(locked, {key: changes[key] for key in EDITED if key in changes}, entry)
    changed = {key: value for key, value in words.items() if getattr(entry, key) != value}
    if not changed:
        return
    if not set(changed.get("trophies", ())) <= {*entry.trophies, *trophy_names(locked)}:
        raise refuse("", gettext("This event has no such trophy."), "trophies")
    figures: dict[str, Any] = {
        key: [getattr(entry, key), value] for key, value in changed.items() if key in ("army_points", "fixed_table")
    }
    update(entry, **changed)
    public = sorted(set(changed) - {"note", *(() if locked.is_over else ("trophies",))})
    if public:
        log_line(actor, locked, LogKind.ENTRY, entry=entry.number, changed=public, **figures)


@transaction.atomic
def vote(*, entry: Entry, opponent: Entry | None) -> None:
    """Vote for an opponent, who may win a trophy by it, in place of an earlier vote. It stands in no log. Refuses
    anyone whom `opponents_to_vote_for` does not return.
    """
    lock_event(entry.event)
    entry.refresh_from_db()
    if opponent is None or opponent not in opponents_to_vote_for(entry):
        raise refuse("", gettext("Choose one of the opponents whom you met. You can vote after your last round."))
    update(entry, vote=opponent)


@transaction.atomic
def set_paid(*, actor: User, entry: Entry, paid: bool) -> None:
    """Note whether a player has paid. It is for the organizers alone and stands in no log."""
    lock_organized(actor, entry.event)
    update(entry, paid=paid)


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
        raise refuse("E5", gettext("%(player)s has an account already.") % {"player": entry.name})
    if entry.claimant_id:
        raise refuse("E5", gettext("Somebody else has asked for this entry. Talk to an organizer."))
    if locked.entries.filter(user=actor).exists():
        raise refuse("E5", gettext("You have an entry in this event already."))
    if locked.entries.filter(claimant=actor).exists():
        raise refuse("E5", gettext("You have asked for another entry already. Talk to an organizer."))
    update(entry, claimant=actor)


@transaction.atomic
def drop_claim(*, actor: User, entry: Entry) -> None:
    """Withdraw one's own claim to an entry. Without one it changes nothing."""
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
            raise refuse("E5", gettext("%(person)s has withdrawn the request for this entry.") % {"person": claimant})
        return False
    if consent:
        if locked.entries.filter(user=claimant).exists():
            raise refuse("E5", gettext("%(person)s has an entry in this event already.") % {"person": claimant})
        if why := playing_leader_violation(locked, claimant):
            text = gettext("%(person)s leads this event and cannot play in it.") % {"person": claimant}
            raise refuse(why.rule, text)
        entry.user, entry.token = claimant, new_token()
    entry.claimant = None
    entry.save(update_fields=["user", "claimant", "token"])
    log_line(actor, locked, LogKind.ENTRY, entry=entry.number, taken_over=consent)
    return consent


@transaction.atomic
def forget_player(*, actor: User | None, entry: Entry, own: Entry | None = None) -> Entry:
    """Delete who a player is: the name becomes "Player N"; club, note, account, claimant and the pasted text of army
    lists go; results, lists and ticket stay under the number, with a new personal link. `own` is the entry of the
    person who asks, who may have no account. Doing it again changes nothing. Refuses anyone but an organizer and the
    player.
    """
    event = lock_event(entry.event)
    entry.refresh_from_db()
    if entry.name == forgotten_name(entry) and entry.user_id is None:
        return entry
    if not (own and own.pk == entry.pk) and not (actor and is_organizer(actor, event)):
        raise refuse("", gettext("Only an organizer of this event or the player can do this."))
    _forget(entry, paid=False)
    # The line names no account: who asked is the player or an organizer.
    log_line(None, event, LogKind.FORGOTTEN, entry=entry.number)
    return entry


def forget_account(*, user: User, event: Event) -> None:
    """Delete who a player is, because their account is deleted. Before the start they withdraw."""
    locked = lock_event(event)
    entry = locked.entries.get(user=user)
    _forget(entry)
    if locked.state in BEFORE_START and entry.state in ACTIVE:
        _move(Act.FORGET, actor=user, event=locked, entries=[entry], to=Entry.State.DROPPED)


def _forget(entry: Entry, **more: Any) -> None:
    who = {"name": forgotten_name(entry), "club": "", "note": "", "user": None, "claimant": None, "token": new_token()}
    update(entry, **who, **more)
    SubmittedList.objects.filter(entry=entry).update(source_text="", submitted_by=None)
