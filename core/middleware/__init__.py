"""Middleware of every request, one concern a module."""
