"""The site in the language of nonsense."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages import Catalog
from django.utils import translation

from ops import translation_catalogue
from tests.campaign.conftest import book
from tests.conftest import THROW_AWAY
from tests.languages import pseudo

__all__ = ["book"]


@pytest.fixture(scope="session")
def english() -> Catalog:
    """All texts, collected by the first process that wants them. Without gettext its tests are skipped, or fail where
    they must run."""
    if not (shutil.which("xgettext") and shutil.which("msguniq")):
        if os.environ.get("CI") == "true" or os.environ.get("MUSTERBOOK_BROWSER") == "required":
            pytest.fail("The texts must be collected here, and there is no gettext.")
        pytest.skip("There is no gettext: MUSTERBOOK_BROWSER=required makes this a failure.")
    texts = Path(os.environ[THROW_AWAY], "texts.pot")
    with texts.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not texts.exists():
            translation_catalogue.write(texts)
    return pseudo.read(texts)


@pytest.fixture(scope="session")
def locales(english: Catalog, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of locales in which the language of nonsense lies."""
    return pseudo.write(english, tmp_path_factory.mktemp("locales"))


@pytest.fixture
def nonsense(settings, locales: Path) -> Iterator[str]:
    """The code of a language that the site speaks for the length of a test."""
    settings.LOCALE_PATHS = [locales]
    settings.LANGUAGES = [("en", "English"), (pseudo.CODE, "Nonsense")]
    yield pseudo.CODE
    translation.activate("en")  # what a request leaves behind belongs to the language that is gone
