"""What the tests of campaigns share: the catalogue in the database, and a battle at the start of its sequence."""

import pytest
from django.test import Client

from tests.browser.conftest import phone
from tests.campaign.factories import Table, make_table
from tests.campaign.first_blood import Fought, begin
from tests.registers.conftest import book

__all__ = ["book", "phone"]


@pytest.fixture
def fought(book) -> Fought:
    """First Blood, reported and confirmed."""
    return begin()


@pytest.fixture
def table(book) -> Table:
    """A campaign with its people and two Registers."""
    return make_table()


@pytest.fixture
def as_ada(client, table) -> Client:
    """A browser in which ada has signed in; each browser of a test is the same one."""
    client.force_login(table.ada)
    return client


@pytest.fixture
def as_ben(client, table) -> Client:
    client.force_login(table.ben)
    return client


@pytest.fixture
def as_cora(client, table) -> Client:
    client.force_login(table.cora)
    return client
