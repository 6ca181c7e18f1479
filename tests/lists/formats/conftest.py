"""What the tests of the formats share."""

import pytest

from lists.formats.cards import CardIndex
from tests.lists.formats.strategies import INDEX


@pytest.fixture(scope="session")
def index() -> CardIndex:
    """Every card of the project's own catalogue."""
    return INDEX
