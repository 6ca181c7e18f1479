"""Write the public log of an event, and check the reasons that it shows."""

from typing import Any

from django.utils.translation import gettext

from accounts.models import User
from rules.core.violations import refuse
from tournaments.models import Event, LogKind, LogLine

LONGEST_REASON = 500


def checked_reason(rule: str, reason: str, longest: int = LONGEST_REASON) -> str:
    """Return the reason for an act without spaces around it. Refuses none, and one above so many letters."""
    reason = reason.strip()
    if not 0 < len(reason) <= longest:
        text = gettext("Give a reason of up to %(number)s letters. Everyone can read it.")
        raise refuse(rule, text % {"number": longest}, "reason")
    return reason


def log_line(actor: User | None, event: Event, kind: LogKind, *, reason: str = "", **facts: Any) -> None:
    """Add a line to the log, in the transaction of the action itself. `facts` are plain JSON values."""
    LogLine.objects.create(event=event, kind=kind, actor=actor, reason=reason, facts=facts)
