"""The site in the language of nonsense."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from tests.campaign.conftest import book
from tests.languages import pseudo

__all__ = ["book"]


@pytest.fixture(scope="session")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of locales in which the language of nonsense lies."""
    return pseudo.write(tmp_path_factory.mktemp("locales"))


@pytest.fixture
def nonsense(settings, locales: Path) -> Iterator[str]:
    """The code of a language that the site speaks for the length of a test."""
    settings.LOCALE_PATHS = [locales]
    settings.LANGUAGES = [("en", "English"), (pseudo.CODE, "Nonsense")]
    yield pseudo.CODE
    translation.activate("en")  # what a request leaves behind belongs to the language that is gone
