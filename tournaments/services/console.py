"""The console's next step: whatever is due of an event is done by one button."""

from datetime import datetime
from typing import Any

from accounts.models import User
from tournaments.models import Event
from tournaments.queries.console import Step, board_of, next_step
from tournaments.services.bracket import make_cut
from tournaments.services.clock import start_clock
from tournaments.services.events import finish, start
from tournaments.services.rounds import close_round, draft_round


def take_step(*, actor: User, event: Event, step: Step, round_number: int, now: datetime, reason: str = "") -> bool:
    """Take a step that the console offered, if it is still due, and return whether it was.

    A second post, and a tab that is older than what others have done, change nothing: the step is due only for the
    round that the button named. `reason` is for a start without all army lists (E9). Refuses anyone who does not
    organize the event, and what the services of the step refuse.
    """
    due = next_step(board_of(event).situation)
    if step not in (due.step, *due.others) or due.round != round_number:
        return False
    who: dict[str, Any] = {"actor": actor, "event": event}
    match step:
        case Step.START:
            start(**who, reason=reason)
        case Step.DRAW:
            draft_round(**who, number=round_number)
        case Step.START_CLOCK:
            start_clock(**who, now=now, number=round_number)
        case Step.CLOSE:
            close_round(**who, number=round_number)
        case Step.CUT:
            make_cut(**who)
        case Step.SMALLER_CUT | Step.CUT_WITH_BYES:
            make_cut(**who, with_byes=step == Step.CUT_WITH_BYES)
        case Step.FINISH:
            finish(**who)
        case _:
            return False
    return True
