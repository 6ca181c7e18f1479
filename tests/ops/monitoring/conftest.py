from collections.abc import Iterator

import pytest

from tests.ops.monitoring.reading import Log


@pytest.fixture
def log(settings) -> Iterator[Log]:
    """The log of the site from here on, at INFO, as a collector gets it; however slow this machine is."""
    settings.SLOW_REQUEST_MS = 600_000
    with Log() as log:
        yield log
