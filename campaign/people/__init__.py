"""The people of a campaign: players without an account, joining, leaving, and merging two accounts."""
