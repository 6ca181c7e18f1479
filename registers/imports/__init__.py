"""Imported lists: read by `formats`, decided by the player, checked by the rules. The page stores everything."""
