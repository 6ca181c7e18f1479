"""What the worker of the queue does, and when it tries again."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from procrastinate import BaseRetryStrategy, JobContext, RetryDecision, builtin_tasks
from procrastinate.contrib.django import app
from procrastinate.jobs import Job

from campaign.carrying import desk
from campaign.dispatches import TryLater
from campaign.services import carrying, webhooks
from uploads.services import pictures

#: Seconds from one try to the next are powers of this: 4, 16, 64 … The last but one wait is four and a half hours.
BACK_OFF = 4
TRIES = 8

WEEK = 7 * 24
#: A worker says every ten seconds that it lives.
SILENT = 60


class BackOff(BaseRetryStrategy):
    """Wait four times as long after each failure, and never less than Discord asks for."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """When to try again; None after the last try."""
        if job.attempts + 1 >= TRIES:
            return None
        asked = exception.seconds if isinstance(exception, TryLater) else 0
        seconds = max(asked, BACK_OFF ** (job.attempts + 1))
        return RetryDecision(retry_at=timezone.now() + timedelta(seconds=seconds))


@app.task(name="deliver", pass_context=True, retry=BackOff())
def deliver(context: JobContext, dispatch: str) -> None:
    """Send the dispatch with this key."""
    try:
        webhooks.deliver(dispatch)
    except Exception:
        if context.job.attempts + 1 >= TRIES:
            webhooks.give_up(dispatch)
        raise


@app.periodic(cron="*/5 * * * *")
@app.task(name="take_up_stalled", queueing_lock="take_up_stalled", pass_context=True)
async def take_up_stalled(context: JobContext, timestamp: int) -> None:
    """Put back what a worker had in hand when it was killed."""
    jobs = context.app.job_manager
    for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=SILENT):
        await jobs.retry_job(job)


@app.periodic(cron="47 4 * * *")
@app.task(name="clean_uploads", queueing_lock="clean_uploads")
def clean_uploads(timestamp: int) -> None:
    """Throw away pictures that belong to nothing any more, and what never came whole."""
    pictures.clean()
    pictures.clean_temporary()


@app.periodic(cron="17 3 * * *")
@app.task(name="write_campaigns", queueing_lock="write_campaigns")
def write_campaigns(timestamp: int) -> None:
    """Write the files of the campaigns that want it every night; forget those that were sent and never brought."""
    carrying.write_all()
    desk.clear()


@app.periodic(cron="17 4 * * *")
@app.task(name="clean_up", queueing_lock="clean_up", pass_context=True)
async def clean_up(context: JobContext, timestamp: int) -> None:
    """Forget jobs that were finished, one way or the other, a week ago."""
    await builtin_tasks.remove_old_jobs(
        context, max_hours=WEEK, remove_failed=True, remove_cancelled=True, remove_aborted=True
    )
