#!/usr/bin/env python
"""The command line of Musterbook: `.venv/bin/python manage.py help` lists what there is."""

import os
import sys

from django.core.management import execute_from_command_line

from ops.embedded_postgres import EmbeddedServerError, provide_database_url
from ops.paths import DATA_DIR


def main() -> None:
    """Run one command, with a database behind it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        provide_database_url(DATA_DIR)
        execute_from_command_line(sys.argv)
    except EmbeddedServerError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
