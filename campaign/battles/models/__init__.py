"""Battles with their sides, what lies on the table, their dice, and amendments of battles that are over."""

from .amendment import Amendment
from .battle import Battle, Side
from .dice import DiceSeed, Draw
from .table import CommandHand, Tally

__all__ = ["Amendment", "Battle", "CommandHand", "DiceSeed", "Draw", "Side", "Tally"]
