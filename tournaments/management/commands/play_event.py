"""Play scenario files of events and compare the results."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.models import User
from core.scenarios import PlayCommand
from tournaments.scenarios.play import play, read


class Command(PlayCommand):
    """`manage.py play_event FILE…`: each scenario in a transaction of its own, which is rolled back."""

    help = "Play scenario files of events through the real services; exit status 1 if any expectation fails."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, and whether to print what is drawn."""
        super().add_arguments(parser)
        parser.add_argument("--print-pairs", action="store_true", help="print each drawn round as JSON")

    def play(self, path: Path, **options: Any) -> list[Any]:
        """Play one file as an event of its own organizer."""
        scenario = read(path)
        organizer = User.objects.create_user(f"organizer of {scenario['event'][:60]}")
        play(scenario, organizer, lambda drawn: self._print(drawn) if options["print_pairs"] else None)
        return scenario["acts"]

    def _print(self, drawn: Any) -> None:
        self.stdout.write(json.dumps(drawn, ensure_ascii=False))
