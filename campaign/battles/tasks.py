"""The queue's task that sends the notifications of a campaign to Discord."""

from procrastinate import JobContext
from procrastinate.contrib.django import app

from campaign.battles.services import notifications
from notifications.services.delivery import give_up
from notifications.tasks import TRIES, BackOff


@app.task(name="deliver", pass_context=True, retry=BackOff())
def deliver(context: JobContext, model: str, notification: str) -> None:
    """Send the notification with this primary key; `model` is the label of its model."""
    try:
        notifications.deliver(model, notification)
    except Exception:
        if context.job.attempts + 1 >= TRIES:
            give_up(model, notification)
        raise
