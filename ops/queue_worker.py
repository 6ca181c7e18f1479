"""The queue worker that `ops.serve` forks next to its web workers.

It is `manage.py procrastinate worker` with fewer connections, and ends with the process that forked it, even if that
process was killed.
"""

import gc
import logging
import os
import signal
import threading
import time

from django.db import connection
from procrastinate import PsycopgConnector
from procrastinate.contrib.django import app
from procrastinate.contrib.django.utils import connector_params
from procrastinate.exceptions import ConnectorException

from ops.monitoring.shared_metrics import count_as
from ops.web_worker import limit_arenas

#: Seconds to finish a message. One that takes longer is sent again by the next worker.
GRACE = 2
#: Most connections to the database, next to one that listens for jobs, and the seconds until one is closed that is not
#: needed: each costs PostgreSQL 5 MB.
CONNECTIONS, IDLE = 4, 20


def run(parent: int) -> int:
    """Run the jobs in the queue until stopped, or until the process `parent` is gone. Return the exit status."""
    os.setsid()  # Ctrl-C must not reach it: the master stops it last
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    limit_arenas()
    gc.enable()
    count_as("queue")
    threading.Thread(target=_end_with, args=[parent], daemon=True).start()
    try:
        # Few jobs use Django's own connections. Without a pool these are closed after each job.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        connector = PsycopgConnector(kwargs=connector_params(), min_size=1, max_size=CONNECTIONS, max_idle=IDLE)
        with app.replace_connector(connector):
            app.run_worker(shutdown_graceful_timeout=GRACE)
    except ConnectorException as error:  # procrastinate has logged where
        logging.getLogger(__name__).error(
            "The queue worker ended: the database does not answer (%s).", type(error).__name__
        )
        return 1
    except Exception:
        logging.getLogger(__name__).exception("The queue worker ended.")
        return 1
    return 0


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
