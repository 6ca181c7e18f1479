"""Printable armies."""
