"""Imported lists: read by `lists.formats`, decided by the player, checked by the rules. The page stores everything."""
