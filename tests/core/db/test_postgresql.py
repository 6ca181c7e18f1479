"""The database backend, while the server is away."""

import time

import pytest
from django.db import OperationalError, connection
from django_prometheus.db.backends.postgresql.base import DatabaseWrapper as Measured
from psycopg_pool import PoolTimeout

from core.db.postgresql.base import AT_ONCE, DatabaseWrapper


@pytest.mark.django_db
def test_a_request_waits_for_it_once(monkeypatch):
    """Each further attempt fails at once, and the server is asked again a second later."""
    asked = []

    def away(self, params):
        asked.append(params)
        raise PoolTimeout("couldn't get a connection")

    monkeypatch.setattr(Measured, "get_new_connection", away)
    monkeypatch.setattr(DatabaseWrapper, "failed_at", -AT_ONCE)

    other = connection.copy()
    for _ in range(4):
        with pytest.raises(OperationalError):
            other.ensure_connection()
    assert len(asked) == 1
    monkeypatch.setattr(DatabaseWrapper, "failed_at", time.monotonic() - AT_ONCE)
    with pytest.raises(OperationalError):
        other.ensure_connection()
    assert len(asked) == 2
