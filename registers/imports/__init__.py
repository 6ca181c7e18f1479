"""Importing lists: read by `formats`, decided by their player, judged by the rules. The page carries all of it."""
