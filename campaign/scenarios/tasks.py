"""The jobs that delete the sandboxes of visitors who tried the demo, and prepare those of the next ones."""

from procrastinate.contrib.django import app

from campaign.scenarios import sandbox
from ops.worker_process import run_job


@app.periodic(cron="*/10 * * * *")
@app.task(name="delete_sandboxes", queueing_lock="delete_sandboxes", lock="delete_sandboxes")
def delete_sandboxes(timestamp: int) -> None:
    """Delete the sandboxes whose time is up."""
    sandbox.delete_expired()


@app.periodic(cron="5-55/10 * * * *")
@app.task(name="prepare_sandboxes", queueing_lock="prepare_sandboxes", lock="prepare_sandboxes")
def prepare_sandboxes(timestamp: int) -> None:
    """Prepare the sandboxes that are missing."""
    run_job(sandbox.prepare_sandboxes)
