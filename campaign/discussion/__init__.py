"""Announcements of organizers, comments of members, and notices of mentions and reminders."""
