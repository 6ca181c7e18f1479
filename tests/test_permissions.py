"""Every address of the site but those of events, asked for by everybody, against tests/permissions/campaigns.csv."""

import pytest

from tests.campaign.conftest import book
from tests.permissions.matrix import CAMPAIGNS, WRITE
from tests.walking import unprinted
from tests.world import Address, addresses, make_world

__all__ = ["book", "unprinted"]

#: Pages of the admin that the gate asks for; the nightly run asks for all of them.
GATE_ADMIN = ("index", "login", "register_change", "user_change", "campaign_changelist")


@pytest.fixture(scope="module")
def site() -> list[Address]:
    return list(addresses())


def test_each_url_has_a_row_and_each_row_a_url(site):
    found = {address.name: CAMPAIGNS.row_for(address.name) for address in site}
    assert WRITE or sorted(name for name, row in found.items() if row is None) == []
    assert sorted(set(CAMPAIGNS.rows) - set(found.values())) == []


@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize("half", [0, 1])
def test_everybody_gets_what_the_table_says(book, site, settings, half):
    """Each half of the addresses, so that the halves run side by side."""
    # Who gets what is asked here; how many queries it takes, where the pages are tested.
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    wrong = CAMPAIGNS.wrong_answers(site[half::2], make_world(), GATE_ADMIN)
    if WRITE:
        CAMPAIGNS.write()
    assert wrong == {}


def test_the_docs_have_the_table():
    assert CAMPAIGNS.table_in_docs() == CAMPAIGNS.table()
