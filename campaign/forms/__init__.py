"""What people type or tap on the pages of the campaign, before the rules see it."""
