"""The queue's tasks that send notifications to people, and when any notification is tried again."""

from datetime import timedelta

from django.utils import timezone
from procrastinate import BaseRetryStrategy, RetryDecision
from procrastinate.contrib.django import app
from procrastinate.jobs import Job

from notifications.services import devices, people
from notifications.web_requests import TryLater

#: Seconds from one try to the next are powers of this: 4, 16, 64 … The last but one wait is four and a half hours.
BACK_OFF = 4
TRIES = 8


class BackOff(BaseRetryStrategy):
    """Wait four times as long after each failure, and never less than Discord asks for."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when to try again; None after the last try."""
        if job.attempts + 1 >= TRIES:
            return None
        asked = exception.seconds if isinstance(exception, TryLater) else 0
        seconds = max(asked, BACK_OFF ** (job.attempts + 1))
        return RetryDecision(retry_at=timezone.now() + timedelta(seconds=seconds))


@app.task(name="mail_notification", retry=BackOff())
def mail_notification(notification: str) -> None:
    """Send the notification to a person with this primary key by mail."""
    people.send_mail(notification)


@app.task(name="push_notification", retry=BackOff())
def push_notification(notification: str, device: str) -> None:
    """Send the notification to a person with this primary key to one of their devices."""
    devices.push(notification, device)


@app.periodic(cron="37 4 * * *")
@app.task(name="forget_notifications", queueing_lock="forget_notifications")
def forget_notifications(timestamp: int) -> None:
    """Delete notifications to people that were sent long ago."""
    people.delete_old()
