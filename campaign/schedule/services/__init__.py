"""Services that change the schedule. Each locks the campaign first."""
