"""`manage.py clean_uploads`: delete pictures that nothing refers to any more."""

from typing import Any

from django.core.management.base import BaseCommand

from uploads.services import pictures


class Command(BaseCommand):
    help = "Delete unused pictures, files without a picture, and files of interrupted requests."

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete them, and print how many."""
        unused, stray = pictures.clean()
        self.stdout.write(
            f"Deleted: {unused} unused pictures, {stray} files without a picture, {pictures.clean_temporary()} files "
            "of interrupted requests."
        )
