"""Write the public log of an event."""

from typing import Any

from accounts.models import User
from tournaments.models import Event, LogKind, LogLine


def log_line(*, actor: User | None, event: Event, kind: LogKind, reason: str = "", **facts: Any) -> None:
    """Add a line to the log, in the transaction of the action itself. `facts` are plain JSON values."""
    LogLine.objects.create(event=event, kind=kind, actor=actor, reason=reason, facts=facts)
