"""Models of battles: their sides, table state, dice, and amendments after their sequence has begun."""

from .amendment import Amendment
from .battle import Battle, Side
from .correction import LedgerCorrection
from .dice import DiceSeed, Draw
from .table import CommandHand, Tally

__all__ = ["Amendment", "Battle", "CommandHand", "DiceSeed", "Draw", "LedgerCorrection", "Side", "Tally"]
