"""Queries for the pages of a campaign."""
