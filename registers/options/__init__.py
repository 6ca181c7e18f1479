"""What can be added to a Register, and why something cannot."""
