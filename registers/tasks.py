"""Nightly data check of Registers, run by the queue worker."""

import structlog
from django.conf import settings
from procrastinate.contrib.django import app

from registers.services import data_checks

logger = structlog.get_logger()


@app.periodic(cron=settings.PROOF_CRON)
@app.task(name="prove_books", queueing_lock="prove_books", lock="prove_books")
def prove_books(timestamp: int) -> None:
    """Replay all Registers. Differences are logged, too."""
    done = data_checks.verify_all(processes=settings.PROOF_PROCESSES)
    if done.differing:
        logger.error("books_differ", proof=done.pk, registers=done.differing)
