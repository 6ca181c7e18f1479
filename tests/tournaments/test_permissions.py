"""Every address of events and army lists, asked for by everybody, against tests/permissions/events.csv."""

import pytest

from tests.campaign.conftest import book
from tests.permissions.matrix import EVENTS, WRITE
from tests.tournaments.world import event_addresses, make_event_world
from tests.walking import unprinted
from tests.world import Address

__all__ = ["book", "unprinted"]

#: Pages of the admin that the gate asks for; the nightly run asks for all of them.
GATE_ADMIN = ("event_changelist", "event_change")


@pytest.fixture(scope="module")
def site() -> list[Address]:
    return list(event_addresses())


def test_each_url_has_a_row_and_each_row_a_url(site):
    found = {address.name: EVENTS.row_for(address.name) for address in site}
    assert WRITE or sorted(name for name, row in found.items() if row is None) == []
    assert sorted(set(EVENTS.rows) - set(found.values())) == []


@pytest.mark.usefixtures("unprinted")
def test_everybody_gets_what_the_table_says(book, site, settings):
    # Who gets what is asked here; how many queries it takes, where the pages are tested.
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    wrong = EVENTS.wrong_answers(site, make_event_world(), GATE_ADMIN)
    if WRITE:
        EVENTS.write()
    assert wrong == {}


def test_the_docs_have_the_table():
    assert EVENTS.table_in_docs() == EVENTS.table()
