"""Uploaded event files until they are imported: one for each person, for a day."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from rules.core.violations import refuse
from tournaments.exchange.reading import MOST_BYTES
from uploads.handlers import LEAST_FREE

A_DAY = 24 * 3600  # seconds
MOST_IN_ALL = 32 * MOST_BYTES


def keep_upload(person: User, text: bytes) -> UUID:
    """Store a file that was read and proved in place of the person's last one, and return its key. Deletes files older
    than a day. Refuses it if too many files are waiting.
    """
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    waiting = 0
    for file in folder.glob("*.event.json"):
        with suppress(FileNotFoundError):
            known = file.stat()
            if file.name.startswith(f"{person.pk}-") or time.time() - known.st_mtime > A_DAY:
                file.unlink(missing_ok=True)
            else:
                waiting += known.st_size
    if waiting + len(text) > MOST_IN_ALL or shutil.disk_usage(folder).free < LEAST_FREE:
        raise refuse("", gettext("Too many files are waiting here. Try again tomorrow."), "file")
    key = uuid4()
    with _path(person, key).open("xb") as out:
        out.write(text)
    return key


def kept_upload(person: User, key: UUID) -> bytes | None:
    """Return the file with this key; None if this person has no such file."""
    try:
        return _path(person, key).read_bytes()
    except FileNotFoundError:
        return None


def _folder() -> Path:
    return Path(settings.ARRIVALS_DIR)


def _path(person: User, key: UUID) -> Path:
    return _folder() / f"{person.pk}-{key}.event.json"
