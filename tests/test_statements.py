"""How many statements a page takes, for every address and whoever asks (`tests.asked`)."""

from __future__ import annotations

import pytest

from bench.speed import counted
from tests import asked
from tests.campaign.conftest import book, django_db_setup
from tests.walking import Visitor, unprinted
from tests.world import addresses, make_world

__all__ = ["book", "django_db_setup", "unprinted"]

#: Who asks: who plays and who organises see the most.
READERS = ("owner", "organiser")
#: What an address may be asked for besides, and takes more for.
ASKED = {
    "registers:ledger": ("?of=supply_points", "?act=open"),
    "registers:difference": ("?from=2000-01-01&to=2026-01-01", "?since=1&until=3"),
    "registers:print": ("?as=pdf",),
    "campaign:print_battle": ("?as=pdf",),
}


@pytest.mark.django_db
@pytest.mark.usefixtures("unprinted")
def test_no_page_takes_more_than_eight_statements(book, settings) -> None:
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    world = make_world()
    taken: dict[str, int] = {}
    for reader in READERS:
        visitor = Visitor(world.people[reader])
        for address in addresses():
            path = address.filled(world)
            for query in ("", *ASKED.get(address.name, ())):
                with counted() as statements:
                    visitor.ask("GET", path + query)
                number = len(asked.without_catalogue(statements))
                taken[address.name] = max(taken.get(address.name, 0), number)
    assert len(taken) > 100  # an empty walk proves nothing
    assert {name: number for name, number in taken.items() if number > asked.most("GET", name)} == {}
