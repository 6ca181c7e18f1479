"""Take the next step of an event, as its console offered it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from tournaments.models import Event
from tournaments.queries.console import Step, board_of, next_step
from tournaments.services import events, rounds
from tournaments.services.outer_lock import lock_outside

#: The steps that a button takes; the others lead to a page.
TAKEN = (Step.START, Step.DRAW, Step.START_CLOCK, Step.CLOSE, Step.CUT, Step.FINISH)


@transaction.atomic
def take_step(*, actor: User, event: Event, step: Step, round_number: int, now: datetime, reason: str = "") -> bool:
    """Take a step that the console offered, if it is still due, and return whether it was.

    A second post, and a tab that is older than what others have done, change nothing: the step is due only for the
    round that the button named. `reason` is for a start without all army lists (E9). Refuses anyone who does not
    organize the event, and what the services of the step refuse.
    """
    locked = lock_outside(event)
    due = next_step(board_of(locked).situation)
    if step not in (due.step, *due.others) or due.round != round_number:
        return False
    who: dict[str, Any] = {"actor": actor, "event": locked}
    match step:
        case Step.START:
            events.start(**who, reason=reason)
        case Step.DRAW:
            rounds.draft_round(**who)
        case Step.START_CLOCK:
            rounds.start_clock(**who, now=now)
        case Step.CLOSE:
            rounds.close_round(**who)
        case Step.CUT:
            rounds.make_cut(**who)
        case Step.FINISH:
            events.finish(**who)
        case _:
            return False
    return True
