"""`python -m ops.queue_worker`: the queue worker that `ops.serve` runs next to the site.

It is `manage.py procrastinate worker`, but ends with the process that started it: its input is a pipe that nobody
writes to, and the kernel closes that pipe, however the other process ends.
"""

import os
import signal
import sys
import threading

from django.core.management import execute_from_command_line

#: Seconds to finish a message. One that takes longer is sent again by the next worker.
GRACE = "2"


def main() -> None:
    """Run the jobs in the queue until stopped, or until the parent process is gone."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    execute_from_command_line(["manage.py", "procrastinate", "worker", "--shutdown-graceful-timeout", GRACE])


def _end_with_the_other() -> None:
    # Not sys.stdin.read(): a blocked read keeps it locked, and Python could not exit cleanly.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
