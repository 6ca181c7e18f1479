"""The nightly job that exports campaigns and deletes files that nobody imported."""

from procrastinate.contrib.django import app

from campaign.archive.parts.reading import WAITING
from campaign.archive.services import archive


@app.periodic(cron="17 3 * * *")
@app.task(name="write_campaigns", queueing_lock="write_campaigns")
def write_campaigns(timestamp: int) -> None:
    """Write the nightly files of campaigns, and delete uploads that nobody imported."""
    archive.write_all()
    WAITING.clear()
