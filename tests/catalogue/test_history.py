"""One writer at a time, known by name."""

import threading

import pytest
from django.db import connection, transaction

from catalogue.models import CatalogueState, PointsChange, Unit
from catalogue.rows import acting
from catalogue.services.load import load_catalogue
from tests.cards import CARDS


def test_the_name_lasts_for_the_transaction(cards):
    with transaction.atomic():
        acting("leia")
        Unit.objects.filter(slug="rebel-troopers").update(points=1)
    assert PointsChange.objects.get().by == "leia"


def test_an_empty_catalogue_has_a_state_after_it(empty):
    acting("leia")
    assert CatalogueState.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_an_edit_and_a_load_do_not_wait_for_each_other_for_ever(cards):
    """An edit holds a card while a load begins: the load comes after it, and neither is lost."""
    edited, began = threading.Event(), threading.Event()

    def edit():
        with transaction.atomic():
            acting("leia")
            Unit.objects.filter(slug="rebel-troopers").update(points=1)
            edited.set()
            began.wait()
            Unit.objects.filter(slug="black-sun-vigo").update(points=2)
        connection.close()

    thread = threading.Thread(target=edit)
    thread.start()
    edited.wait()
    began.set()
    report = load_catalogue(actor="load", folder=CARDS, again=True)
    thread.join()
    assert report.kinds["unit"].changed == ("black-sun-vigo", "rebel-troopers")
    assert set(PointsChange.objects.values_list("card", "by")) == {
        ("rebel-troopers", "leia"),
        ("black-sun-vigo", "leia"),
        ("rebel-troopers", "load"),
        ("black-sun-vigo", "load"),
    }
