"""What needs an organizer in a campaign, and reminders with one tap."""
