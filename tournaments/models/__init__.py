"""Events: the event, its entries and their army lists, its rounds and games, judging, leagues, and its public log."""

from .army_list import SubmittedList
from .entry import Entry, InvitedPlayer
from .event import Admission, Event, Invitation, ListsPublished, Membership, StructureChoice, Tier
from .judging import JudgeCall, TerrainCheck
from .league import League
from .log import LogKind, LogLine
from .round import Game, Round, UnpairedLoss
from .team import Team

__all__ = [
    "Admission", "Entry", "Event", "Game", "Invitation", "InvitedPlayer", "JudgeCall", "League", "ListsPublished",
    "LogKind", "LogLine", "Membership", "Round", "StructureChoice", "SubmittedList", "Team", "TerrainCheck", "Tier",
    "UnpairedLoss",
]  # fmt: skip
