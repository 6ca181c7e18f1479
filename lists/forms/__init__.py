"""Forms of army lists."""
