"""The cache that all processes share: a table of PostgreSQL's, in which limits are counted."""

from __future__ import annotations

import base64
import pickle
from datetime import UTC, datetime
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import connection
from django.utils import timezone

#: When what never expires does.
NEVER = datetime.max.replace(microsecond=0, tzinfo=UTC)


class SharedCache(DatabaseCache):
    """Django's, with one statement where that needs four to write: it counts the whole table, looks for the key, and
    holds a savepoint, as it has to where a database knows no upsert. To sign in writes there some fifteen times.

    What has expired goes each night (`forget`) and not at the next write.
    """

    _table: str

    def _base_set(self, mode: str, key: str, value: Any, timeout: float | None = DEFAULT_TIMEOUT) -> bool:
        """Write as Django's: `set` always, `add` where nothing is that still holds, `touch` where something is."""
        until = self.get_backend_timeout(timeout)
        expires = NEVER if until is None else datetime.fromtimestamp(until, UTC).replace(microsecond=0)
        kept = base64.b64encode(pickle.dumps(value, self.pickle_protocol)).decode()
        said: dict[str, Any] = {"key": key, "value": kept, "expires": expires, "now": timezone.now()}
        with connection.cursor() as cursor:
            cursor.execute(self._sql[mode], said)
            return bool(cursor.rowcount)

    @property
    def _sql(self) -> dict[str, str]:
        table = connection.ops.quote_name(self._table)
        insert = (
            f"INSERT INTO {table} (cache_key, value, expires) VALUES (%(key)s, %(value)s, %(expires)s) "  # noqa: S608
            "ON CONFLICT (cache_key) DO UPDATE SET value = EXCLUDED.value, expires = EXCLUDED.expires"
        )
        return {
            "set": insert,
            "add": f"{insert} WHERE {table}.expires < %(now)s",
            "touch": f"UPDATE {table} SET expires = %(expires)s WHERE cache_key = %(key)s",  # noqa: S608
        }

    def forget(self) -> None:
        """Remove what has expired."""
        table = connection.ops.quote_name(self._table)
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [timezone.now()])  # noqa: S608
