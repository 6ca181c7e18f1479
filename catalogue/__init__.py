"""The cards: in the database, and as the Rulebook that the rules read."""
