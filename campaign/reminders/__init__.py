"""Reminders: before a battle, of what is overdue, and by hand."""
