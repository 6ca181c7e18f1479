"""Whoever types what the README and the docs say finds the command that they name."""

import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = re.compile(r"manage\.py ([a-z_]+)")


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.name)
def test_every_command_that_is_named_is_there(text: Path) -> None:
    assert set(NAMED.findall(text.read_text())) - get_commands().keys() == set()
