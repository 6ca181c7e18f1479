"""Forms of the pages of Registers."""
