"""What a process needs that another process of this site started: Django, or a connection of its own."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import django
from django.conf import settings
from django.db import connection

from core import own_process


def set_up_django(database: Mapping[str, Any]) -> None:
    """Set up Django in a new process, with the database connection of the process that started it.

    Tests use another database than the one in the settings.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    settings.DATABASES["default"] |= database
    django.setup()


def run_job(work: Callable[[], None]) -> None:
    """Run a job of the queue in a process of its own. The queue worker keeps the memory of all code that it has run:
    of large jobs more than it takes when idle.
    """

    connection.close()
    own_process.run(lambda _ask: work(), queue="job", wait=30, seconds=60)
