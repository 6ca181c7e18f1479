"""Queries of the Register pages."""
