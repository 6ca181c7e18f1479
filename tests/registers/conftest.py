"""What the tests of Registers share: the catalogue in the database, a player, and Registers."""

from __future__ import annotations

import pytest

from accounts.models import User
from catalogue.models import Unit
from catalogue.services.load import load_catalogue
from catalogue.snapshot import forget, rulebook
from registers.models import Register
from registers.services import building
from rules.core.rulebook import Rulebook
from tests.cards import CARDS
from tests.registers.factories import make_player, make_register


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker) -> None:
    with django_db_blocker.unblock():
        load_catalogue(actor="tests", folder=CARDS)


@pytest.fixture
def book(db) -> Rulebook:
    """The cards of the database."""
    return shelved()


def shelved() -> Rulebook:
    """The cards of the database. A test that empties the tables leaves none for the next."""
    if not Unit.objects.exists():
        load_catalogue(actor="tests", folder=CARDS)
    forget()
    return rulebook()


@pytest.fixture
def player(db) -> User:
    return make_player("ada")


@pytest.fixture
def other(db) -> User:
    return make_player("ben")


@pytest.fixture
def empty(book, player) -> Register:
    """An imperial Register that has just been opened."""
    return building.open_register(actor=player, owner=player, faction="empire")


@pytest.fixture
def founded(book, player) -> Register:
    """A commissioned imperial Register: the Paragon (1), two corps units (2, 3)."""
    return make_register(player)


@pytest.fixture
def signed_in(client, player):
    """A browser in which the player has signed in."""
    client.force_login(player)
    return client
