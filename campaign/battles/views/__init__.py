"""The pages of battles."""
