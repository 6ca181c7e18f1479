"""docs/privacy.md says how long things are kept, as the code does."""

import re
from datetime import timedelta

from core import retention
from ops.paths import BASE_DIR

#: What the rows of the table are about, with the times.
TIMES = {
    "Drafts that nobody changes, until their deletion is offered": retention.DRAFT_UNTOUCHED,
    "Deleted campaigns": retention.IN_BIN,
    "Demos of visitors": retention.DEMO,
    "Uploaded files that were not imported": retention.UPLOADED_FILE,
    "Pictures that nothing shows": retention.UNUSED_PICTURE,
    "Notifications that were sent": retention.NOTIFICATION,
    "Push messages for a device that is off": retention.PUSH_MESSAGE,
    "Background jobs that have finished": retention.FINISHED_JOB,
}
ROW = re.compile(r"^\| (?!What \||---)([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def in_words(time: timedelta) -> str:
    number, unit = (time.days, "day") if time.days else (time.seconds // 3600, "hour")
    return f"{number} {unit}{'s' * (number > 1)}"


def test_the_docs_have_the_times_of_the_code():
    text = (BASE_DIR / "docs/privacy.md").read_text(encoding="utf-8")
    assert ROW.findall(text) == [(what, in_words(time)) for what, time in TIMES.items()]
