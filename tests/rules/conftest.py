"""What the tests of the pure rules share."""

from pathlib import Path

import pytest

from rules.reading import read_rulebook
from rules.rulebook import Rulebook

FIXTURES = Path(__file__).parents[2] / "fixtures" / "catalogue"


@pytest.fixture(scope="session")
def book() -> Rulebook:
    """Every card of the project's own catalogue."""
    return read_rulebook(FIXTURES)
