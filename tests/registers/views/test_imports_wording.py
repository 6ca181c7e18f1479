"""What the page of a list calls things: cards by their names, lines by whose they are."""

import json

import pytest
from django.urls import reverse

from tests.registers.factories import make_player
from tests.registers.views.reading import text_of


@pytest.fixture
def read(client, book):
    """`read(text)`: the words of the page for a list."""
    client.force_login(make_player("ada"))
    return lambda text: text_of(client.post(reverse("registers:import"), {"text": text}))


def test_cards_of_a_link_are_named(read, book):
    text = read("https://legionhq2.com/list/empire/600:bf:1Cb0000000,2az0000,cr")
    for letters in ("“Cb”", "“az”", " cr ", " bf "):
        assert letters not in text
    for name in ("Imperial Officer", "Snowtroopers", "Blizzard Force"):
        assert name in text


def test_a_line_that_is_not_understood_says_whose_it_is(read):
    dossier = {
        "id": "d1", "dossierName": "Grim Hounds", "unitName": "Stormtroopers", "setbacks": ["Frob"], "veteranRank": 0,
        "experience": 0, "upgrades": ["Bolt of Nothing"], "commendations": ["Frob"], "pointsSpent": 0,
    }  # fmt: skip
    register = {"id": "r", "name": "Ashen Patrol", "faction": "Empire", "agendas": [], "dossiers": [dossier]}
    text = read(json.dumps({"format": "legion-tod-register", "version": 1, "registers": [register]}))
    assert "Frob of Grim Hounds No Commendation has this name." in text
    assert "Frob of Grim Hounds No Setback has this name." in text
    assert "Bolt of Nothing of Grim Hounds" in text
