"""Points in time as PostgreSQL puts them into JSON."""

import re
from datetime import UTC, datetime


def as_json(at: datetime) -> str:
    """To the microsecond, without zeros at the end."""
    return re.sub(r"(\.\d*[1-9])0+\+", r"\1+", at.astimezone(UTC).isoformat())
