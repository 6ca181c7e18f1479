"""Events: the event itself, its entries, its rounds and games, and its public log."""

from .entry import Entry
from .event import Admission, Event, Invitation, Membership
from .log import LogKind, LogLine
from .round import Game, Round, UnpairedLoss

__all__ = [
    "Admission", "Entry", "Event", "Game", "Invitation", "LogKind", "LogLine", "Membership", "Round", "UnpairedLoss",
]  # fmt: skip
