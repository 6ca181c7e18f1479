"""PostgreSQL is killed, and comes back."""

import os
import subprocess
import sys

import pytest

from ops.paths import BASE_DIR


@pytest.mark.nightly
def test_pages_say_so_and_come_back():
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    command = [sys.executable, "bench/postgres_down.py", "--seconds", "0.5"]
    ran = subprocess.run(command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False)
    lines = dict(line.split(": ", 1) for line in ran.stdout.splitlines())
    said = ["answers", "answers to forms", "longest until a form was answered", "until the error page"]
    assert (ran.returncode, list(lines)) == (0, [*said, "until pages were back"]), ran.stderr
    assert ran.stderr.count("The database does not answer") == 1
    assert "Traceback" not in ran.stderr
