"""Throw away pictures that belong to nothing any more."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from uploads.services import pictures


class Command(BaseCommand):
    """`manage.py clean_uploads`: what was left behind by a removal or a request that was cut short, or a unit that was
    taken back."""

    help = "Throw away pictures that nothing points at any more, files that no picture has, and halves of requests."

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, and say how many."""
        unused, stray = pictures.clean()
        self.stdout.write(
            f"{unused} pictures that nothing pointed at, {stray} files that no picture had, "
            f"{pictures.clean_temporary()} halves of requests."
        )
