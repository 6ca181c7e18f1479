"""What the pages of a campaign read."""
