"""Which pages are read from a replica: those that strangers read, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from uuid import uuid4

import pytest
from django.db import connections
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from PIL import Image

from campaign.services import pictures, public_link
from config import replica
from tests.campaign.test_views_public import told


@pytest.fixture
def second(monkeypatch) -> Iterator[None]:
    """Another connection in the place of a replica, which follows as closely as can be."""
    connections["replica"] = connections.create_connection("default")
    monkeypatch.setattr(replica.follower, "follows", lambda: True)
    with override_settings(DATABASE_ROUTERS=["config.replica.Router"]):
        yield
    connections["replica"].close()
    del connections["replica"]


def asked(client, address: str) -> tuple[int, bool, set[str]]:
    """The status of an answer, whether the replica was asked, and the rooms whose tables the primary was asked for."""
    with (
        CaptureQueriesContext(connections["replica"]) as there,
        CaptureQueriesContext(connections["default"]) as here,
    ):
        status = client.get(address).status_code
    return status, len(there) > 0, rooms(here) - {"catalogue"}  # that is known for a second, by everybody


def rooms(queries: CaptureQueriesContext) -> set[str]:
    said = " ".join(query["sql"] for query in queries)
    return {table.partition("_")[0] for table in re.findall(r'(?:FROM|JOIN|INTO) "(\w+)"', said)}


def photograph() -> bytes:
    sent = BytesIO()
    Image.new("RGB", (40, 30), "white").save(sent, "JPEG")
    return sent.getvalue()


@pytest.mark.django_db(transaction=True)
def test_strangers_read_the_chronicle_from_the_replica_and_its_people_from_the_primary(client, table, second):
    battle = told(table)
    link = public_link.open_chronicle(actor=table.cora, campaign=table.campaign)
    picture = pictures.add_to_battle(
        actor=table.ada, battle=battle, sent=photograph(), alt="Snow", picture_id=uuid4()
    )
    addresses = {
        "saga": link.get_absolute_url(),
        "entry": reverse("campaign:saga_entry", args=[link.token, battle.pk]),
        "feed": reverse("campaign:saga_feed", args=[link.token]),
        "card": reverse("campaign:saga_card", args=[link.token]),
        "picture": reverse("campaign:saga_picture", args=[link.token, picture.pk, "small"]),
    }
    found = {name: asked(client, address) for name, address in addresses.items()}
    assert found == dict.fromkeys(addresses, (200, True, set()))
    book = asked(client, reverse("campaign:saga_book", args=[link.token]))
    assert book == (200, True, {"cache"})  # how often somebody asks for it is counted
    client.force_login(table.cora)
    found = {name: asked(client, address) for name, address in addresses.items()}
    assert [(status, there, "campaign" in here) for status, there, here in found.values()] == [
        (200, False, True)
    ] * 5
    assert asked(client, table.campaign.get_absolute_url())[:2] == (200, False)


def test_a_link_that_the_replica_does_not_know_yet(client, table, second):
    """The rows of this test are not committed, so another connection never sees them."""
    link = public_link.open_chronicle(actor=table.cora, campaign=table.campaign)
    assert asked(client, link.get_absolute_url()) == (200, True, {"campaign", "uploads"})
