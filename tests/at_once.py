"""Two people at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection

from rules.refusal import Refusal


def at_once(*acts: Callable[[], Any]) -> list[Any]:
    """What each act returned, or the Refusal it met, all of them started together in threads of their own."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait(timeout=10)
        try:
            return act()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
