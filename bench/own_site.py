"""Where a bench works: a database of its own, in a directory that is removed at the end, or the current one."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    """A port of loopback that nobody uses."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def use_current_database() -> None:
    """Set Django up for the current database: that of DATABASE_URL, else the embedded server's."""
    from ops.embedded_postgres import provide_database_url
    from ops.paths import DATA_DIR

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    provide_database_url(DATA_DIR)
    import django

    django.setup()


@contextmanager
def own_site(name: str) -> Iterator[Path]:
    """Start a PostgreSQL with our tables, and set Django up for it; gives the directory in which it lies."""
    from ops.embedded_postgres import EmbeddedServer

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with tempfile.TemporaryDirectory(prefix=f"musterbook-{name}-") as place:
        static = Path(place, "static")
        static.mkdir()
        server = EmbeddedServer(Path(place))
        os.environ |= {"DATABASE_URL": server.start(), "STATIC_ROOT": str(static)}
        try:
            with set_up_django():
                from django.core.management import call_command

                call_command("migrate", verbosity=0)
                yield Path(place)
        finally:
            server.release()


@contextmanager
def set_up_django() -> Iterator[None]:
    """Django in a process of the bench, for the database of DATABASE_URL."""
    import django
    from django.conf import settings
    from django.db import connection
    from django.test.utils import override_settings

    django.setup()
    files = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    with override_settings(ALLOWED_HOSTS=["testserver"], STORAGES={**settings.STORAGES, "staticfiles": files}):
        yield
    connection.close()
    connection.close_pool()
