"""What the tests of the catalogue share."""

import shutil
from pathlib import Path

import pytest

from catalogue import snapshot
from catalogue.models import MODELS, CatalogueState
from tests.cards import CARDS


@pytest.fixture(autouse=True)
def _always_ask(monkeypatch):
    """No snapshot of another test, and none that is believed without asking."""
    monkeypatch.setattr(snapshot, "_held", None)
    monkeypatch.setattr(snapshot, "CHECK_EVERY", 0)


@pytest.fixture
def cards(db):
    """The catalogue that every test finds in the database."""


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
