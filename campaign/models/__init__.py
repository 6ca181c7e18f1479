"""Campaigns, their members and Registers, battles with their sides, and what happened."""

from .battle import Battle, Side
from .campaign import Campaign, Enlistment, Membership
from .event import Event, Kind

__all__ = ["Battle", "Campaign", "Enlistment", "Event", "Kind", "Membership", "Side"]
