"""Undo what was done in an event: one service for every act that `tournaments.queries.undo` finds.

An undo has a reason, which stands in the public log. The act that is undone stays in the log, too.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from rules.core.violations import RuleViolation, refuse
from tournaments.models import Event
from tournaments.queries.undo import Target, Undoable, find_target
from tournaments.services.bracket import undo_cut
from tournaments.services.clock import reset_clock
from tournaments.services.entries import Act, lock_ejecting, return_player, undo_start
from tournaments.services.events import set_state
from tournaments.services.locks import lock_led, lock_organized
from tournaments.services.log import checked_reason
from tournaments.services.results import undo_result
from tournaments.services.rounds import reopen_round, withdraw_pairings


@transaction.atomic
def undo(*, actor: User, event: Event, act: Undoable, number: int, reason: str, token: str = "") -> bool:
    """Undo an act, and return whether it was there to be undone: a second post finds it undone already.

    `number` is that of the round or of the player, or the primary key of the game, as `Undoable` says. `token` is the
    `Target.token` that the page showed. Refuses an undo without a reason; an act that was done again, or whose draft
    was changed, since the page was shown; and what `find_target` says has gone too far. Organizers undo everything,
    other leaders results and, in Galactic Conquest, ejections, which the head judge undoes in the regulations (E4).
    """
    locked = _lock(actor, event, act)
    if (target := find_target(locked, act, number)) is None:
        return False
    reason = checked_reason("", reason)
    if token and token != target.token:
        raise refuse("", gettext("This was changed a moment ago. Look at the page again, then undo."))
    if target.violation:
        raise RuleViolation([target.violation])
    _UNDO[act](actor, target, reason)
    return True


def _lock(actor: User, event: Event, act: Undoable) -> Event:
    if act == Undoable.RESULT:
        return lock_led(actor, event)
    if act == Undoable.EJECT:
        return lock_ejecting(actor, event)
    return lock_organized(actor, event)


def _undo_start(actor: User, target: Target, reason: str) -> None:
    undo_start(actor=actor, event=target.event)
    _undo_state(actor, target, reason)


def _undo_state(actor: User, target: Target, reason: str) -> None:
    set_state(actor, target.event, target.after, reason, undone=True)


def _of_subject(do: Callable[[User, Any, str], None]) -> Callable[[User, Target, str], None]:
    return lambda actor, target, reason: do(actor, target.subject, reason)


def _returning(act: Act) -> Callable[[User, Target, str], None]:
    def do(actor: User, target: Target, reason: str) -> None:
        return_player(act=act, actor=actor, entry=target.subject, to=target.after, reason=reason)

    return do


_UNDO: Mapping[Undoable, Callable[[User, Target, str], None]] = {
    Undoable.START: _undo_start,
    Undoable.CANCEL: _undo_state,
    Undoable.FINISH: _undo_state,
    Undoable.PUBLISH: _of_subject(withdraw_pairings),
    Undoable.CLOCK: _of_subject(reset_clock),
    Undoable.CLOSE: _of_subject(reopen_round),
    Undoable.CUT: _of_subject(undo_cut),
    Undoable.RESULT: _of_subject(undo_result),
    Undoable.DROP: _returning(Act.UNDO_DROP),
    Undoable.DECLINE: _returning(Act.UNDO_DECLINE),
    Undoable.EJECT: _returning(Act.UNDO_EJECT),
}
