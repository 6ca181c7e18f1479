"""Campaigns, their members and Registers, battles with their sides, what happened, and where it is told."""

from .battle import Battle, Side
from .campaign import Campaign, Enlistment, Membership
from .event import Event, Kind
from .webhook import Dispatch, Webhook

__all__ = ["Battle", "Campaign", "Dispatch", "Enlistment", "Event", "Kind", "Membership", "Side", "Webhook"]
