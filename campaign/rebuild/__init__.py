"""What a revision comes to: the ledgers it reaches, walked anew from the battle it changes on. Everything only reads.

`plan.py` names what becomes of entries, sides and battles, and where the walk stops; `decisions.py` what was decided
anew, and what may be left out; `stream.py` walks one Register, `battles.py` the two sides of a battle together, and
`walk.py` all of them in the order in which they fought. `known.py` keeps what was read for it.
"""

from .decisions import choices_of, given, place_of, ways_out
from .plan import Change, Halt, Known, Plan, Reached, SideNow, read
from .replay import plan_of

__all__ = [
    "Change",
    "Halt",
    "Known",
    "Plan",
    "Reached",
    "SideNow",
    "choices_of",
    "given",
    "place_of",
    "plan_of",
    "read",
    "ways_out",
]
