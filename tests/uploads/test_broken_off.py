"""Large files lie on the disk while they come, and those that never came whole go at night."""

import os
import time
from pathlib import Path

import pytest
from django.core.files.uploadedfile import TemporaryUploadedFile

from config import settings
from core.retention import UNUSED_PICTURE
from ops import paths
from uploads.services import pictures


@pytest.fixture
def place(settings, tmp_path) -> Path:
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path
    return tmp_path


def test_they_lie_where_the_site_keeps_its_own():
    """And not in /tmp, which Compose puts into memory, beside the figures of all workers."""
    assert (paths.DATA_DIR if paths.DATA_DIR.is_dir() else None) == settings.FILE_UPLOAD_TEMP_DIR


def test_what_was_broken_off_goes_and_what_is_coming_stays(place):
    coming = TemporaryUploadedFile("it.zip", "application/zip", 1, None)
    name = Path(coming.temporary_file_path()).name
    begun = place / f"{name.partition('.')[0]}x.upload.zip"  # what Django calls them, of a worker that was killed
    begun.touch()
    long_ago = time.time() - UNUSED_PICTURE.total_seconds() - 1
    os.utime(begun, (long_ago, long_ago))
    (place / "secret-key").write_text("not one of them")
    os.utime(place / "secret-key", (long_ago, long_ago))

    assert pictures.clean_temporary() == 1
    assert {path.name for path in place.iterdir()} == {name, "secret-key"}
    coming.close()


def test_there_is_nothing_to_do_where_they_lie_elsewhere(settings):
    settings.FILE_UPLOAD_TEMP_DIR = None
    assert pictures.clean_temporary() == 0
