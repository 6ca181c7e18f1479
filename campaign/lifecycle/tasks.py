"""The nightly job that removes deleted campaigns."""

from procrastinate.contrib.django import app

from campaign.lifecycle import services


@app.periodic(cron="27 4 * * *")
@app.task(name="remove_campaigns", queueing_lock="remove_campaigns", lock="remove_campaigns")
def remove_campaigns(timestamp: int) -> None:
    """Remove the campaigns that were deleted long enough ago."""
    services.remove_expired()
