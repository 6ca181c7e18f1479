"""Options for a Register: what can be added, and why something cannot."""
