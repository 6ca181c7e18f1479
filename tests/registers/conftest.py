"""What the tests of Registers share: the catalogue in the database, a player, and Registers."""

import pytest

from accounts.models import User
from catalogue.snapshot import rulebook
from registers.models import Register
from registers.services import building
from rules.core.rulebook import Rulebook
from tests.registers.factories import make_player, make_register


@pytest.fixture
def book(db) -> Rulebook:
    """The cards of the database."""
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
