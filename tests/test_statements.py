"""How many statements a page takes: at most eight that read or write, for every address and whoever asks.

Those of the session and of the user are among them; not what frames a transaction (`bench.speed.counted`), nor what
reads the catalogue: a process does so once for each edition of it, and looks whether it has changed once in CHECK_EVERY
seconds, however many pages it serves.
"""

from __future__ import annotations

import pytest

from bench.speed import A_PAGE, counted
from tests.campaign.conftest import book, django_db_setup
from tests.walking import Visitor
from tests.world import addresses, make_world

__all__ = ["book", "django_db_setup"]

#: Who asks: who plays and who organises see the most.
READERS = ("owner", "organiser")
#: Files of all that a campaign or a person has, written part by part: no pages.
FILES = {
    "campaign:carried_file": 48,
    "accounts:download": 19,
    "campaign:book": 10,
    "campaign:saga_book": 9,
}
#: What an address may be asked for besides, and takes more for.
ASKED = {
    "registers:ledger": ("?of=supply_points", "?act=open"),
    "registers:difference": ("?from=2000-01-01&to=2026-01-01", "?since=1&until=3"),
    "registers:print": ("?as=pdf",),
    "campaign:print_battle": ("?as=pdf",),
}


@pytest.mark.django_db
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
                asked = [each for each in statements if not each.startswith('SELECT "catalogue_')]
                taken[address.name] = max(taken.get(address.name, 0), len(asked))
    assert len(taken) > 100  # an empty walk proves nothing
    assert {name: number for name, number in taken.items() if number > FILES.get(name, A_PAGE)} == {}
    assert {name for name in FILES if taken[name] <= A_PAGE} == set()
