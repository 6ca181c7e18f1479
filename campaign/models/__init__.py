"""Campaigns, their members and Registers, battles with their sides, what happened, and where it is told."""

from .at_table import CommandHand
from .battle import Battle, Side
from .campaign import Campaign, Enlistment, Membership
from .event import Event, Kind
from .webhook import Dispatch, Webhook

__all__ = [
    "Battle",
    "Campaign",
    "CommandHand",
    "Dispatch",
    "Enlistment",
    "Event",
    "Kind",
    "Membership",
    "Side",
    "Webhook",
]
