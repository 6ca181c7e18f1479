"""Maintenance jobs of the queue: retry stalled jobs and delete finished ones."""

from datetime import timedelta

from procrastinate import JobContext, builtin_tasks
from procrastinate.contrib.django import app

from core.retention import FINISHED_JOB

HOURS = FINISHED_JOB // timedelta(hours=1)
#: Seconds without a sign of life (workers send one every ten) after which a worker counts as dead.
SILENT = 60


@app.periodic(cron="*/5 * * * *")
@app.task(name="take_up_stalled", queueing_lock="take_up_stalled", pass_context=True)
async def take_up_stalled(context: JobContext, timestamp: int) -> None:
    """Retry the jobs that a worker had started when it was killed."""
    jobs = context.app.job_manager
    for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=SILENT):
        await jobs.retry_job(job)


@app.periodic(cron="17 4 * * *")
@app.task(name="clean_up", queueing_lock="clean_up", pass_context=True)
async def clean_up(context: JobContext, timestamp: int) -> None:
    """Delete jobs that finished, successfully or not, longer ago than `FINISHED_JOB`."""
    await builtin_tasks.remove_old_jobs(
        context, max_hours=HOURS, remove_failed=True, remove_cancelled=True, remove_aborted=True
    )
