"""Campaigns, their battles, and the Post-Battle Sequence."""
