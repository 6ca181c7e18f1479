"""Errors of a database that is away."""


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error
