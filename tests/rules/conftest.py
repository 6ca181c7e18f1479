"""What the tests of the pure rules share."""

import shutil
from pathlib import Path

import pytest

from rules.catalogue.loader import read_rulebook
from rules.core.rulebook import Rulebook
from tests.cards import CARDS


@pytest.fixture(scope="session")
def book() -> Rulebook:
    """Every card of the project's own catalogue."""
    return read_rulebook(CARDS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the catalogue's files, to be spoiled (see `files.py`)."""
    return Path(shutil.copytree(CARDS, tmp_path / "catalogue"))
