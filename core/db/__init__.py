"""Helpers for the database."""
