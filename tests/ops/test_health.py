"""What a monitor is told."""

from types import SimpleNamespace

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import RequestFactory, override_settings

from ops import database_version, health
from ops.paths import VERSION

READY, LIVES = "/readyz", "/healthz"
ALIVE = f"ok, Musterbook {VERSION}\n"


def asked(client, path: str) -> tuple[int, str, str]:
    answer = client.get(path, headers={"host": "10.0.0.7"})
    return answer.status_code, answer.text, answer.headers["Cache-Control"]


@pytest.mark.parametrize(("path", "text"), [(READY, "ok\n"), (LIVES, ALIVE)])
def test_all_is_well_whatever_name_is_asked_and_without_tls(db, client, path, text):
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert asked(client, path) == (200, text, "no-store")


def test_who_lives_need_not_be_ready(db, client, monkeypatch):
    def gone() -> None:
        raise OperationalError

    with monkeypatch.context() as patched:
        patched.setattr(health.connection, "cursor", gone)
        sentences = [asked(client, path)[:2] for path in (LIVES, READY)]
    assert sentences == [(200, ALIVE), (503, "The database does not answer.\n")]


def test_old_tables_are_waited_for_and_not_asked_about_again(db, monkeypatch, django_assert_num_queries):
    asked_for = RequestFactory().get(READY)
    watch = health.Health(lambda request: None)
    with monkeypatch.context() as patched:
        patched.setattr(health.database_version, "trouble", lambda: database_version.OLDER)
        old = watch(asked_for)
    assert (old.status_code, old.text) == (503, f"{database_version.OLDER}\n")
    assert watch(asked_for).status_code == 200
    with django_assert_num_queries(1):
        assert watch(asked_for).status_code == 200


@pytest.mark.parametrize(("free", "status", "expected"), [(0, 200, "ok\n"), (-1, 503, "The disk is full.\n")])
def test_a_disk_that_is_nearly_full_is_no_place_for_players(db, client, monkeypatch, free, status, expected):
    monkeypatch.setattr(health.shutil, "disk_usage", lambda place: SimpleNamespace(free=health.LEAST_FREE + free))
    assert asked(client, READY)[:2] == (status, expected)
    assert asked(client, LIVES)[:2] == (200, ALIVE)


def test_older_tables_that_are_restored_beneath_a_running_site_are_noticed(db, monkeypatch):
    asked_for = RequestFactory().get(READY)
    watch = health.Health(lambda request: None)
    assert watch(asked_for).status_code == 200
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'campaign'")
    assert watch(asked_for).text == f"{database_version.OLDER}\n"


def test_tables_that_a_newer_version_has_migrated_beneath_a_running_site_are_noticed(db, client):
    MigrationRecorder(connection).record_applied("campaign", "9999_later")
    status, text, _ = asked(client, READY)
    assert (status, text.partition(":")[0]) == (
        503, "This database is from a newer Musterbook, or from a checkout before 1.0.0"
    )  # fmt: skip


def test_an_empty_database_is_not_ready(db, monkeypatch):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_migrations RENAME TO gone")
    monkeypatch.setattr(health.database_version, "trouble", lambda: database_version.OLDER)
    answer = health.Health(lambda request: None)(RequestFactory().get(READY))
    assert (answer.status_code, answer.text) == (503, f"{database_version.OLDER}\n")


def test_all_other_addresses_are_passed_on():
    request = RequestFactory().get("/readyz/")
    assert health.Health(lambda given: given)(request) is request


@pytest.mark.parametrize(
    ("unwritable", "sentence"),
    [("data", "DATA_DIR cannot be written to."), ("uploads", "The directory of the photos cannot be written to.")],
)
def test_directories_that_cannot_be_written_to_are_no_place_for_players(
    db, client, monkeypatch, tmp_path, settings, unwritable, sentence
):
    for name in ("data", "uploads"):
        (tmp_path / name).mkdir()
    settings.STORAGES = {
        **settings.STORAGES,
        "uploads": {
            "BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": tmp_path / "uploads"},
        },
    }  # fmt: skip
    monkeypatch.setattr(health.paths, "DATA_DIR", tmp_path / "data")
    assert asked(client, READY)[:2] == (200, "ok\n")
    monkeypatch.setattr(health.os, "access", lambda place, mode: place != tmp_path / unwritable)  # root may write all
    assert asked(client, READY)[:2] == (503, f"{sentence}\n")
