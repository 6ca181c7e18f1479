"""Reading the log of the site as a collector does."""

from __future__ import annotations

import json
import logging
from io import StringIO
from typing import Any

import structlog

from config import settings
from core.middleware import database_down
from ops.monitoring.error_reports import Discreet

#: What no test can foretell.
CHANCE = ("timestamp", "ms", "database_ms", "request_id")


class Log:
    """All that is logged while it is open, each line by the formatter and filters of the site."""

    def __init__(self, level: int = logging.INFO) -> None:
        self.written, self.level, self.root = StringIO(), level, logging.getLogger()
        self.handler = logging.StreamHandler(self.written)
        self.handler.setFormatter(
            structlog.stdlib.ProcessorFormatter(
                processor=structlog.processors.JSONRenderer(), foreign_pre_chain=settings._processors
            )
        )
        for each in (database_down.once_per_minute, Discreet()):
            self.handler.addFilter(each)

    def __enter__(self) -> Log:
        self.before = self.root.level
        self.root.addHandler(self.handler)
        self.root.setLevel(self.level)
        return self

    def __exit__(self, *_: object) -> None:
        self.root.removeHandler(self.handler)
        self.root.setLevel(self.before)

    @property
    def text(self) -> str:
        return self.written.getvalue()

    @property
    def whole(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Without what is chance."""
        return [{key: value for key, value in line.items() if key not in CHANCE} for line in self.whole]
