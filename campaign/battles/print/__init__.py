"""Armies on paper."""
