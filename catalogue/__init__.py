"""The cards: their database tables, and the Rulebook that the rules read."""
