"""Connections to the test database."""

from django.db import connection


def end_all() -> None:
    """End them all, from outside: what the pool lends may have died with an earlier test."""
    name = connection.settings_dict["NAME"]
    connection.close()
    connection.close_pool()
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
