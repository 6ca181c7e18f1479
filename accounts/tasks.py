"""What the worker of the queue does each night for those who sign in."""

from __future__ import annotations

from django.core.cache import cache
from procrastinate.contrib.django import app

from accounts.sessions import SessionStore


@app.periodic(cron="7 4 * * *")
@app.task(name="forget_expired", queueing_lock="forget_expired")
def forget_expired(timestamp: int) -> None:
    """Forget sessions that are over, and what was counted for limits that count no more."""
    SessionStore.clear_expired()
    cache.forget()
