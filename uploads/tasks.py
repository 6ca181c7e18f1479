"""The nightly job that deletes pictures that nothing refers to."""

from __future__ import annotations

from procrastinate.contrib.django import app

from uploads.services import pictures


@app.periodic(cron="47 4 * * *")
@app.task(name="clean_uploads", queueing_lock="clean_uploads")
def clean_uploads(timestamp: int) -> None:
    """Throw away pictures that belong to nothing any more, and what never came whole."""
    pictures.clean()
    pictures.clean_temporary()
