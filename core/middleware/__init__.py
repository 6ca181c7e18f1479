"""Middleware for every request, one concern per module."""
