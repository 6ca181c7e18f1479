"""Changes to teams."""
