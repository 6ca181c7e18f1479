"""Campaigns: their people, invitations and Registers, battles and sides, what happened, and where it is told."""

from .arcs import ArcTakenIn, ArcVersion, OwnArc
from .at_table import CommandHand, Tally
from .battle import Battle, Side
from .campaign import Campaign, Enlistment, Membership
from .dice import DiceSeed, Draw
from .event import Event, Kind
from .invitation import Admission, Invitation
from .nightly import NightlyFile
from .revision import Revision
from .saga import BattlePicture, PublicLink, Writing
from .webhook import Dispatch, Webhook

__all__ = [
    "Admission",
    "ArcTakenIn",
    "ArcVersion",
    "Battle",
    "BattlePicture",
    "Campaign",
    "CommandHand",
    "DiceSeed",
    "Dispatch",
    "Draw",
    "Enlistment",
    "Event",
    "Invitation",
    "Kind",
    "Membership",
    "NightlyFile",
    "OwnArc",
    "PublicLink",
    "Revision",
    "Side",
    "Tally",
    "Webhook",
    "Writing",
]
