"""What the tests of the catalogue share."""

import shutil
from pathlib import Path

import pytest

from catalogue import snapshot
from catalogue.models import MODELS, CatalogueState
from catalogue.services.load import load_catalogue
from tests.cards import CARDS


@pytest.fixture(autouse=True)
def _always_ask(monkeypatch):
    """No snapshot of another test, and none that is believed without asking."""
    monkeypatch.setattr(snapshot, "_held", None)
    monkeypatch.setattr(snapshot, "CHECK_EVERY", 0)


@pytest.fixture(scope="session")
def _cards_once(django_db_setup, django_db_blocker):
    """Load for the whole session what tests only read or change in their own transaction."""
    with django_db_blocker.unblock():
        load_catalogue(actor="test", folder=CARDS)


@pytest.fixture
def cards(_cards_once, db):
    """The project's own catalogue in the database; it is loaded again only if a test has emptied it for good."""
    load_catalogue(actor="test", folder=CARDS)


@pytest.fixture
def empty(db):
    """No catalogue at all."""
    for model in reversed(MODELS.values()):
        model.objects.all().delete()
    CatalogueState.objects.all().delete()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the catalogue's files, to be spoiled."""
    return Path(shutil.copytree(CARDS, tmp_path / "catalogue"))
