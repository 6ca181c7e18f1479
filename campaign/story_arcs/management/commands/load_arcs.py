"""`manage.py load_arcs`."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.story_arcs.services.story_arcs import load_arcs
from rules.core.violations import RuleViolation


class Command(BaseCommand):
    """Load the Story Arcs that ship with Musterbook."""

    help = "Publish new and changed Story Arcs of fixtures/arcs. Older versions stay."

    def handle(self, *args: Any, **options: Any) -> None:
        """Load them, and print which are new."""
        try:
            loaded = load_arcs()
        except RuleViolation as refusal:
            lines = "\n".join(f"  {violation.about}: {violation.text}" for violation in refusal.violations)
            raise CommandError(f"Nothing was changed.\n{lines}") from refusal
        for version, is_new in loaded:
            name = version.content["name"]
            self.stdout.write(f"{name}, version {version.number}{' (new)' if is_new else ''}")
