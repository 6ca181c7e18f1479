"""Armies, Battle Decks, Command Hands and reports."""
