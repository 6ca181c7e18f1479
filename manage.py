#!/usr/bin/env python
"""The command line of Musterbook: `.venv/bin/python manage.py help` lists what there is."""

import os
import sys

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from ops.database_version import trouble
from ops.embedded_postgres import EmbeddedServerError, provide_database_url
from ops.environment import refuse_unusable
from ops.paths import DATA_DIR


def main() -> None:
    """Run one command, with a database behind it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        refuse_unusable(os.environ)
        provide_database_url(DATA_DIR)
        if sys.argv[1:3] == ["procrastinate", "worker"]:  # which `ops.serve` may not have started
            django.setup()
            if reason := trouble():
                sys.exit(reason)
        execute_from_command_line(sys.argv)
    except (EmbeddedServerError, ImproperlyConfigured) as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
