"""`manage.py backup`: the whole installation as one file.

It is a zip of the database as `pg_dump` writes it, the photos, wherever they are stored, and a manifest that lists what
belongs to it. The secret key is not in it: whoever finds a backup must not be able to open what is sealed with that key
(`config.sealing`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.core.files.storage import storages
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.encoding import force_bytes

from config.pg_tools import BackupError, Tools, output_of, tools_for

FORMAT, VERSION = "musterbook-backup", 1
MANIFEST, DUMP, PICTURES = "manifest.json", "database.dump", "pictures"
#: The database of whoever restores may have another owner and other roles.
HOWEVER_OWNED = ("--no-owner", "--no-privileges")


def back_up(file: Path) -> int:
    """Write a backup to `file`, which its owner alone may read; returns its bytes. The site may run meanwhile.

    Raises BackupError for a file that is there already, and when the database cannot be copied; then there is none.
    """
    if file.exists():
        raise BackupError(f"{file} is there already: a backup replaces none.")
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        with ZipFile(draft, "w") as archive:
            _fill(archive)
        draft.rename(file)
    except OSError as error:
        raise BackupError(f"The backup cannot be written to {file}: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return file.stat().st_size


def tools() -> Tools:
    """The programs for our database. Raises BackupError where there are none."""
    connection.ensure_connection()
    return tools_for(connection.connection.info)


def key_mark() -> str:
    """What tells one SECRET_KEY from another and says nothing about it."""
    return hashlib.sha256(b"musterbook.backup" + force_bytes(settings.SECRET_KEY)).hexdigest()


def _fill(archive: ZipFile) -> None:
    """The database first: a picture that it speaks of then is there, unless somebody has removed it since."""
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "secret_key": key_mark(),
        "migrations": sorted(map(list, MigrationRecorder(connection).applied_migrations())),
    }
    command = tools().command("pg_dump", "--format=custom", *HOWEVER_OWNED)
    with output_of(command) as dump, archive.open(DUMP, "w", force_zip64=True) as out:
        shutil.copyfileobj(dump, out)
    for name in stored_pictures():
        # Written at once: a photo that is removed while it is read must not leave half of itself.
        try:
            with storages["uploads"].open(name) as file:
                content = file.read()
        except FileNotFoundError:
            continue
        archive.writestr(ZipInfo(f"{PICTURES}/{name}"), content, ZIP_STORED)
    archive.writestr(ZipInfo(MANIFEST), json.dumps(manifest, indent=1), ZIP_DEFLATED)


def stored_pictures() -> Iterator[str]:
    """Yield the names of all photos in the storage of uploads."""
    storage = storages["uploads"]
    with suppress(FileNotFoundError):  # nothing was stored yet
        for stem in sorted(storage.listdir("")[0]):
            with suppress(FileNotFoundError):  # it was removed a moment ago
                yield from sorted(
                    f"{stem}/{name}" for name in storage.listdir(stem)[1] if name.endswith(".jpg")
                )
