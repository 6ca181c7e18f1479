"""Forms on the pages of battles."""
