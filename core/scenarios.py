"""Scenario files: read and check them, play their acts, and the command behind `manage.py play` and `play_event`."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from rules.core.violations import RuleViolation


class ScenarioError(Exception):
    """A scenario that does not have the form, or lacks an answer."""


class ExpectationFailed(Exception):
    """An act did not do what the scenario says; the message has the expected and the found result."""


def read(path: Path, schema: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that its JSON Schema does not describe; a key
    that is not in it is an error, never ignored.
    """
    import jsonschema_rs  # lazy: rare

    try:
        scenario: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        jsonschema_rs.validate(json.loads(schema.read_text(encoding="utf-8")), scenario)
    except jsonschema_rs.ValidationError as error:
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.instance_path)
        raise ScenarioError(f"{path.name}{place}: {error.message}") from None
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    return scenario


def play_acts(acts: list[Mapping[str, Any]], play_act: Callable[[Mapping[str, Any]], None]) -> None:
    """Play all acts in their order. Raises ExpectationFailed or ScenarioError at the first act that differs."""
    for place, act in enumerate(acts, start=1):
        try:
            play_act(act)
        except (ExpectationFailed, ScenarioError) as error:
            raise type(error)(f"act {place} ({act['act']}): {error}") from error


def is_refused(act: Mapping[str, Any], play: Callable[[], object]) -> bool:
    """Play an act in a transaction, and return whether the rules refused it as the scenario says. Raises
    ExpectationFailed if they refused another thing, or nothing.
    """
    try:
        with transaction.atomic():
            play()
    except RuleViolation as refusal:
        if refusal.rules & set(act.get("refused", ())):
            return True
        raise ExpectationFailed(f"expected {act.get('refused') or 'no refusal'}, found: {refusal}") from refusal
    if "refused" in act:
        raise ExpectationFailed(f"expected a refusal by {act['refused']}, found none")
    return False


class PlayCommand(BaseCommand):
    """Play scenario files, print how each went, and fail at the end if any did."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *args: Any, files: list[Path], **options: Any) -> None:
        """Play all files. A scenario is often the first thing to run on a new database."""
        call_command("migrate", verbosity=0)
        self.prepare()
        failed = 0
        for path in files:
            try:
                with transaction.atomic():
                    acts = self.play(path, **options)
                    transaction.set_rollback(not options.get("keep"))
            except (ExpectationFailed, ScenarioError) as error:
                failed += 1
                self.stdout.write(self.style.ERROR(f"{path.name}: {error}"))
            else:
                self.stdout.write(self.style.SUCCESS(f"{path.name}: {len(acts)} steps, all as expected"))
        if failed:
            raise CommandError(f"{failed} of {len(files)} scenarios failed")

    def prepare(self) -> None:
        """Load what all scenarios need."""

    def play(self, path: Path, **options: Any) -> list[Mapping[str, Any]]:
        """Play one file and return its acts."""
        raise NotImplementedError
