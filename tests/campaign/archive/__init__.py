"""Campaigns as files."""
