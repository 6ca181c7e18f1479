"""The result of a revision: the ledgers it reaches, replayed from the battle it changes. Nothing here writes.

`plan.py` has the changed entries, sides and battles and the halt, `decisions.py` the choices of the organizer;
`replay.py` replays Registers and battles in their order.
"""
