"""Play scenario files of events and compare the results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import User
from core.json_form import FormError
from tournaments.scenarios.form import read
from tournaments.scenarios.play import ExpectationFailed, play


class Command(BaseCommand):
    """`manage.py play_event FILE…`: each scenario in a transaction of its own, which is rolled back."""

    help = "Play scenario files of events through the real services; exit status 1 if any expectation fails."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, and whether to print what is drawn."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--print-pairs", action="store_true", help="print each drawn round as JSON")

    def handle(self, *args: Any, files: list[Path], print_pairs: bool, **options: Any) -> None:
        """Play all files, print how each went, and fail at the end if any did."""
        call_command("migrate", verbosity=0)
        failed = 0
        for path in files:
            try:
                acts = self._play(path, print_pairs=print_pairs)
            except (ExpectationFailed, FormError) as error:
                failed += 1
                self.stdout.write(self.style.ERROR(f"{path.name}: {error}"))
            else:
                self.stdout.write(self.style.SUCCESS(f"{path.name}: {acts} steps, all as expected"))
        if failed:
            raise CommandError(f"{failed} of {len(files)} scenarios failed")

    def _play(self, path: Path, *, print_pairs: bool) -> int:
        scenario = read(path)
        with transaction.atomic():
            organizer = User.objects.create_user(f"organizer of {scenario['event'][:60]}")
            play(scenario, organizer, lambda drawn: self._print(drawn) if print_pairs else None)
            transaction.set_rollback(True)
        return len(scenario["acts"])

    def _print(self, drawn: Any) -> None:
        self.stdout.write(json.dumps(drawn, ensure_ascii=False))
