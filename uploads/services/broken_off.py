"""What a request that was never read to its end has left behind."""

from __future__ import annotations

import time
from pathlib import Path

from django.conf import settings

from .pictures import IN_HAND


def throw_away() -> int:
    """Delete what workers that were killed had received so far. Returns how many files; younger ones are left alone."""
    if settings.FILE_UPLOAD_TEMP_DIR is None:
        return 0
    since = time.time() - IN_HAND.total_seconds()
    received = Path(settings.FILE_UPLOAD_TEMP_DIR).glob("tmp*.upload*")  # as Django calls them
    old = [path for path in received if path.stat().st_mtime < since]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
