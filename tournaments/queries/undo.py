"""What can be undone in an event, and until when (E4, E24–E26, E28, E31, E38, E41)."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from rules.core.values import KeywordValue
from rules.core.violations import Violation
from rules.tournaments.bracket import decided_by
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Round, StructureChoice
from tournaments.models.entry import PLACED
from tournaments.models.event import BEFORE_START
from tournaments.queries.console import Board
from tournaments.queries.entries import places_free
from tournaments.queries.history import result_of
from tournaments.queries.rounds import draft_version, has_bracket_begun, has_results, is_replaceable


class Undoable(StrEnum):
    """An act that can be undone. The comment says what its number is."""

    START = "start"  # 0
    CANCEL = "cancel"  # 0
    FINISH = "finish"  # 0
    PUBLISH = "publish"  # of the round
    CLOCK = "clock"  # of the round
    CLOSE = "close"  # of the round
    CUT = "cut"  # of the first round of the bracket
    RESULT = "result"  # the primary key of the game
    DROP = "drop"  # of the player, as for the next two
    DECLINE = "decline"
    EJECT = "eject"


class Target(KeywordValue):
    """An act that was done and is not undone yet.

    `violation` says why it can no longer be undone. `token` changes when the act is done again, or when what it would
    take along has changed. `subject` is the round, game or entry that it is about, None for the event. `after` is the
    state of the event or of the player once it is undone.
    """

    act: Undoable
    event: Event
    token: str
    violation: Violation | None = None
    subject: Any = None
    after: str = ""


def may_undo(role: EventRole, event: Event, act: Undoable) -> bool:
    """Return whether somebody may undo acts of this kind: organizers all of them, other leaders results and, where they
    decide about it, ejections (E4).
    """
    if role.is_organizer or act == Undoable.RESULT:
        return role.is_leader
    conquest = event.rule_set == RuleSet.GALACTIC_CONQUEST
    return act == Undoable.EJECT and (role.is_leader if conquest else role.is_head_judge)


def last_acts(board: Board) -> list[tuple[Undoable, int]]:
    """Return what can be undone of the event and of its last round now, with its number, the last act first."""
    event, last = board.event, board.last
    match event.state:
        case Event.State.CANCELLED:
            return [(Undoable.CANCEL, 0)]
        case Event.State.FINISHED:
            return [(Undoable.FINISH, 0)]
        case Event.State.RUNNING:
            if last is None or (last.number == 1 and last.state == Round.State.DRAFT):
                return [(Undoable.START, 0)] if event.frozen_players is None else []
            return list(_last_acts_of_rounds(board, last))
    return []


def _last_acts_of_rounds(board: Board, last: Round) -> list[tuple[Undoable, int]]:
    opens_bracket = last.stage == Round.Stage.BRACKET and last.number > 1 and board.rounds[-2].stage != last.stage
    if last.state == Round.State.CLOSED:
        return [(Undoable.CLOSE, last.number)]
    if last.state == Round.State.DRAFT:
        return [(Undoable.CUT, last.number) if opens_bracket else (Undoable.CLOSE, last.number - 1)]
    if has_results(board.games):
        return []
    if last.started_at:
        return [(Undoable.CLOCK, last.number)]
    return [(Undoable.PUBLISH, last.number), *([(Undoable.CUT, last.number)] if opens_bracket else [])]


def find_target(event: Event, act: Undoable, number: int) -> Target | None:
    """Return the act with this number; None if it was not done, or is undone already."""
    return _FINDERS[act](event, number)


# --- The event ------------------------------------------------------------------------------------------------------


def _start(event: Event, number: int) -> Target | None:
    if event.state != Event.State.RUNNING:
        return None
    violation = None
    if event.frozen_players is not None or event.round_set.exclude(state=Round.State.DRAFT).exists():
        violation = Violation("E34", gettext("Pairings were published. The start stands."))
    return _of_state(Undoable.START, event, violation)


def _cancel(event: Event, number: int) -> Target | None:
    return _of_state(Undoable.CANCEL, event) if event.state == Event.State.CANCELLED else None


def _finish(event: Event, number: int) -> Target | None:
    if event.state != Event.State.FINISHED:
        return None
    violation = None
    finished = _last_line(event, LogKind.STATE, after=event.state)
    if finished and event.log.filter(kind=LogKind.IMPORTED, pk__gt=finished.pk).exists():
        violation = Violation("E23", gettext("This event was imported. It stays as its file says."))
    return _of_state(Undoable.FINISH, event, violation)


def _of_state(act: Undoable, event: Event, violation: Violation | None = None) -> Target:
    line = _last_line(event, LogKind.STATE, after=event.state)
    before = str(line.facts.get("before", "")) if line else ""
    after = before if before in Event.State.values and before != event.state else Event.State.RUNNING
    return Target(act=act, event=event, token=_token(line, _last_round(event)), violation=violation, after=after)


# --- Rounds ---------------------------------------------------------------------------------------------------------


def _publish(event: Event, number: int) -> Target | None:
    found = _round(event, number)
    if found is None or found.state == Round.State.DRAFT:
        return None
    violation = None
    if found.started_at or has_results(found.games.all()):
        violation = Violation("E24", gettext("The round has started. Its pairings stand."))
    return _of_round(Undoable.PUBLISH, found, violation)


def _clock(event: Event, number: int) -> Target | None:
    found = _round(event, number)
    if found is None or found.started_at is None:
        return None
    violation = None
    if has_results(found.games.all()):
        violation = Violation("E26", gettext("The round has a result. Its clock runs on."))
    return _of_round(Undoable.CLOCK, found, violation, str(found.started_at))


def _close(event: Event, number: int) -> Target | None:
    found = _round(event, number)
    if found is None or found.state != Round.State.CLOSED:
        return None
    violation, following = None, _round(event, number + 1)
    if event.is_over:
        violation = Violation("", gettext("This event is over. Undo that first, or correct the result."))
    elif following and following.state != Round.State.DRAFT:
        text = gettext("The next round is published, so this one stays closed. Correct the result instead.")
        violation = Violation("E31", text)
    elif following and following.stage != found.stage:
        violation = Violation("E38", gettext("The cut is made. Undo the cut first."))
    return _of_round(Undoable.CLOSE, found, violation)


def _cut(event: Event, number: int) -> Target | None:
    found = event.round_set.filter(stage=Round.Stage.BRACKET).order_by("number").first()
    if found is None or found.number != number or event.structure == StructureChoice.ELIMINATION:
        return None
    violation = None if is_replaceable(event) else _is_played()
    found.event = event
    return _of_round(Undoable.CUT, found, violation)


def _of_round(act: Undoable, found: Round, violation: Violation | None, done_at: str = "") -> Target:
    event = found.event
    kind = {Undoable.CLOSE: LogKind.CLOSED, Undoable.CUT: LogKind.CUT}.get(act, LogKind.PUBLISHED)
    about = {} if act == Undoable.CUT else {"round": found.number}
    token = _token(_last_line(event, kind, **about), _last_round(event))
    return Target(act=act, event=event, token=token + done_at, violation=violation, subject=found)


# --- Results and players --------------------------------------------------------------------------------------------


def _result(event: Event, number: int) -> Target | None:
    names = ("round", "first", "second", "winner", "by", "blue", "roll")
    game = Game.objects.filter(pk=number, round__event=event).exclude(second=None).select_related(*names).first()
    if game is None or game.state == Game.State.OPEN:
        return None
    game.round.event, violation = event, None
    if event.is_over or game.round.state != Round.State.PUBLISHED:
        text = gettext("The round is closed. Undo closing it first, or correct the result.")
        violation = Violation("E31", text)
    return Target(act=Undoable.RESULT, event=event, token=str(game.version), violation=violation, subject=game)


def _drop(event: Event, number: int) -> Target | None:
    if (entry := event.entries.filter(number=number, state=Entry.State.DROPPED).first()) is None:
        return None
    violation = None
    if event.state != Event.State.RUNNING:
        violation = Violation("", gettext("This event is not running."))
    elif not has_bracket_begun(event):
        text = gettext("Let %(player)s rejoin on the console.") % {"player": entry.name}
        violation = Violation("E25", text)
    else:
        violation = return_violation(event, entry)
    return _of_entry(Undoable.DROP, event, entry, violation, Entry.State.PLAYING)


def _decline(event: Event, number: int) -> Target | None:
    entry = event.entries.filter(number=number, state=Entry.State.CUT, replaceable=False).first()
    if entry is None:
        return None
    violation = None if is_replaceable(event) else _is_played()
    return _of_entry(Undoable.DECLINE, event, entry, violation, Entry.State.PLAYING)


def _eject(event: Event, number: int) -> Target | None:
    if (entry := event.entries.filter(number=number, state=Entry.State.EJECTED).first()) is None:
        return None
    line = _last_line(event, LogKind.ENTRY, entry=number, after=Entry.State.EJECTED)
    before = str(line.facts.get("before", "")) if line else ""
    after = before if before in Entry.State.values and before != Entry.State.EJECTED else Entry.State.DROPPED
    if after == Entry.State.PLAYING and not _plays_on(event, entry):
        after = Entry.State.DROPPED
    elif after in PLACED and event.state in BEFORE_START and places_free(event) == 0:
        after = Entry.State.WAITING
    return _of_entry(Undoable.EJECT, event, entry, None, after)


def _plays_on(event: Event, entry: Entry) -> bool:
    """Whether a player can take part as before: one who has missed rounds of an event that is over cannot, nor one
    without whom the bracket is played.
    """
    if event.is_over:
        return not _missed(event, entry, Round.Stage.SWISS)
    return not has_bracket_begun(event) or return_violation(event, entry) is None


def _of_entry(act: Undoable, event: Event, entry: Entry, violation: Violation | None, after: str) -> Target:
    entry.event = event
    token = _token(_last_line(event, LogKind.ENTRY, entry=entry.number), _last_round(event)) + after
    return Target(act=act, event=event, token=token, violation=violation, subject=entry, after=after)


def return_violation(event: Event, entry: Entry) -> Violation | None:
    """Return why a player who has left cannot play on in the bracket: it is played without them (E38, E41)."""
    places = {"player": entry.name}
    if is_replaceable(event):
        if not _missed(event, entry, Round.Stage.SWISS):
            return None
        return Violation("E38", gettext("%(player)s missed a round before the bracket and cannot join it.") % places)
    rounds = event.round_set.filter(stage=Round.Stage.BRACKET).exclude(state=Round.State.DRAFT).order_by("number")
    last = rounds.last()
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__in=rounds)
    game = games.select_related("round", "first", "second").order_by("round__number").last()
    if game is None or last is None:
        return Violation("E38", gettext("The bracket is played without %(player)s.") % places)
    if is_given_up(event, game, entry):
        if game.round_id == last.pk and last.state == Round.State.CLOSED:
            return Violation("E41", gettext("The last round is closed. Undo closing it first."))
    elif _winner(game) != entry.key:
        return None  # out of the bracket, whoever has left
    if game.round_id == last.pk:
        return None
    return Violation("E41", gettext("The last round is published without %(player)s.") % places)


def is_given_up(event: Event, game: Game, entry: Entry) -> bool:
    """Return whether a game of the bracket was given to the opponent because a player has left, and nobody has changed
    it since (E41).
    """
    facts = {"round": game.round.number, "game": game.place, "left": entry.number, "version": game.version}
    return event.log.filter(kind=LogKind.DECIDED, facts__contains=facts).exists()


def _missed(event: Event, entry: Entry, stage: str) -> bool:
    rounds = event.round_set.filter(stage=stage).exclude(state=Round.State.DRAFT).exclude(unpaired_losses__entry=entry)
    return bool(rounds.exclude(games__first=entry).exclude(games__second=entry).exists())


def _winner(game: Game) -> str:
    if game.first is None or game.second is None:
        return game.first.key if game.first else ""
    pair = (game.first.key, game.second.key)
    return decided_by(pair, result_of(game)) if game.state == Game.State.CONFIRMED else ""


# --- Parts ----------------------------------------------------------------------------------------------------------


def _is_played() -> Violation:
    return Violation("E41", gettext("The bracket is being played. Its seeds stand."))


def _round(event: Event, number: int) -> Round | None:
    if found := event.round_set.filter(number=number).first():
        found.event = event
    return found


def _last_round(event: Event) -> Round | None:
    return event.round_set.order_by("number").last()


def _last_line(event: Event, kind: LogKind, **facts: Any) -> LogLine | None:
    return event.log.filter(kind=kind, facts__contains=facts).order_by("-pk").first()


def _token(line: LogLine | None, last: Round | None) -> str:
    """Return a token of the act's line in the log and of the last round, whose draft an undo may take along."""
    return f"{line.pk if line else 0}-{draft_version(last.games.all()) if last else ''}"


_FINDERS: Mapping[Undoable, Callable[[Event, int], Target | None]] = {
    Undoable.START: _start, Undoable.CANCEL: _cancel, Undoable.FINISH: _finish, Undoable.PUBLISH: _publish,
    Undoable.CLOCK: _clock, Undoable.CLOSE: _close, Undoable.CUT: _cut, Undoable.RESULT: _result,
    Undoable.DROP: _drop, Undoable.DECLINE: _decline, Undoable.EJECT: _eject,
}  # fmt: skip
