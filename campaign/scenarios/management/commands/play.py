"""Play scenario files and compare the results."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from campaign.models import Campaign
from campaign.scenarios.play import play, read
from campaign.story_arcs.services.story_arcs import load_arcs
from catalogue.models import Unit
from core.scenarios import PlayCommand


class Command(PlayCommand):
    """`manage.py play FILE…`: each scenario in a transaction of its own, rolled back unless --keep is given."""

    help = "Play scenario files through the real services; exit status 1 if any expectation fails."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, and whether to keep the results."""
        super().add_arguments(parser)
        parser.add_argument("--keep", action="store_true", help="commit the campaign (for demos and bug reports)")

    def prepare(self) -> None:
        """Load the catalogue and the Story Arcs."""
        if not Unit.objects.exists():
            call_command("load_catalogue", verbosity=0)
        load_arcs()

    def play(self, path: Path, **options: Any) -> list[Any]:
        """Play one file in a campaign of its own."""
        scenario = read(path)
        play(scenario, Campaign.objects.create(name=scenario["scenario"][:80]))
        return scenario["acts"]
