"""The use cases that write army lists."""
