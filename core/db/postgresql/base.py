"""PostgreSQL with metrics. While the server is away, a request waits for it once.

The session, the cache and the error page each ask for a connection, and each would wait for the pool's timeout.
"""

import time
from typing import Any

import psycopg
from django_prometheus.db.backends.postgresql.base import DatabaseWrapper as Measured

#: Seconds after a failed attempt in which others of this process fail at once.
AT_ONCE = 1.0


class DatabaseWrapper(Measured):  # type: ignore[misc]
    """A connection, or an error at once if another attempt has just failed."""

    failed_at = -AT_ONCE

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection. Raises psycopg.OperationalError."""
        if time.monotonic() - DatabaseWrapper.failed_at < AT_ONCE:
            raise psycopg.OperationalError("The database did not answer a moment ago.")
        try:
            return super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            DatabaseWrapper.failed_at = time.monotonic()
            raise
