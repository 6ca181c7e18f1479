"""What the pages of army lists read."""
