"""Random campaigns, played by the rules alone."""
