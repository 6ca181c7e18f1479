"""Queries for the pages of battles."""
