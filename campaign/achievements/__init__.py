"""Achievements of Registers, computed from their ledgers, and the bonus for painted armies."""
