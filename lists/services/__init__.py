"""Use cases that write army lists."""
