"""Where a file lies between being sent and being brought: each person has one at a time, for a day."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from uuid import UUID, uuid4

from django.conf import settings

from accounts.models import User

A_DAY = 24 * 3600  # seconds


def lay(person: User, sent: IO[bytes]) -> UUID:
    """Keep a file that was sent, in place of the one before; returns its key."""
    desk = _desk()
    desk.mkdir(mode=0o700, parents=True, exist_ok=True)
    for old in _of(person):
        old.unlink(missing_ok=True)
    key = uuid4()
    with _path(person, key).open("xb") as out:
        shutil.copyfileobj(sent, out)
    return key


def path(person: User, key: UUID) -> Path | None:
    """Where the file with this key lies; None if this person has none of that key."""
    found = _path(person, key)
    return found if found.exists() else None


def clear() -> int:
    """Throw away what nobody has brought for a day; returns how many."""
    old = [each for each in _desk().glob("*.zip") if time.time() - each.stat().st_mtime > A_DAY]
    for each in old:
        each.unlink(missing_ok=True)
    return len(old)


def _desk() -> Path:
    return Path(settings.ARRIVALS_DIR)


def _path(person: User, key: UUID) -> Path:
    return _desk() / f"{person.pk}-{key}.zip"


def _of(person: User) -> Iterator[Path]:
    return _desk().glob(f"{person.pk}-*.zip")
