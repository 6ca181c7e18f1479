"""Storage for uploaded files until they are imported: one of each kind for each person, for a day."""

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple
from uuid import UUID, uuid4

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext

from core.retention import UPLOADED_FILE
from rules.core.values import Value
from rules.core.violations import refuse
from uploads.handlers import LEAST_FREE
from uploads.storage import refusing_failures

MOST_IN_ALL = 2 << 30  # bytes of all uploads of a kind together


class _Kept(NamedTuple):
    at: float
    size: int
    path: Path


class WaitingFiles(Value):
    """The files of a kind, by the ending of their names, and the most bytes of one."""

    ending: str
    most_bytes: int

    def keep(self, person: AbstractBaseUser, sent: IO[bytes]) -> UUID:
        """Store an uploaded file in place of the person's last one, and return its key. Of two simultaneous uploads the
        later one is kept. Refuses the file if it cannot be stored, or without enough space for one of the
        largest size.
        """
        folder, key = _folder(), uuid4()
        with refusing_failures(self._path(person, key).unlink):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            own = f"{person.pk}-*.{self.ending}"
            others = sum(each.size for each in self._kept() if not each.path.match(own))
            if others + self.most_bytes > MOST_IN_ALL or shutil.disk_usage(folder).free < LEAST_FREE + self.most_bytes:
                raise refuse("", gettext("Too many files are waiting to be imported. Try again tomorrow."), "file")
            with self._path(person, key).open("xb") as out:
                shutil.copyfileobj(sent, out)
        for old in _by_age(folder.glob(own))[:-1]:
            old.path.unlink(missing_ok=True)
        return key

    def path(self, person: AbstractBaseUser, key: UUID) -> Path | None:
        """Return the path of the file with this key; None if this person has no such file."""
        found = self._path(person, key)
        return found if found.exists() else None

    def clear(self) -> int:
        """Delete uploads older than a day, and return how many."""
        old = [each for each in self._kept() if time.time() - each.at > UPLOADED_FILE.total_seconds()]
        for each in old:
            each.path.unlink(missing_ok=True)
        return len(old)

    def _path(self, person: AbstractBaseUser, key: UUID) -> Path:
        return _folder() / f"{person.pk}-{key}.{self.ending}"

    def _kept(self) -> list[_Kept]:
        return _by_age(_folder().glob(f"*.{self.ending}"))


def _folder() -> Path:
    return Path(settings.ARRIVALS_DIR)


def _by_age(files: Iterable[Path]) -> list[_Kept]:
    """Return the files, oldest first, without any that were deleted in the meantime."""
    found = []
    for file in files:
        with suppress(FileNotFoundError):
            known = file.stat()
            found.append(_Kept(known.st_mtime, known.st_size, file))
    return sorted(found)
