"""What a revision comes to: the ledgers it reaches, walked anew from the battle it changes on. Everything only reads.

`plan.py` names what becomes of entries, sides and battles, and where the walk stops; `decisions.py` what was decided
anew; `stream.py` walks one Register, `battles.py` the two sides of a battle together, and `walk.py` all of them in the
order in which they fought.
"""

from .decisions import given
from .plan import Change, Halt, Plan, Reached, SideNow
from .walk import plan_of

__all__ = ["Change", "Halt", "Plan", "Reached", "SideNow", "given", "plan_of"]
