"""The stand-alone script that proves events."""

import importlib.util

import pytest

from ops.paths import BASE_DIR


@pytest.fixture(scope="module")
def script():
    """Return docs/check_event.py as a module."""
    spec = importlib.util.spec_from_file_location("check_event", BASE_DIR / "docs" / "check_event.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded
