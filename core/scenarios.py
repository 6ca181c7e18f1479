"""Scenario files: read and check them, play their acts, and the command behind `manage.py play` and `play_event`."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from rules.core.violations import RuleViolation

#: The form of any value at all.
ANY = object()


class ScenarioError(Exception):
    """A scenario that does not have the form, or lacks an answer."""


class ExpectationFailed(Exception):
    """An act did not do what the scenario says; the message has the expected and the found result."""


def read(path: Path, form: Mapping[str, Any], acts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the scenario in a file. `form` is that of the file without its acts, `acts` those of each act by name.
    Raises ScenarioError for anything that does not have the form.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    check(data, {**form, "acts": [{"act": set(acts), "*": ANY}]}, path.name)
    for place, act in enumerate(data["acts"], start=1):
        check(act, {"act": str, "refused?": [str], **acts[act["act"]]}, f"{path.name}, act {place}")
    return data  # type: ignore[no-any-return]


def check(value: Any, form: Any, where: str) -> None:
    """Raise ScenarioError unless `value` has the form. A form is a type, None, a set of values, a list of one form, a
    tuple of alternatives, or the keys of an object; of those, "key?" may be missing and "*" stands for every other
    key.
    """
    match form:
        case _ if form is ANY:
            return
        case set():
            known = isinstance(value, str | None) and value in form
            _expect(known, f"one of {', '.join(sorted(map(repr, form)))}", value, where)
        case tuple():
            _check_alternatives(value, form, where)
        case list():
            _expect(isinstance(value, list), "a list", value, where)
            for place, item in enumerate(value):
                check(item, form[0], f"{where}[{place}]")
        case dict():
            _expect(isinstance(value, dict), "named values", value, where)
            _check_keys(value, form, where)
        case None:
            _expect(value is None, "null", value, where)
        case _:
            _expect(type(value) is form, form.__name__, value, where)


def _expect(fits: bool, wanted: str, value: Any, where: str) -> None:
    if not fits:
        raise ScenarioError(f"{where}: expected {wanted}, not {value!r}")


def _check_alternatives(value: Any, forms: tuple[Any, ...], where: str) -> None:
    errors = []
    for form in forms:
        try:
            return check(value, form, where)
        except ScenarioError as error:
            errors.append(error)
    raise errors[0]


def _check_keys(value: dict[str, Any], form: dict[str, Any], where: str) -> None:
    known = {key.rstrip("?"): inner for key, inner in form.items() if key != "*"}
    missing = [key for key in form if not key.endswith(("?", "*")) and key not in value]
    unknown = [key for key in value if key not in known and "*" not in form]
    if missing or unknown:
        raise ScenarioError(f"{where}: missing {missing}, unknown {unknown}")
    for key, item in value.items():
        check(item, known[key] if key in known else form["*"], f"{where}.{key}")


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
