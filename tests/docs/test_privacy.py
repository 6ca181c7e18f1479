"""docs/privacy.md says how long things are kept, as the table in the code does."""

import re
from datetime import timedelta

from core.retention import RETENTION
from ops.paths import BASE_DIR

ROW = re.compile(r"^\| (?!What \||---)([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def in_words(time: timedelta) -> str:
    number, unit = (time.days, "day") if time.days else (time.seconds // 3600, "hour")
    return f"{number} {unit}{'s' * (number > 1)}"


def test_the_docs_have_the_times_of_the_code():
    text = (BASE_DIR / "docs/privacy.md").read_text(encoding="utf-8")
    assert ROW.findall(text) == [(what, in_words(time)) for what, time in RETENTION.items()]
