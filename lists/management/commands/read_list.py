"""The command `manage.py read_list [--json] FILE…`."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from catalogue.models import Unit
from catalogue.services.load import FIXTURES
from catalogue.snapshot import card_index
from lists.formats.cards import CardIndex, card_index as index_of
from lists.formats.detect import read_file
from lists.formats.parsed import Parsed
from lists.formats.plain_army import army_of
from rules.catalogue.loader import read_catalogue


class Command(BaseCommand):
    help = "Print what the readers make of army lists, for bug reports: one line a file. Saves nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print the name, a tab and a JSON object, with slugs")

    def handle(self, *, files: list[Path], json: bool, **options: Any) -> None:
        """Print one line for each file. A file that is not a list is refused in its line."""
        index = _cards()
        for file in files:
            try:
                parsed = read_file(file.read_bytes(), index)
            except OSError as fault:
                raise CommandError(f"{file} cannot be read: {fault.strerror}") from fault
            self.stdout.write(f"{file.name}\t{_as_json(parsed) if json else _summary(parsed)}")


def _cards() -> CardIndex:
    """Return the cards of this site, or those of the project's files where no site was started yet."""
    if Unit._meta.db_table in connection.introspection.table_names() and Unit.objects.exists():
        return card_index()
    return index_of(read_catalogue(FIXTURES).cards)


def _as_json(parsed: Parsed) -> str:
    """Return what was read: one entry for each copy of a unit. Standing Orders are in every hand and not named."""
    army = army_of(parsed)
    units = [
        {
            "slug": unit.card,
            "upgrades": [*unit.upgrades, *unit.counterpart_upgrades],
            "counterpart": unit.counterpart or None,
        }
        for unit in army.units
    ]
    found = {
        "format": str(parsed.format),
        "refused": parsed.refused or None,
        "units": units,
        "command_cards": list(army.command_cards),
        "battle_cards": list(army.battle_cards),
        "battle_force": army.battle_force or None,
        "to_decide": [
            {"line": parsed.lines[place].read, "candidates": list(parsed.lines[place].candidates)}
            for place in parsed.open
        ],
    }
    return json.dumps(found, ensure_ascii=False)


def _summary(parsed: Parsed) -> str:
    if parsed.refused:
        return f"{parsed.format}: refused. {parsed.refused}"
    army = army_of(parsed)
    cards = len(army.command_cards) + len(army.battle_cards)
    return f"{parsed.format}: {len(army.units)} units, {cards} cards, {len(parsed.open)} to decide"
