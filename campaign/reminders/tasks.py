"""The hourly job that sends reminders."""

from procrastinate.contrib.django import app

from campaign.reminders.services import send_due


@app.periodic(cron="11 * * * *")
@app.task(name="send_reminders", queueing_lock="send_reminders", lock="send_reminders")
def send_reminders(timestamp: int) -> None:
    """Send the reminders that are due."""
    send_due()
