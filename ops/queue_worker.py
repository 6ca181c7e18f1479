"""`python -m ops.queue_worker`: the worker of the queue, as `ops.serve` keeps one beside the site.

It is `manage.py procrastinate worker`, which ends when whoever started it has gone: its input is a pipe that nobody
writes to, and the kernel closes that, however the other end died.
"""

import os
import signal
import sys
import threading

from django.core.management import execute_from_command_line

#: Seconds for a message under way to be answered. One that takes longer is sent again by the next worker.
GRACE = "2"


def main() -> None:
    """Do what is in the queue until told to stop, or left alone."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    threading.Thread(target=_end_with_the_other, daemon=True).start()
    execute_from_command_line(["manage.py", "procrastinate", "worker", "--shutdown-graceful-timeout", GRACE])


def _end_with_the_other() -> None:
    # Not sys.stdin.read(): who waits in there keeps it locked, and Python cannot end in peace.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
