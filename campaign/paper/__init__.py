"""Battles on paper."""
