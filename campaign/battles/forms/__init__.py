"""Forms of the pages of battles."""
