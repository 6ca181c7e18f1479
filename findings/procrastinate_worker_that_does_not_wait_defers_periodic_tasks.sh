#!/usr/bin/env bash
# Guess:    `run_worker(wait=False)`, which ends when the queue is empty, runs the jobs that are in the queue: with an empty
#           queue it ends at once. Useful after a test, a script, or in a cron job that empties the queue.
# Happens:  it starts the deferrer of periodic tasks as well. Every periodic task whose last time is less than ten minutes
#           ago and was not deferred yet is put into the queue, and this worker runs it.
# Hurt:     tests that empty the queue: from time to time a nightly job runs among them, as the clock has it.
#           An app without the periodic tasks, made for the tests, does not.
# Versions: procrastinate 3.10.0 (PyPI), with its connector in memory. Source: procrastinate/worker.py (`Worker._periodic_deferrer`),
#           procrastinate/periodic.py (`PeriodicRegistry`, `max_delay`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet procrastinate==3.10.0

cat > empty_queue.py <<'PYTHON'
import asyncio
import logging

import procrastinate
from procrastinate.testing import InMemoryConnector

logging.disable(logging.CRITICAL)
app = procrastinate.App(connector=InMemoryConnector())
ran = []


@app.periodic(cron="* * * * *")
@app.task
def nightly(timestamp):
    ran.append(timestamp)


async def main():
    async with app.open_async():
        print("jobs before:", len(app.connector.jobs))
        await app.run_worker_async(wait=False, install_signal_handlers=False)
    print("ran:", len(ran), [job["status"] for job in app.connector.jobs.values()])


asyncio.run(main())
PYTHON
venv/bin/python empty_queue.py | tee output
diff output - <<'SEEN'
jobs before: 0
ran: 1 ['succeeded']
SEEN
