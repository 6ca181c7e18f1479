"""Nightly job that deletes unused pictures."""

from procrastinate.contrib.django import app

from uploads.services import pictures


@app.periodic(cron="47 4 * * *")
@app.task(name="clean_uploads", queueing_lock="clean_uploads")
def clean_uploads(timestamp: int) -> None:
    """Delete pictures that nothing refers to any more, and partial uploads."""
    pictures.clean()
    pictures.clean_temporary()
