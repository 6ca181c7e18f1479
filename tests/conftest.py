"""Fixtures that every test may use.

Tests that need the database get it from a throw-away embedded PostgreSQL, started by the first of them, or
from DATABASE_URL. Tests that drive the browser (fixtures `page`, `new_context`) see it at a phone's width.
"""

import fcntl
import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import psycopg
import pytest
from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import Client, TransactionTestCase
from django.test.client import ClientMixin
from environs import env
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import expect
from pytest_django import DjangoDbBlocker

from catalogue import snapshot
from catalogue.services.load import load_catalogue
from ops.embedded_postgres import EmbeddedServer
from tests import once, prepared_queries, server_errors, tables
from tests.cards import CARDS
from tests.connections import end_all
from tests.thoroughness import NIGHTLY

# Nothing that is imported or collected is garbage, and to look for it takes a third of that time.
gc.disable()

# No deadlines: a machine may be slow, and speed is measured in bench/.
hypothesis_settings.register_profile("gate", deadline=None, max_examples=30)
hypothesis_settings.register_profile("nightly", deadline=None, max_examples=2000)
hypothesis_settings.load_profile("nightly" if NIGHTLY else "gate")

THROW_AWAY = "MUSTERBOOK_TEST_SERVER"
#: A migrated database with the catalogue in it, made by the first worker and cloned by the others.
TEMPLATE = "musterbook_test_template"
#: Milliseconds until what a page shall show is given up: a machine may be slow, and what comes soon is not waited for.
PATIENCE = 20_000
#: Modules that begin first: one of these at the end would keep the other processes waiting.
LONGEST = ("test_upgrade.py", "test_frozen.py", "test_imported_pages.py")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A name of the LAN leads to this machine: a browser takes it for any address on http.
    "--host-resolver-rules=MAP *.lan 127.0.0.1",
]


def pytest_configure(config: pytest.Config) -> None:
    # One directory for all xdist workers: they inherit it from the process that starts them.
    if not hasattr(config, "workerinput"):
        os.environ[THROW_AWAY] = tempfile.mkdtemp(prefix="musterbook-test-")
    # Static files as they lie in static/, since nothing has collected them.
    settings.STATIC_ROOT = Path(os.environ[THROW_AWAY], "static")
    settings.STATIC_ROOT.mkdir(exist_ok=True)
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["uploads"]["OPTIONS"]["location"] = Path(os.environ[THROW_AWAY], "uploads")
    # Each worker its own: people of the same number have one file each there.
    settings.ARRIVALS_DIR = Path(os.environ[THROW_AWAY], os.environ.get("PYTEST_XDIST_WORKER", ""), "arrivals")
    if "PYTEST_XDIST_WORKER" in os.environ and not os.environ.get("DATABASE_URL"):
        # All of them begin with clones of one database.
        worlds = Path(os.environ[THROW_AWAY], "worlds")
        worlds.mkdir(exist_ok=True)
        once.share(worlds)
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # A request that repeats a query for each row fails its test.
    AppConfig.create("zeal").ready()
    settings.MIDDLEWARE.append("zeal.middleware.zeal_middleware")
    settings.ZEAL_ALLOWLIST = []
    server_errors.watch()
    prepared_queries.watch()
    connection_created.connect(_watch)
    Client._login = _sign_in


def _sign_in(client: Client, user: AbstractBaseUser, backend: str | None = None) -> None:
    """Sign in as Django's test client does, but without a session of nobody that would only be replaced."""
    with ExitStack() as nobody:
        if settings.SESSION_COOKIE_NAME not in client.cookies:
            nobody.enter_context(patch.object(Client, "session", None))
        ClientMixin._login(client, user, backend)


def _watch(connection: BaseDatabaseWrapper, **_signal: object) -> None:
    if once.watch not in connection.execute_wrappers:
        connection.execute_wrappers.append(once.watch)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    once.begin()
    prepared_queries.begin(item.path)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(THROW_AWAY))


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        if "playwright" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    yield
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Keep what was imported and collected out of garbage collections, which are rarer from now on."""
    gc.freeze()
    gc.set_threshold(50_000, 10, 5)
    gc.enable()


@pytest.fixture(autouse=True)
def no_server_errors() -> Iterator[None]:
    """Fail a browser test in which a request met a server error."""
    server_errors.failed()  # a request that came after the end of the test before found no database
    yield
    assert server_errors.failed() == []


@pytest.fixture(autouse=True)
def one_look_at_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test looks for a new edition of the catalogue once, at its beginning, and whenever it changes a card: on a slow
    machine the next look, due after CHECK_EVERY seconds, would come anywhere, and be counted."""
    monkeypatch.setattr(snapshot, "monotonic", lambda: 1.0)
    snapshot.forget()
    once.mind(monkeypatch)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    if os.environ.get("DATABASE_URL"):
        yield
        return
    server = EmbeddedServer(Path(os.environ[THROW_AWAY]))
    url = server.start()
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
    place = env.dj_db_url("", default=url)
    database = settings.DATABASES["default"]
    database |= {key: place[key] for key in ("USER", "PASSWORD", "HOST", "PORT")}
    database["OPTIONS"] |= place["OPTIONS"]
    yield
    server.release()


@pytest.fixture(scope="session")
def _cloned(django_db_modify_db_settings: None) -> Iterator[Callable[[], None]]:
    """Let the test database be a clone of the template, or give back what makes one of it.

    The first worker holds the lock until the template is there; the others wait for it.
    """
    with Path(os.environ[THROW_AWAY], "template").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        made = lock.seek(0, os.SEEK_END) > 0
        if made or os.environ.get("DATABASE_URL"):
            settings.DATABASES["default"]["TEST"]["TEMPLATE"] = TEMPLATE if made else None
            fcntl.flock(lock, fcntl.LOCK_UN)
            yield lambda: None
            return

        def make_template() -> None:
            name = connection.settings_dict["NAME"]
            connection.close()
            connection.close_pool()
            with connection._nodb_cursor() as cursor:
                cursor.execute(f'CREATE DATABASE {TEMPLATE} TEMPLATE "{name}"')
            lock.write("made")
            lock.flush()
            fcntl.flock(lock, fcntl.LOCK_UN)

        yield make_template


@pytest.fixture(scope="session")
def django_db_setup(
    _cloned: Callable[[], None], django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Load the catalogue once, and let nothing keep the test database from being dropped at the end."""
    with django_db_blocker.unblock():
        load_catalogue(actor="tests", folder=CARDS)
        _cloned()
        as_loaded = tables.rows()
    empty = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda _case: tables.restore(as_loaded)
    once.begin()
    yield
    TransactionTestCase._fixture_teardown = empty
    with django_db_blocker.unblock():
        end_all()


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the system's Chromium. Without one a test is skipped, or fails where it must run."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found:
        return found
    if os.environ.get("CI") == "true" or os.environ.get("MUSTERBOOK_BROWSER") == "required":
        pytest.fail("The browser tests must run here, and there is no Chromium.")
    pytest.skip("There is no Chromium: MUSTERBOOK_BROWSER=required makes this a failure.")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict, chromium: str) -> dict:
    expect.set_options(timeout=PATIENCE)
    # Playwright keeps an event loop in this thread, which is why Django would refuse the database here.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return browser_type_launch_args | {"executable_path": chromium, "args": CHROMIUM_ARGUMENTS}


@pytest.fixture(scope="session")
def base_url(live_server) -> str:
    return live_server.url


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict) -> dict:
    return browser_context_args | {"viewport": {"width": 360, "height": 800}, "has_touch": True}
