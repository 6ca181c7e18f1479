"""Cards by what lists call them, as the database has them now."""

import pytest

from catalogue.models import Unit
from catalogue.snapshot import card_index, forget
from lists.formats.cards import Found
from lists.formats.parsed import LineKind

pytestmark = pytest.mark.django_db


def test_the_cards_of_the_database(cards):
    index = card_index()
    rebels = index.units["rebel-troopers"]
    assert index.named(LineKind.UNIT, "Rebel Troopers") == Found((rebels,))
    assert index.lettered(index.letters(LineKind.UNIT, "rebel-troopers")) == rebels


def test_it_is_made_once(cards, django_assert_num_queries):
    index = card_index()
    with django_assert_num_queries(1):  # for the stamp
        assert card_index() is index


def test_a_changed_card_is_seen(cards):
    card_index()
    Unit.objects.filter(slug="rebel-troopers").update(points=7)
    forget()
    assert card_index().units["rebel-troopers"].points == 7
