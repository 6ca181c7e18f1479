"""Storage for uploaded campaign files until they are imported: one for each person, for a day."""

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple
from uuid import UUID, uuid4

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from campaign.archive.parts.reading import MOST_BYTES
from core.retention import UPLOADED_FILE
from rules.core.violations import refuse
from uploads.handlers import LEAST_FREE, storing

MOST_IN_ALL = 2 << 30  # bytes of all uploads together


def keep_upload(person: User, sent: IO[bytes]) -> UUID:
    """Store an uploaded file in place of the person's last one, and return its key. Of two simultaneous uploads the
    later one is kept. Refuses the file if it cannot be stored, or without enough space for one of the
    largest size.
    """
    folder, key = _folder(), uuid4()
    with storing(_path(person, key).unlink):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = f"{person.pk}-*.zip"
        others = sum(each.size for each in _kept(folder.glob("*.zip")) if not each.path.match(own))
        if others + MOST_BYTES > MOST_IN_ALL or shutil.disk_usage(folder).free < LEAST_FREE + MOST_BYTES:
            raise refuse("", gettext("Too many files are waiting to be imported. Try again tomorrow."), "file")
        with _path(person, key).open("xb") as out:
            shutil.copyfileobj(sent, out)
    for old in _kept(folder.glob(own))[:-1]:
        old.path.unlink(missing_ok=True)
    return key


def path(person: User, key: UUID) -> Path | None:
    """Return the path of the file with this key; None if this person has no such file."""
    found = _path(person, key)
    return found if found.exists() else None


def clear() -> int:
    """Delete uploads older than a day, and return how many."""
    old = [each for each in _kept(_folder().glob("*.zip")) if time.time() - each.at > UPLOADED_FILE.total_seconds()]
    for each in old:
        each.path.unlink(missing_ok=True)
    return len(old)


def _folder() -> Path:
    return Path(settings.ARRIVALS_DIR)


def _path(person: User, key: UUID) -> Path:
    return _folder() / f"{person.pk}-{key}.zip"


class _Kept(NamedTuple):
    at: float
    size: int
    path: Path


def _kept(files: Iterable[Path]) -> list[_Kept]:
    """Return the files, oldest first, without any that were deleted in the meantime."""
    found = []
    for file in files:
        with suppress(FileNotFoundError):
            known = file.stat()
            found.append(_Kept(known.st_mtime, known.st_size, file))
    return sorted(found)
