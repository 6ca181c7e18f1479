"""Set up Django in a process that another one of this site has started."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


def set_up_django(database: Mapping[str, Any]) -> None:
    """Set up Django in a process that was just started, with the connection of the one that started it.

    Tests work on another database than the settings name, so the settings alone would lead elsewhere.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

    import django
    from django.conf import settings

    settings.DATABASES["default"] |= database
    django.setup()
