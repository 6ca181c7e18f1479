"""The cards: what may be fielded, bought and gained."""
