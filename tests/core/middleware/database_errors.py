"""Errors of a database that is away."""

from __future__ import annotations


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error
