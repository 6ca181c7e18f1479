"""Taking in lists that players already have: read by `formats`, decided by their player, judged by the rules.

Nothing is stored between one look and the next: the page carries the list itself and what its player has said.
"""
