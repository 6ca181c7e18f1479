"""`manage.py restore`: restore a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.snapshot import forget
from ops.backup import BackupError, restore_backup


class Command(BaseCommand):
    help = "Replace the database and the pictures with FILE, a backup of `manage.py backup`."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="replace a database that has accounts")
        parser.add_argument("--force", action="store_true", help="restore even while the database is in use")
        parser.add_argument("--incomplete", action="store_true", help="restore even a backup that lacks photos")

    def handle(self, *, file: Path, replace: bool, force: bool, incomplete: bool, **options: Any) -> None:
        """Restore the backup. The next start updates it if it is from an older Musterbook."""
        try:
            same_key = restore_backup(file, replace=replace, force=force, incomplete=incomplete)
        except BackupError as error:
            raise CommandError(f"Nothing was changed. {error}") from error
        forget()
        self.stdout.write(f"{file} is restored. Start Musterbook again.")
        if not same_key:
            self.stdout.write(
                "SECRET_KEY has changed since the backup. Everyone must sign in again, and webhook URLs must be "
                "entered again."
            )
