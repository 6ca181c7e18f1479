"""Two people at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection, transaction

from rules.core.violations import RuleViolation


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act returned, or the RuleViolation it met, all of them started together in threads of their own."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait(timeout=10)
        return _and_close(act)

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def behind(hold: Callable[[], Any], act: Callable[[], Any], meanwhile: Callable[[], Any] = lambda: None) -> Any:
    """What an act returned, or the RuleViolation it met, that had to wait for a lock which `hold` takes.

    Once it waits, `meanwhile` happens with the lock held, and all of that is committed.
    """
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            hold()
            waiting = pool.submit(_and_close, act)
            while not waiting.done() and not _somebody_waits():
                pass
            meanwhile()
        return waiting.result(timeout=20)


def _and_close(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except RuleViolation as refusal:
        return refusal
    finally:
        connection.close()


def _somebody_waits() -> bool:
    """Whether another connection waits for a lock that this one holds."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
        )
        return bool(cursor.fetchone()[0])
