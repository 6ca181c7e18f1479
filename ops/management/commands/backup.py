"""`manage.py backup`: back up the whole installation to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops.backup import BackupError, back_up


class Command(BaseCommand):
    help = "Write the database and the pictures to FILE while Musterbook runs. FILE does not contain SECRET_KEY."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--incomplete", action="store_true", help="even if photos are missing")

    def handle(self, *, file: Path, incomplete: bool, **options: Any) -> None:
        """Write the backup, and print its size."""
        try:
            size = back_up(file, incomplete=incomplete)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {size / 1024**2:.1f} MB. Keep SECRET_KEY somewhere else.")
