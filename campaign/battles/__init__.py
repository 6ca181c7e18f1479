"""Battles: planning, armies, the table, reports, the Post-Battle Sequence, amendments."""
