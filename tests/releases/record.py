"""Make the backup of a release that all later versions must be able to upgrade: `tests/releases/VERSION.zip`.

    .venv/bin/python -m tests.releases.record tests/releases/1.1.0.zip

sets up the demo, plays the scenarios and a season, and makes the worlds of the permission tests, so that the backup has
people in all roles, battles and events in every state, and ledger entries of every kind. It takes four minutes.
"""

import os
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_LZMA, ZipFile

#: Battles of two random Registers.
SEASON = 6


def main() -> None:
    """Write the backup of this version to the file that is named."""
    file = Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="musterbook-record-") as place:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATA_DIR": f"{place}/data",
            "STATIC_ROOT": f"{place}/static",
            "SECRET_KEY": "not a secret: " * 5,
        }
        Path(place, "static").mkdir()
        _record(Path(place, "backup.zip"))
        # Compressed by the archive alone, which takes half the bytes.
        with ZipFile(f"{place}/backup.zip") as made, ZipFile(file, "w", ZIP_LZMA) as kept:
            for name in made.namelist():
                kept.writestr(name, made.read(name))


def _record(file: Path) -> None:
    from ops.embedded_postgres import provide_database_url  # lazy: setup
    from ops.paths import DATA_DIR  # lazy: setup

    server = provide_database_url(DATA_DIR)
    import django  # lazy: setup

    django.setup()
    from django.conf import settings  # lazy: setup
    from django.core.management import call_command  # lazy: setup
    from django.db import connection  # lazy: setup

    from bench.simulated_battles import play  # lazy: setup
    from ops import backup  # lazy: setup
    from tests.tournaments.world import make_event_world  # lazy: setup
    from tests.world import make_world  # lazy: setup

    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    for command in ("migrate", "load_catalogue", "load_arcs", "demo"):
        call_command(command, verbosity=0)
    call_command("play", *sorted(Path("tests/scenarios").glob("*.json")), keep=True)
    play(battles=SEASON, seed=1)
    make_world("-1")
    make_event_world("-2")
    backup.HOWEVER_OWNED = (*backup.HOWEVER_OWNED, "--compress=0")
    call_command("backup", str(file))
    connection.close()
    connection.close_pool()
    if server:
        server.release()


if __name__ == "__main__":
    main()
