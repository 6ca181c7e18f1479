"""A site of the rehearsal's own: served as `make run` does, killed and started again."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.own_site import free_port
from bench.rehearsal.papers import Wrong
from bench.rehearsal.person import PASSWORD

ROOT = Path(__file__).parents[2]
PATIENCE, GRACE = 300, 60  # seconds until it is open, and to close


class Site:
    """A site in a directory of its own, at a port of its own."""

    def __init__(self, place: Path) -> None:
        self.place, self.log = place, place / "log"
        self.port = free_port()
        self.home = f"http://localhost:{self.port}"
        self.environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"} | {
            "DATA_DIR": str(place / "data"),
            "STATIC_ROOT": str(place / "static"),
            "PORT": str(self.port),
            "EMAIL_URL": "console://",  # mails are in the log
            "LOG_LEVEL": "INFO",  # a line for each request, with its statements
            "LOG_FORMAT": "json",
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
        }
        self.served: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Serve, and wait until it is open."""
        size = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.served = subprocess.Popen(
                [sys.executable, "-m", "ops.serve", "--no-demo"],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + PATIENCE
        while b"is open at" not in self.log.read_bytes()[size:]:
            if self.served.poll() is not None or time.monotonic() > until:
                raise RuntimeError(self.log.read_text())
            time.sleep(0.05)

    def kill(self) -> None:
        """End all of its processes at once, as a power cut does; only its PostgreSQL is another's."""
        if self.served:
            os.killpg(self.served.pid, signal.SIGKILL)
            self.served.wait()

    def stop(self) -> None:
        """End it by Ctrl-C, which lets go of its PostgreSQL, too."""
        if self.served and self.served.poll() is None:
            self.served.send_signal(signal.SIGINT)
            try:
                self.served.wait(GRACE)
            except subprocess.TimeoutExpired:
                self.kill()
                raise

    def command(self, *words: str) -> str:
        """What `manage.py` prints at these words, which it must not fail at."""
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        if done.returncode:
            raise Wrong(f"{words[0]}: {done.stdout}{done.stderr}")
        return done.stdout

    def statements(self) -> dict[tuple[str, str], int]:
        """The most statements that a request took, by its method and page."""
        most: dict[tuple[str, str], int] = defaultdict(int)
        for line in self.log.read_text().splitlines():
            if line.startswith('{"') and '"queries":' in line:
                record = json.loads(line)
                asked = (record["method"], record["view"])
                most[asked] = max(most[asked], record["queries"])
        return most

    def mailed(self, pattern: str) -> str:
        """The last address of the site in a letter that the log holds; `pattern` is what it looks like."""
        return str(re.findall(rf"{re.escape(self.home)}({pattern})", self.log.read_text())[-1])


@contextmanager
def own_site() -> Iterator[Site]:
    """A site that is open, and removed with all that it holds at the end."""
    with tempfile.TemporaryDirectory(prefix="musterbook-rehearsal-") as place:
        site = Site(Path(place))
        try:
            site.start()
            yield site
        finally:
            site.stop()
