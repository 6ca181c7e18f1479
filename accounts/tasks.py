"""Nightly jobs of the queue's worker for accounts."""

from django.contrib.sessions.backends.cached_db import SessionStore
from django.db import connection
from procrastinate.contrib.django import app


@app.periodic(cron="7 4 * * *")
@app.task(name="forget_expired", queueing_lock="forget_expired")
def forget_expired(timestamp: int) -> None:
    """Delete expired sessions and cache rows."""
    SessionStore.clear_expired()
    with connection.cursor() as cursor:
        # Django's database cache itself deletes expired rows only when the table is full.
        cursor.execute("DELETE FROM cache WHERE expires < now()")
