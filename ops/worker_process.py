"""Set up Django in a process started by another process of this site."""

import os
from collections.abc import Mapping
from typing import Any


def set_up_django(database: Mapping[str, Any]) -> None:
    """Set up Django in a new process, with the database connection of the process that started it.

    Tests use another database than the one in the settings.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

    import django  # lazy: setup
    from django.conf import settings  # lazy: setup

    settings.DATABASES["default"] |= database
    django.setup()
