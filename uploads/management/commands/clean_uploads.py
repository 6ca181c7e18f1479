"""`manage.py clean_uploads`: delete pictures that nothing refers to any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from uploads.services import pictures


class Command(BaseCommand):
    """Delete pictures left behind by a removal, an interrupted request, or an undone unit."""

    help = "Throw away pictures that nothing points at any more, files that no picture has, and halves of requests."

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete them, and print how many."""
        unused, stray = pictures.clean()
        self.stdout.write(
            f"{unused} pictures that nothing pointed at, {stray} files that no picture had, "
            f"{pictures.clean_temporary()} halves of requests."
        )
