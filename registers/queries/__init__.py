"""What the pages of Registers read."""
