"""What the pages of battles read."""
