"""The job that deletes the sandboxes of visitors who tried the demo."""

from procrastinate.contrib.django import app

from campaign.scenarios import sandbox


@app.periodic(cron="*/10 * * * *")
@app.task(name="delete_sandboxes", queueing_lock="delete_sandboxes", lock="delete_sandboxes")
def delete_sandboxes(timestamp: int) -> None:
    """Delete the sandboxes whose time is up."""
    sandbox.delete_expired()
