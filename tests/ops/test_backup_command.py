"""`manage.py backup` and `manage.py restore`: everything is destroyed, and comes back."""

import json
import shutil
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import psycopg
import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from accounts.models import User
from campaign.models import Campaign
from ops import backup
from ops.paths import VERSION
from tests.campaign.factories import Table, in_play, make_table, planned
from tests.connections import end_all
from tests.registers.conftest import book
from tests.uploads.photos import photo
from uploads.images import drawn
from uploads.services import pictures

__all__ = ["book"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def place(tmp_path, settings) -> Path:
    """Where the pictures lie: nobody else's are replaced."""
    options = settings.STORAGES["uploads"]["OPTIONS"] | {"location": tmp_path / "data" / "uploads"}
    settings.STORAGES = settings.STORAGES | {"uploads": settings.STORAGES["uploads"] | {"OPTIONS": options}}
    return tmp_path / "data" / "uploads"


@pytest.fixture
def house(book, place) -> Iterator[Table]:
    """A campaign with a battle in play, and its picture. No earlier test has left a connection."""
    end_all()
    table = make_table()
    in_play(planned(table))
    pictures.show(actor=table.cora, on=table.campaign, drawn=drawn(photo()), alt="The ridge")
    yield table
    if not Campaign.objects.filter(name="Outer Rim Winter").exists():  # pragma: no cover
        pytest.fail("a test has left the database destroyed")


@pytest.fixture
def kept(house, tmp_path) -> Path:
    """A backup of it."""
    call_command("backup", str(tmp_path / "kept.zip"), stdout=StringIO())
    return tmp_path / "kept.zip"


def shelf() -> Path:
    return Path(storages["uploads"].location)


def everything() -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""
    with connection.cursor() as cursor:
        names = sorted(connection.introspection.table_names(cursor))
        rows = {}
        for name in names:
            cursor.execute(SQL("SELECT t::text FROM {} t ORDER BY 1").format(Identifier(name)))
            rows[name] = cursor.fetchall()
    return rows


def files(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*.jpg")}


def restore(file: Path, *words: str) -> str:
    out = StringIO()
    call_command("restore", str(file), *words, stdout=out)
    return out.getvalue()


def refused(file: Path, *words: str) -> str:
    """What is said; and nothing has changed."""
    before = everything(), files(shelf())
    with pytest.raises(CommandError) as error:
        restore(file, *words)
    assert (everything(), files(shelf())) == before
    assert [path.name for path in shelf().parent.iterdir()] == ["uploads"]
    return str(error.value)


def rewritten(file: Path, **manifest: Any) -> Path:
    """The backup with another manifest."""
    other = file.with_name("rewritten.zip")
    with ZipFile(file) as old, ZipFile(other, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == backup.MANIFEST:
                content = json.dumps(json.loads(content) | manifest).encode()
            new.writestr(name, content)
    return other


def test_a_backup_names_the_version_that_made_it(kept):
    with ZipFile(kept) as archive:
        manifest = json.loads(archive.read(backup.MANIFEST))
    assert (manifest["format"], manifest["version"], manifest["made_by"]) == (
        "musterbook-backup", 1, f"Musterbook {VERSION}",
    )  # fmt: skip


def test_destroyed_and_back(house, kept, place):
    before = everything(), files(place)
    assert (len(before[0]) > 50, len(before[1])) == (True, 3)
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
        cursor.execute("COMMENT ON SCHEMA public IS 'nothing is left'")
    shutil.rmtree(place)
    assert everything() == {}

    text = restore(kept)

    assert text.endswith(f"{kept} is restored. Start Musterbook again.\n")
    assert (everything(), files(place)) == before
    assert oct(place.stat().st_mode & 0o777) == "0o700"
    out = StringIO()
    call_command("verify_registers", stdout=out)
    assert "Registers with problems: 0" in out.getvalue()


def test_what_has_happened_since_goes(house, kept, place, settings):
    before = everything(), files(place)
    User.objects.create(username="newcomer")
    pictures.take_off(on=Campaign.objects.get())
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE of_a_newer_version (number int)")
        cursor.execute("CREATE TYPE of_a_newer_type AS ENUM ('one')")
    assert (everything(), files(place)) != before

    settings.SECRET_KEY = "another"
    killed = place.parent / ".restoring-before" / "uploads"
    killed.mkdir(parents=True)
    assert "SECRET_KEY has changed since the backup" in restore(kept, "--replace")

    assert (everything(), files(place), killed.parent.exists()) == (*before, False)


def test_nothing_is_replaced_under_a_running_site(kept):
    connection.ensure_connection()
    info = connection.connection.info
    with psycopg.connect(make_conninfo(**info.get_parameters(), password=info.password)):
        assert refused(kept, "--replace") == (
            "Nothing was changed. This database is in use (other connections: 1). Stop the site and its "
            "queue worker first, or use --force to restore anyway."
        )
        assert "is restored. Start" in restore(kept, "--replace", "--force")


def test_photos_in_a_bucket_come_back(house, kept, settings):
    """From a directory into a bucket, and from that bucket into itself."""
    before = files(shelf())
    settings.STORAGES = settings.STORAGES | {"uploads": {"BACKEND": "tests.uploads.bucket.Bucket"}}
    bucket = storages["uploads"]

    def objects() -> dict[str, bytes]:
        return {name: bucket.open(name).read() for name in backup.stored_pictures()}

    restore(kept, "--replace")
    assert objects() == before
    again = kept.with_name("again.zip")
    call_command("backup", str(again), stdout=StringIO())
    for name in before:
        bucket.delete(name)
    bucket.save("stray/full.jpg", ContentFile(b"x"))
    restore(again, "--replace")
    assert objects() == before


def test_it_is_of_its_owner_alone_and_replaces_no_file(kept, settings):
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    with ZipFile(kept) as archive:
        assert settings.SECRET_KEY not in archive.read(backup.MANIFEST).decode()
    before = kept.read_bytes()
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(kept))
    assert kept.read_bytes() == before


def test_no_half_a_backup(house, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "HOWEVER_OWNED", ("--nonsense",))
    with pytest.raises(CommandError, match=r"pg_dump failed: .*nonsense"):
        call_command("backup", str(tmp_path / "kept.zip"))
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_backup_of_tables_that_no_release_had_is_refused(house, tmp_path):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaign_campaign RENAME COLUMN name TO title")
    call_command("backup", str(tmp_path / "old.zip"), stdout=StringIO())
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaign_campaign RENAME COLUMN title TO name")
    assert refused(tmp_path / "old.zip", "--replace") == (
        f"Nothing was changed. This backup is from a checkout before 1.0.0, and Musterbook {VERSION} cannot upgrade "
        "it: it lacks campaign_campaign.name. Restore a backup of 1.0.0 or later, or start with an empty database."
    )


def test_what_is_refused(kept, tmp_path, monkeypatch):
    newer = "Nothing was changed. This backup was made by a newer Musterbook. Update Musterbook first."
    content = kept.read_bytes()
    changed = bytearray(content)
    changed[len(content) // 4] ^= 1
    no_backup = f"Nothing was changed. {tmp_path / 'other.zip'} is damaged or is not a Musterbook backup: "
    strange = "Nothing was changed. This is not a Musterbook backup: "

    assert refused(kept).startswith("Nothing was changed. This database already has accounts.")
    assert refused(rewritten(kept, version=2), "--replace") == newer
    later = refused(rewritten(kept, migrations=[["campaign", "9999_later"]]), "--replace")
    assert later.startswith(
        "Nothing was changed. This backup is from a newer Musterbook, or from a checkout before 1.0.0:"
    )
    assert refused(rewritten(kept, format="diary"), "--replace") == strange + "its manifest is missing or wrong."
    for other in (b"Dear diary", content[: len(content) // 2], bytes(changed)):
        (tmp_path / "other.zip").write_bytes(other)
        assert refused(tmp_path / "other.zip", "--replace").startswith(no_backup)
    with ZipFile(kept) as old, ZipFile(tmp_path / "short.zip", "w") as new:
        new.writestr(backup.MANIFEST, old.read(backup.MANIFEST))
        new.writestr(backup.DUMP, old.read(backup.DUMP)[:20_000])
    assert "pg_restore failed: pg_restore: error: could not read" in refused(tmp_path / "short.zip", "--replace")
    with ZipFile(kept) as old, ZipFile(tmp_path / "newer.zip", "w") as new:
        new.writestr(backup.MANIFEST, old.read(backup.MANIFEST))
        dump = bytearray(old.read(backup.DUMP))
        dump[6] += 50  # after "PGDMP": the version of its form, as in 1.15
        new.writestr(backup.DUMP, bytes(dump))
    assert "comes from a newer PostgreSQL than the programs here (" in refused(tmp_path / "newer.zip", "--replace")
    monkeypatch.setattr("ops.backup.EMPTY_IT", "DROP TABLE registers_ledgerentry CASCADE; SELECT 1")
    assert "psql failed: " in refused(kept, "--replace")
    with ZipFile(kept, "a") as archive:
        archive.writestr("../../etc/passwd", "")
    assert refused(kept, "--replace") == strange + "it contains other files."


def test_photos_that_are_not_where_they_should_be(house, tmp_path, place):
    """A DATA_DIR without them: neither is it backed up, nor does that backup remove the photos that are there."""
    photos = files(shelf())
    shutil.move(place, tmp_path / "elsewhere")
    missing = "1 photos of the database are not in the storage of uploads. Check DATA_DIR and UPLOADS_URL"
    with pytest.raises(CommandError, match=missing):
        call_command("backup", str(tmp_path / "kept.zip"), stdout=StringIO())
    assert not (tmp_path / "kept.zip").exists()
    call_command("backup", str(tmp_path / "kept.zip"), incomplete=True, stdout=StringIO())
    shutil.move(tmp_path / "elsewhere", place)
    assert "lacks 1 photos of its database" in refused(tmp_path / "kept.zip", "--replace")
    assert files(shelf()) == photos
