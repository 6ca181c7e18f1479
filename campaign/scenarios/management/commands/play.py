"""Play scenario files and compare the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from campaign.models import Campaign
from campaign.scenarios.form import ScenarioError, read
from campaign.scenarios.play import play
from campaign.scenarios.stage import ExpectationFailed
from campaign.story_arcs.services.story_arcs import load_arcs
from catalogue.models import Unit


class Command(BaseCommand):
    """`manage.py play FILE…`: each scenario in a transaction of its own, rolled back unless --keep is given."""

    help = "Play scenario files through the real services; exit status 1 if any expectation fails."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, and whether to keep the results."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--keep", action="store_true", help="commit the campaign (for demos and bug reports)")

    def handle(self, *args: Any, files: list[Path], keep: bool, **options: Any) -> None:
        """Play all files, print how each went, and fail at the end if any did."""
        # A scenario is often the first thing to run on a new database.
        call_command("migrate", verbosity=0)
        if not Unit.objects.exists():
            call_command("load_catalogue", verbosity=0)
        load_arcs()
        failed = 0
        for path in files:
            try:
                acts = self._play(path, keep=keep)
            except (ExpectationFailed, ScenarioError) as error:
                failed += 1
                self.stdout.write(self.style.ERROR(f"{path.name}: {error}"))
            else:
                self.stdout.write(self.style.SUCCESS(f"{path.name}: {acts} steps, all as expected"))
        if failed:
            raise CommandError(f"{failed} of {len(files)} scenarios failed")

    def _play(self, path: Path, *, keep: bool) -> int:
        scenario = read(path)
        with transaction.atomic():
            play(scenario, Campaign.objects.create(name=scenario["scenario"][:80]))
            transaction.set_rollback(not keep)
        return len(scenario["acts"])
