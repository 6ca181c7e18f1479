"""The schedule: phases, rounds with their pairings, and who can play."""
