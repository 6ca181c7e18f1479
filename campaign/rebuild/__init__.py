"""What a revision comes to: the ledgers it reaches, walked anew from the battle it changes on. Everything only reads.

`plan.py` names what becomes of entries, sides and battles, and where the walk stops, `decisions.py` what was decided
anew and what may be left out; `replay.py` walks Registers and battles in the order in which they fought.
"""
