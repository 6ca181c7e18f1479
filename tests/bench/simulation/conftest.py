"""What the tests of simulated campaigns share. They need no database."""

import pytest

from bench.simulation import Supply
from rules.core.rulebook import Rulebook
from tests.rules.conftest import book

__all__ = ["book"]


@pytest.fixture(scope="session")
def supply(book: Rulebook) -> Supply:
    return Supply(book)
