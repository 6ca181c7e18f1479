"""The command `manage.py load_catalogue [FOLDER]`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from catalogue.services.load import FIXTURES, KindReport, load_catalogue
from rules.catalogue.loader import CatalogueErrors

#: How many slugs the report names for each kind and change; it counts the others.
_NAMED = 8


class Command(BaseCommand):
    help = "Load the catalogue from its CSV and JSON files. Any error leaves it unchanged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?", type=Path, default=FIXTURES, help="default: the files of this project")
        parser.add_argument(
            "--again",
            action="store_true",
            help="read the files even if they were loaded last. This overwrites corrections made in the admin",
        )

    def handle(self, *, folder: Path, again: bool, verbosity: int, **options: Any) -> None:
        """Load and report. Every error is a line with its file and row."""
        if not folder.is_dir():
            raise CommandError(f"The folder {folder} does not exist.")
        try:
            report = load_catalogue(actor=f"load_catalogue {folder}", folder=folder, again=again)
        except CatalogueErrors as faults:
            lines = "\n".join(f"  {error}" for error in faults.errors)
            raise CommandError(f"Nothing was changed. Errors: {len(faults.errors)}\n{lines}") from faults
        if report.untouched:
            self.stdout.write(f"Edition {report.edition} is already loaded. Nothing to do.")
            return
        self.stdout.write(f"Edition {report.edition}:")
        for kind, of_kind in report.kinds.items():
            self.stdout.write(f"  {kind.replace('_', ' ')}: {_spoken(of_kind, verbosity)}")


def _spoken(report: KindReport, verbosity: int) -> str:
    acts = {"added": report.added, "changed": report.changed, "retired": report.retired, "restored": report.restored}
    parts = [f"{len(slugs)} {act}{_names(act, slugs, verbosity)}" for act, slugs in acts.items() if slugs]
    return ", ".join(parts) or "unchanged"


def _names(act: str, slugs: tuple[str, ...], verbosity: int) -> str:
    if act == "added" and verbosity < 2:
        return ""
    shown = slugs if verbosity >= 2 else slugs[:_NAMED]
    more = "" if len(shown) == len(slugs) else ", …"
    return f" ({', '.join(shown)}{more})"
