"""Pages of army lists."""
