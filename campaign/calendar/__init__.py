"""Calendars of a campaign and of a person: pages, and feeds for calendar programs."""
